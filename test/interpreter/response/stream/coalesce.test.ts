import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { utf8Text } from '../../../../src/body/stream/stream-format.ts'
import { coalesce } from '../../../../src/interpreter/response/stream/coalesce.ts'
import type { PullIterator } from '../../../../src/body/stream/open-source.ts'
import { openSource } from '../../../../src/body/stream/open-source.ts'
import { describe } from '../../../support/describe.ts'
import type { Timing } from '../../../support/observed-source.ts'
import { observedSource, timings } from '../../../support/observed-source.ts'
import {
  jsonArray,
  jsonLines,
  drain,
  unframed,
  never,
  immediate,
  end,
  sizeOf,
  resolved,
  textOf,
  scriptedSource,
  nextTurn,
} from './chunk-sources.ts'
import { unicodeString } from '../../../support/unicode-string.ts'
import { turns } from '../../../support/wait-until.ts'

const json = jsonArray(String)
const fullSize = 32 * 1024

function* emptyStrings(): Generator<string> {
  for (;;) yield ''
}

describe('coalesce', (test) => {
  const rows: ReadonlyArray<readonly [timing: Timing, count: number]> = timings.flatMap((timing) =>
    [0, 1, 2, 50].map((count) => [timing, count] as const),
  )
  for (const [timing, count] of rows)
    test(`writes ${count} elements (${timing}) as one JSON array`, async () => {
      const elements = Array.from({ length: count }, (_, index) => index)
      const observed = observedSource(elements, timing)
      assert.is(
        textOf(await drain(coalesce(openSource(observed.source), json))),
        JSON.stringify(elements),
      )
      assert.equal([observed.pulled, observed.ended], [count + 1, 1])
    })
  test('combines many elements into full chunks', async () => {
    for (const timing of ['sync', 'async'] as const) {
      const elements = Array.from({ length: 20_000 }, (_, index) => index)
      const result = await drain(
        coalesce(openSource(observedSource(elements, timing).source), json),
      )
      assert.is(textOf(result), JSON.stringify(elements))
      assert.is(result.chunks.length, 4)
      for (const chunk of result.chunks.slice(0, -1))
        assert.ok(sizeOf(chunk) >= fullSize && sizeOf(chunk) < fullSize + 10, String(sizeOf(chunk)))
    }
  })
  test('limits chunks by bytes, not by characters', async () => {
    const elements = Array.from({ length: 3000 }, () => '€'.repeat(40))
    const result = await drain(coalesce(openSource(elements), jsonLines(String)))
    assert.is(textOf(result), `${elements.join('\n')}\n`)
    for (const chunk of result.chunks) assert.ok(sizeOf(chunk) <= fullSize + 24 * 1024)
  })
  test('splits after a chunk of at least the full size', async () => {
    for (const [size, chunks] of [
      [fullSize - 1, 1],
      [fullSize, 2],
      [fullSize + 1, 2],
    ] as const) {
      const source = ['x'.repeat(size), 'y']
      const result = await drain(coalesce(openSource(source), unframed))
      assert.equal([result.chunks.length, textOf(result)], [chunks, source.join('')])
    }
  })
  test('keeps the order of text and bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array())),
        fc.constantFrom(...timings.slice(0, 4)),
        async (elements, timing) => {
          const result = await drain(
            coalesce(openSource(observedSource(elements, timing).source), unframed),
          )
          assert.is(
            textOf(result),
            Buffer.concat(elements.map((element) => Buffer.from(element))).toString(),
          )
        },
      ),
    )
  })
  test('reads elements that are in turn synchronous and asynchronous', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean()), async (areAsync) => {
        const { source } = scriptedSource(
          ...areAsync.map((isAsync, index) => (isAsync ? resolved : immediate)(index)),
          end,
        )
        const result = await drain(coalesce(source, json))
        assert.is(textOf(result), JSON.stringify(areAsync.map((_, index) => index)))
      }),
    )
  })
  test('returns available elements while another one is pending', async () => {
    const { source } = scriptedSource(immediate(1), immediate(2), never)
    const { value } = await coalesce(source, json).next()
    assert.is(value, '[1,2')
  })
  test('does not block the event loop with elements that write nothing', async () => {
    for (const timing of ['sync', 'async'] as const) {
      const chunks = coalesce(openSource(observedSource(emptyStrings(), timing).source), unframed)
      void chunks.next()
      // a source that blocks the event loop would end this test with its time limit
      await turns()
      chunks.close()
    }
  })
  test('returns a single element in the turn of its arrival', async () => {
    let yieldElement: ((value: string) => void) | undefined
    async function* source() {
      for (;;) yield await new Promise<string>((resolve) => (yieldElement = resolve))
    }
    const chunks = coalesce(openSource(source()), unframed)
    for (const element of ['a', 'b', 'c']) {
      let received: unknown
      void chunks.next().then(({ value }) => (received = value))
      await nextTurn()
      assert.is(received, undefined)
      await new Promise<void>((resolve) =>
        setTimeout(() => {
          yieldElement?.(element)
          setImmediate(resolve)
        }, 0),
      )
      assert.is(received, element)
    }
    chunks.close()
  })
})

describe('demand of coalesce', (test) => {
  test('reads nothing before the first call of next', async () => {
    const observed = observedSource([1, 2], 'sync')
    coalesce(openSource(observed.source), json)
    await nextTurn()
    assert.is(observed.pulled, 0)
  })
  test('reads one element at a time', async () => {
    let pending = 0
    let maxPending = 0
    let count = 0
    const source: PullIterator = {
      next: async () => {
        maxPending = Math.max(maxPending, ++pending)
        await nextTurn()
        pending--
        return count++ < 10 ? { done: false, value: count } : { done: true, value: undefined }
      },
    }
    await drain(coalesce(source, json))
    assert.is(maxPending, 1)
  })
  test('reads at most one element ahead', async () => {
    const observed = observedSource([1, 2, 3, 4, 5, 6], 'immediate')
    const chunks = coalesce(openSource(observed.source), json)
    await chunks.next()
    await turns()
    assert.is(observed.pulled, 2)
    await chunks.next()
    await turns()
    assert.is(observed.pulled, 3)
    chunks.close()
  })
})

describe('coalesce of text', (test) => {
  test('joins surrogate pairs that are split between elements', async () => {
    await fc.assert(
      fc.asyncProperty(
        unicodeString,
        fc.array(fc.nat(5)),
        fc.constantFrom('sync', 'immediate'),
        async (text, sizes, timing) => {
          const parts: string[] = []
          let at = 0
          for (const size of sizes) {
            parts.push(text.slice(at, at + size))
            at += size
          }
          parts.push(text.slice(at))
          const result = await drain(
            coalesce(
              openSource(observedSource(parts, timing === 'sync' ? 'sync' : 'immediate').source),
              utf8Text(),
            ),
          )
          assert.is(textOf(result), text)
        },
      ),
    )
  })
  test('replaces a lone surrogate at the end', async () =>
    assert.is(textOf(await drain(coalesce(openSource(['a\ud83d']), utf8Text()))), 'a\ufffd'))
  test('rejects an element that is not a string', async () =>
    assert.ok((await drain(coalesce(openSource([1]), utf8Text()))).error instanceof TypeError))
})
