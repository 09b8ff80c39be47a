import { setTimeout as wait } from 'node:timers/promises'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Pieces } from '../../../src/interpreter/pieces.ts'
import { array, lines, texts } from '../../../src/interpreter/stream/framings.ts'
import type { Framing } from '../../../src/interpreter/stream/gathered.ts'
import { gathered } from '../../../src/interpreter/stream/gathered.ts'
import type { Asked } from '../../../src/interpreter/stream/source.ts'
import { asked } from '../../../src/interpreter/stream/source.ts'
import { describe, table } from '../../support/describe.ts'
import type { Way } from '../../support/elements.ts'
import { elementsOf, ways } from '../../support/elements.ts'

const json = array(String)
const full = 32 * 1024
const failure = new Error('it fails')

/** Text and octets as they are. */
const mixed: Framing = {
  begin: '',
  between: '',
  end: '',
  write: (element) => {
    if (typeof element === 'string' || element instanceof Uint8Array) return element
    throw new TypeError('neither')
  },
}

interface Outcome {
  readonly pieces: ReadonlyArray<string | Uint8Array>
  readonly error?: unknown
}

/** Everything that comes. */
const drained = async (pieces: Pieces): Promise<Outcome> => {
  const all: Array<string | Uint8Array> = []
  try {
    for (;;) {
      const { done, value } = await pieces.next()
      if (done === true) return { pieces: all }
      all.push(value)
    }
  } catch (error) {
    return { pieces: all, error }
  }
}

const textOf = ({ pieces }: Outcome): string =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()

const sizeOf = (piece: string | Uint8Array): number => Buffer.from(piece).length

/** An iterator that does what it is told, and counts. */
const told = (...steps: ReadonlyArray<() => ReturnType<Asked['next']>>) => {
  const counts = { asked: 0, left: 0 }
  const source: Asked = {
    next: () => {
      const step = steps[counts.asked++]
      if (step === undefined) throw new Error('asked too often')
      return step()
    },
    return: () => {
      counts.left++
    },
  }
  return { source, counts }
}

const now =
  (value: unknown): (() => IteratorResult<unknown>) =>
  () => ({ done: false, value })
const soon = (value: unknown) => () => Promise.resolve({ done: false as const, value })
const over = () => ({ done: true as const, value: undefined })
const never = () => new Promise<IteratorResult<unknown>>(() => undefined)
const throwing = (): never => {
  throw failure
}
const rejecting = () => Promise.reject(failure)

