import { setTimeout as wait } from 'node:timers/promises'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { jsonArray, jsonLines, utf8Text } from '../../../../src/body/stream/framings.ts'
import { coalesce } from '../../../../src/interpreter/response/stream/coalesce.ts'
import type { PullIterator } from '../../../../src/body/stream/pull-iterator.ts'
import { openSource } from '../../../../src/body/stream/open-source.ts'
import { describe } from '../../../support/describe.ts'
import type { Way } from '../../../support/elements.ts'
import { elementsOf, ways } from '../../../support/elements.ts'
import {
  drained,
  mixed,
  never,
  now,
  over,
  sizeOf,
  soon,
  textOf,
  told,
  turn,
} from '../../../support/chunk-sources.ts'

const json = jsonArray(String)
const full = 32 * 1024

function* blanks(): Generator<string> {
  for (;;) yield ''
}

describe('R-218: gathered elements', (test) => {
  const rows: ReadonlyArray<readonly [way: Way, count: number]> = ways.flatMap((way) =>
    [0, 1, 2, 50].map((count) => [way, count] as const),
  )
  for (const [way, count] of rows)
    test(`${count}, ${way}, make one JSON array`, async () => {
      const elements = Array.from({ length: count }, (_, index) => index)
      const watched = elementsOf(elements, way)
      assert.is(
        textOf(await drained(coalesce(openSource(watched.source), json))),
        JSON.stringify(elements),
      )
      assert.equal([watched.asked, watched.ended], [count + 1, 1])
    })
  test('that are many leave in pieces that are just full', async () => {
    for (const way of ['sync', 'async'] as const) {
      const elements = Array.from({ length: 20_000 }, (_, index) => index)
      const outcome = await drained(coalesce(openSource(elementsOf(elements, way).source), json))
      assert.is(textOf(outcome), JSON.stringify(elements))
      assert.is(outcome.pieces.length, 4)
      for (const piece of outcome.pieces.slice(0, -1))
        assert.ok(sizeOf(piece) >= full && sizeOf(piece) < full + 10, String(sizeOf(piece)))
    }
  })
  test('are counted in octets, whatever their characters', async () => {
    const elements = Array.from({ length: 3000 }, () => '€'.repeat(40))
    const outcome = await drained(coalesce(openSource(elements), jsonLines(String)))
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
      const outcome = await drained(coalesce(openSource(source), mixed))
      assert.equal([outcome.pieces.length, textOf(outcome)], [pieces, source.join('')])
    }
  })
  test('of text and octets keep their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array())),
        fc.constantFrom(...ways.slice(0, 4)),
        async (elements, way) => {
          const outcome = await drained(
            coalesce(openSource(elementsOf(elements, way).source), mixed),
          )
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
        const outcome = await drained(coalesce(source, json))
        assert.is(textOf(outcome), JSON.stringify(laters.map((_, index) => index)))
      }),
    )
  })
  test('that are ready do not wait for one that is not', async () => {
    const { source } = told(now(1), now(2), never)
    const { value } = await coalesce(source, json).next()
    assert.is(value, '[1,2')
  })
  test('that write nothing leave the event loop its turns', async () => {
    for (const way of ['sync', 'async'] as const) {
      const pieces = coalesce(openSource(elementsOf(blanks(), way).source), mixed)
      void pieces.next()
      await wait(5)
      pieces.close()
    }
  })
  test('that are alone leave in the turn in which they came', async () => {
    let give: ((value: string) => void) | undefined
    async function* source() {
      for (;;) yield await new Promise<string>((resolve) => (give = resolve))
    }
    const pieces = coalesce(openSource(source()), mixed)
    for (const element of ['a', 'b', 'c']) {
      let seen: unknown
      void pieces.next().then(({ value }) => (seen = value))
      await turn()
      assert.is(seen, undefined)
      await new Promise<void>((resolve) =>
        setTimeout(() => {
          give?.(element)
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
    coalesce(openSource(watched.source), json)
    await turn()
    assert.is(watched.asked, 0)
  })
  test('is one element at a time', async () => {
    let underway = 0
    let most = 0
    let count = 0
    const source: PullIterator = {
      next: async () => {
        most = Math.max(most, ++underway)
        await turn()
        underway--
        return count++ < 10 ? { done: false, value: count } : { done: true, value: undefined }
      },
    }
    await drained(coalesce(source, json))
    assert.is(most, 1)
  })
  test('is one more element at most when no piece is asked for', async () => {
    const watched = elementsOf([1, 2, 3, 4, 5, 6], 'immediate')
    const pieces = coalesce(openSource(watched.source), json)
    await pieces.next()
    await wait(20)
    assert.is(watched.asked, 2)
    await pieces.next()
    await wait(20)
    assert.is(watched.asked, 3)
    pieces.close()
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
            coalesce(
              openSource(elementsOf(parts, way === 'sync' ? 'sync' : 'immediate').source),
              utf8Text(),
            ),
          )
          assert.is(textOf(outcome), text)
        },
      ),
    )
  })
  test('half a character at the end is replaced', async () =>
    assert.is(textOf(await drained(coalesce(openSource(['a\ud83d']), utf8Text()))), 'a\ufffd'))
  test('what is no text is refused', async () =>
    assert.ok((await drained(coalesce(openSource([1]), utf8Text()))).error instanceof TypeError))
})
