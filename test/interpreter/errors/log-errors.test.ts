/** Streams that do not come to their end: of sources that fail, of elements that cannot be written, or because nobody asks any more. */
import * as assert from 'uvu/assert'
import type { ChunkSource } from '../../../src/interpreter/chunks.ts'
import { jsonArray, jsonLines } from '../../../src/body/stream/framings.ts'
import { coalesce } from '../../../src/interpreter/response/stream/coalesce.ts'
import type { PullIterator } from '../../../src/body/stream/pull-iterator.ts'
import { openSource } from '../../../src/body/stream/open-source.ts'
import { describe, table } from '../../support/describe.ts'
import { elementsOf, ways } from '../../support/elements.ts'
import {
  drained,
  failure,
  mixed,
  never,
  now,
  over,
  rejecting,
  soon,
  textOf,
  throwing,
  told,
  turn,
} from '../../support/chunk-sources.ts'

const json = jsonArray(String)
const full = 32 * 1024

const late = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(failure), 5)
  })

describe('R-225, R-226: a source that fails', (test) => {
  table<
    readonly [
      name: string,
      steps: ReadonlyArray<() => ReturnType<PullIterator['next']>>,
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
      const pieces = coalesce(source, json)
      const outcome = await drained(pieces)
      assert.ok(outcome.error instanceof Error)
      assert.is(textOf(outcome), text)
      assert.is(counts.asked, steps.length)
      pieces.close()
      assert.is(counts.left, left)
    },
  )
  test('later gives what came before, and fails then, and is not asked again', async () => {
    for (const last of [late, () => turn().then(rejecting)]) {
      const { source, counts } = told(now(1), now(2), last)
      const outcome = await drained(coalesce(source, json))
      assert.equal([textOf(outcome), outcome.error, counts.asked], ['[1,2', failure, 3])
    }
  })
  test('in the same turn as a later element gives that element first', async () => {
    const { source, counts } = told(now(1), () => turn().then(now(2)), rejecting)
    const pieces = coalesce(source, json)
    const outcome = await drained(pieces)
    assert.equal([textOf(outcome), outcome.error, counts.asked], ['[1,2', failure, 3])
    assert.equal(await drained(pieces), { pieces: [], error: failure })
    assert.is(counts.asked, 3)
  })
  test('behind a full piece gives the piece', async () => {
    const { source } = told(now('x'.repeat(full)), throwing)
    const outcome = await drained(coalesce(source, mixed))
    assert.equal([textOf(outcome).length, outcome.error], [full, failure])
  })
})

describe('R-225, R-226: an element that cannot be written', (test) => {
  test('first is a failure before the first octet, and the source is left', async () => {
    for (const way of ways) {
      const watched = elementsOf([1, 2], way)
      const outcome = await drained(coalesce(openSource(watched.source), mixed))
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
    const pieces = coalesce(source, mixed)
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
    const pieces = coalesce(source, json)
    pieces.close()
    pieces.close()
    assert.equal(counts, { asked: 0, left: 1 })
  })
  test('while something is waited for is at its end at once', async () => {
    const { source, counts } = told(never)
    const pieces = coalesce(source, json)
    const next = pieces.next()
    pieces.close()
    assert.equal(await next, { done: true, value: undefined })
    assert.equal(counts, { asked: 1, left: 1 })
  })
  test('takes nothing that comes afterwards', async () => {
    let give: ((value: IteratorResult<unknown>) => void) | undefined
    let written = 0
    const { source, counts } = told(() => new Promise((resolve) => (give = resolve)))
    const pieces = coalesce(
      source,
      jsonLines(() => String(++written)),
    )
    void pieces.next()
    pieces.close()
    give?.({ done: false, value: 1 })
    await turn()
    assert.equal([counts.asked, written], [1, 0])
    assert.equal(await pieces.next(), { done: true, value: undefined })
  })
  test('does not hear what goes wrong with that', async () => {
    for (const left of [throwing, rejecting]) {
      const pieces = coalesce({ next: never, return: left }, json)
      void pieces.next()
      pieces.close()
      await turn()
    }
  })
  test('by what its source does is left when the source has done it', async () => {
    let ended = 0
    let pieces: ChunkSource | undefined
    function* source() {
      try {
        yield 1
        pieces?.close()
        yield 2
      } finally {
        ended++
      }
    }
    pieces = coalesce(openSource(source()), json)
    await drained(pieces)
    assert.is(ended, 1)
  })
  test('by what writes its elements gives nothing any more', async () => {
    const { source, counts } = told(now(1), now(2))
    const pieces: ChunkSource = coalesce(
      source,
      jsonLines((element) => {
        if (element === 2) pieces.close()
        return String(element)
      }),
    )
    assert.is(textOf(await drained(pieces)), '')
    assert.equal(counts, { asked: 2, left: 1 })
  })
  test('at its end is left alone', async () => {
    const { source, counts } = told(now(1), over)
    const pieces = coalesce(source, json)
    await drained(pieces)
    pieces.close()
    assert.is(counts.left, 0)
  })
})