/** Turns of the event loop. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('R-218: gathered elements', (test) => {
  const rows: ReadonlyArray<readonly [way: Way, count: number]> = ways.flatMap((way) =>
    [0, 1, 2, 50].map((count) => [way, count] as const),
  )
  for (const [way, count] of rows)
    test(`${count}, ${way}, make one JSON array`, async () => {
      const elements = Array.from({ length: count }, (_, index) => index)
      const watched = elementsOf(elements, way)
      assert.is(
        textOf(await drained(gathered(asked(watched.source), json))),
        JSON.stringify(elements),
      )
      assert.equal([watched.asked, watched.ended], [count + 1, 1])
    })
  test('that are many leave in pieces that are just full', async () => {
    for (const way of ['sync', 'async'] as const) {
      const elements = Array.from({ length: 20_000 }, (_, index) => index)
      const outcome = await drained(gathered(asked(elementsOf(elements, way).source), json))
      assert.is(textOf(outcome), JSON.stringify(elements))
      assert.is(outcome.pieces.length, 4)
      for (const piece of outcome.pieces.slice(0, -1))
        assert.ok(sizeOf(piece) >= full && sizeOf(piece) < full + 10, String(sizeOf(piece)))
    }
  })
  test('are counted in octets, whatever their characters', async () => {
    const elements = Array.from({ length: 3000 }, () => '€'.repeat(40))
    const outcome = await drained(gathered(asked(elements), lines(String)))
    assert.is(textOf(outcome), `${elements.join('\n')}\n`)
    for (const piece of outcome.pieces) assert.ok(sizeOf(piece) <= full + 24 * 1024)
  })
  test('of a full piece but one octet, of a full piece, and of one more', async () => {
    for (const [size, pieces] of [
      [full - 1, 1],
      [full, 2],
      [full + 1, 2],
    ] as const) {
      const source = ['x'.repeat(size), 'y']
      const outcome = await drained(gathered(asked(source), mixed))
      assert.equal([outcome.pieces.length, textOf(outcome)], [pieces, source.join('')])
    }
  })
  test('of text and octets keep their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array())),
        fc.constantFrom(...ways.slice(0, 4)),
        async (elements, way) => {
          const outcome = await drained(gathered(asked(elementsOf(elements, way).source), mixed))
          assert.is(
            textOf(outcome),
            Buffer.concat(elements.map((one) => Buffer.from(one))).toString(),
          )
        },
      ),
    )
  })
  test('that come now and later in turns are all there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean()), async (laters) => {
        const { source } = told(...laters.map((later, index) => (later ? soon : now)(index)), over)
        const outcome = await drained(gathered(source, json))
        assert.is(textOf(outcome), JSON.stringify(laters.map((_, index) => index)))
      }),
    )
  })
  test('that are ready do not wait for one that is not', async () => {
    const { source } = told(now(1), now(2), never)
    const { value } = await gathered(source, json).next()
    assert.is(value, '[1,2')
  })
  test('that write nothing leave the event loop its turns', async () => {
    for (const way of ['sync', 'async'] as const) {
      function* nothing() {
        for (;;) yield ''
      }
      const pieces = gathered(asked(elementsOf(nothing(), way).source), mixed)
      void pieces.next()
      await wait(5)
      pieces.close()
    }
  })
  test('that are alone leave in the turn in which they came', async () => {
    let give: (value: string) => void = () => undefined
    async function* source() {
      for (;;) yield await new Promise<string>((resolve) => (give = resolve))
    }
    const pieces = gathered(asked(source()), mixed)
    for (const element of ['a', 'b', 'c']) {
      let seen: unknown
      void pieces.next().then(({ value }) => (seen = value))
      await turn()
      assert.is(seen, undefined)
      await new Promise<void>((resolve) =>
        setTimeout(() => {
          give(element)
          setImmediate(resolve)
        }, 0),
      )
      assert.is(seen, element)
    }
    pieces.close()
  })
})

describe('R-224, R23: what is asked for', (test) => {
  test('is nothing before the first piece', async () => {
    const watched = elementsOf([1, 2], 'sync')
    gathered(asked(watched.source), json)
    await turn()
    assert.is(watched.asked, 0)
  })
  test('is one element at a time', async () => {
    let underway = 0
    let most = 0
    let count = 0
    const source: Asked = {
      next: async () => {
        most = Math.max(most, ++underway)
        await turn()
        underway--
        return count++ < 10 ? { done: false, value: count } : { done: true, value: undefined }
      },
    }
    await drained(gathered(source, json))
    assert.is(most, 1)
  })
  test('is one more element at most when no piece is asked for', async () => {
    const watched = elementsOf([1, 2, 3, 4, 5, 6], 'immediate')
    const pieces = gathered(asked(watched.source), json)
    await pieces.next()
    await wait(20)
    assert.is(watched.asked, 2)
    await pieces.next()
    await wait(20)
    assert.is(watched.asked, 3)
    pieces.close()
  })
})

describe('R-225, R-226: a source that fails', (test) => {
  table<
    readonly [
      name: string,
      steps: ReadonlyArray<() => ReturnType<Asked['next']>>,
      text: string,
      left: number,
    ]
  >(
    test,
    [
      ['at once, by throwing', [throwing], '', 0],
      ['at once, by rejecting', [rejecting], '', 0],
      ['in the turn of its first element', [now(1), throwing], '', 0],
      ['in that turn, by rejecting', [now(1), rejecting], '', 0],
      ['in that turn, after a promise', [soon(1), soon(2), rejecting], '', 0],
      ['with no result at all', [() => Promise.resolve(JSON.parse('null') as never)], '', 1],
    ],
    async (_, steps, text, left) => {
      const { source, counts } = told(...steps)
      const pieces = gathered(source, json)
      const outcome = await drained(pieces)
      assert.ok(outcome.error instanceof Error)
      assert.is(textOf(outcome), text)
      assert.is(counts.asked, steps.length)
      pieces.close()
      assert.is(counts.left, left)
    },
  )
  const late = () =>
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(failure), 5)
    })
  test('later gives what came before, and fails then, and is not asked again', async () => {
    for (const last of [late, () => turn().then(rejecting)]) {
      const { source, counts } = told(now(1), now(2), last)
      const outcome = await drained(gathered(source, json))
      assert.equal([textOf(outcome), outcome.error, counts.asked], ['[1,2', failure, 3])
    }
  })
  test('in the same turn as a later element gives that element first', async () => {
    const { source, counts } = told(now(1), () => turn().then(now(2)), rejecting)
    const pieces = gathered(source, json)
    const outcome = await drained(pieces)
    assert.equal([textOf(outcome), outcome.error, counts.asked], ['[1,2', failure, 3])
    assert.equal(await drained(pieces), { pieces: [], error: failure })
    assert.is(counts.asked, 3)
  })
  test('behind a full piece gives the piece', async () => {
    const { source } = told(now('x'.repeat(full)), throwing)
    const outcome = await drained(gathered(source, mixed))
    assert.equal([textOf(outcome).length, outcome.error], [full, failure])
  })
})

describe('R-225, R-226: an element that cannot be written', (test) => {
  test('first is a failure before the first octet, and the source is left', async () => {
    for (const way of ways) {
      const watched = elementsOf([1, 2], way)
      const outcome = await drained(gathered(asked(watched.source), mixed))
      assert.equal(outcome.pieces, [])
      assert.ok(outcome.error instanceof TypeError)
      await turn()
      assert.equal([watched.asked, watched.ended], [1, 1])
    }
  })
  test('later is a failure behind the others, and the source is left once', async () => {
    const { source, counts } = told(
      now('a'),
      () => turn().then(now('b')),
      () => turn().then(now(3)),
    )
    const pieces = gathered(source, mixed)
    const outcome = await drained(pieces)
    assert.is(textOf(outcome), 'ab')
    assert.ok(outcome.error instanceof TypeError)
    pieces.close()
    pieces.close()
    assert.equal(counts, { asked: 3, left: 1 })
  })
})

describe('R-227: a stream that is closed', (test) => {
  test('before it is asked leaves its source once', () => {
    const { source, counts } = told()
    const pieces = gathered(source, json)
    pieces.close()
    pieces.close()
    assert.equal(counts, { asked: 0, left: 1 })
  })
  test('while something is waited for is at its end at once', async () => {
    const { source, counts } = told(never)
    const pieces = gathered(source, json)
    const next = pieces.next()
    pieces.close()
    assert.equal(await next, { done: true, value: undefined })
    assert.equal(counts, { asked: 1, left: 1 })
  })
  test('takes nothing that comes afterwards', async () => {
    let give: (value: IteratorResult<unknown>) => void = () => undefined
    let written = 0
    const { source, counts } = told(() => new Promise((resolve) => (give = resolve)))
    const pieces = gathered(
      source,
      lines(() => String(++written)),
    )
    void pieces.next()
    pieces.close()
    give({ done: false, value: 1 })
    await turn()
    assert.equal([counts.asked, written], [1, 0])
    assert.equal(await pieces.next(), { done: true, value: undefined })
  })
  test('does not hear what goes wrong with that', async () => {
    for (const left of [throwing, rejecting]) {
      const pieces = gathered({ next: never, return: left }, json)
      void pieces.next()
      pieces.close()
      await turn()
    }
  })
  test('by what its source does is left when the source has done it', async () => {
    let ended = 0
    let pieces: Pieces | undefined
    function* source() {
      try {
        yield 1
        pieces?.close()
        yield 2
      } finally {
        ended++
      }
    }
    pieces = gathered(asked(source()), json)
    await drained(pieces)
    assert.is(ended, 1)
  })
  test('by what writes its elements gives nothing any more', async () => {
    const { source, counts } = told(now(1), now(2))
    const pieces: Pieces = gathered(
      source,
      lines((element) => {
        if (element === 2) pieces.close()
        return String(element)
      }),
    )
    assert.is(textOf(await drained(pieces)), '')
    assert.equal(counts, { asked: 2, left: 1 })
  })
  test('at its end is left alone', async () => {
    const { source, counts } = told(now(1), over)
    const pieces = gathered(source, json)
    await drained(pieces)
    pieces.close()
    assert.is(counts.left, 0)
  })
})

describe('texts', (test) => {
  test('characters that are cut in two are put together, wherever pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.array(fc.nat(5)),
        fc.constantFrom('sync', 'immediate'),
        async (text, sizes, way) => {
          const parts: string[] = []
          let at = 0
          for (const size of sizes) {
            parts.push(text.slice(at, at + size))
            at += size
          }
          parts.push(text.slice(at))
          const outcome = await drained(
            gathered(
              asked(elementsOf(parts, way === 'sync' ? 'sync' : 'immediate').source),
              texts(),
            ),
          )
          assert.is(textOf(outcome), text)
        },
      ),
    )
  })
  test('half a character at the end is replaced', async () =>
    assert.is(textOf(await drained(gathered(asked(['a\ud83d']), texts()))), 'a\ufffd'))
  test('what is no text is refused', async () =>
    assert.ok((await drained(gathered(asked([1]), texts()))).error instanceof TypeError))
})
