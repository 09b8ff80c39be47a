import * as assert from 'uvu/assert'
import { describe, table } from '../../../support/describe.ts'
import type { ChunkSource } from '../../../../src/interpreter/exchange.ts'
import { coalesce } from '../../../../src/interpreter/response/stream/coalesce.ts'
import type { PullIterator } from '../../../../src/body/stream/open-source.ts'
import { openSource } from '../../../../src/body/stream/open-source.ts'
import { observedSource, timings } from '../../../support/observed-source.ts'
import {
  drain,
  failure,
  unframed,
  never,
  immediate,
  end,
  rejecting,
  resolved,
  textOf,
  throwing,
  scriptedSource,
  nextTurn,
  jsonArray,
  jsonLines,
} from './chunk-sources.ts'

const json = jsonArray(String)
const fullSize = 32 * 1024

const rejectLater = () =>
  new Promise<never>((_, reject) => {
    setImmediate(reject, failure)
  })

describe('coalesce of a source that fails', (test) => {
  table<
    readonly [
      name: string,
      steps: ReadonlyArray<() => ReturnType<PullIterator['next']>>,
      text: string,
      closes: number,
    ]
  >(
    test,
    [
      ['an exception of the first read', [throwing], '', 0],
      ['a rejection of the first read', [rejecting], '', 0],
      ['an exception in the turn of the first element', [immediate(1), throwing], '', 0],
      ['a rejection in the turn of the first element', [immediate(1), rejecting], '', 0],
      ['a rejection after two resolved promises', [resolved(1), resolved(2), rejecting], '', 0],
      ['a result of null', [() => Promise.resolve(JSON.parse('null') as never)], '', 1],
    ],
    async (_, steps, text, closes) => {
      const { source, counts } = scriptedSource(...steps)
      const chunks = coalesce(source, json)
      const result = await drain(chunks)
      assert.ok(result.error instanceof Error)
      assert.is(textOf(result), text)
      assert.is(counts.reads, steps.length)
      chunks.close()
      assert.is(counts.closes, closes)
    },
  )
  test('a later failure is reported after the previous elements, and nothing more is read', async () => {
    for (const last of [rejectLater, () => nextTurn().then(rejecting)]) {
      const { source, counts } = scriptedSource(immediate(1), immediate(2), last)
      const result = await drain(coalesce(source, json))
      assert.equal([textOf(result), result.error, counts.reads], ['[1,2', failure, 3])
    }
  })
  test('a failure in the turn of a later element is reported after that element', async () => {
    const { source, counts } = scriptedSource(
      immediate(1),
      () => nextTurn().then(immediate(2)),
      rejecting,
    )
    const chunks = coalesce(source, json)
    const result = await drain(chunks)
    assert.equal([textOf(result), result.error, counts.reads], ['[1,2', failure, 3])
    assert.equal(await drain(chunks), { chunks: [], error: failure })
    assert.is(counts.reads, 3)
  })
  test('a failure after a full chunk is reported after that chunk', async () => {
    const { source } = scriptedSource(immediate('x'.repeat(fullSize)), throwing)
    const result = await drain(coalesce(source, unframed))
    assert.equal([textOf(result).length, result.error], [fullSize, failure])
  })
})

describe('coalesce of an element that cannot be written', (test) => {
  test('a first element fails before the first chunk and closes the source', async () => {
    for (const timing of timings) {
      const observed = observedSource([1, 2], timing)
      const result = await drain(coalesce(openSource(observed.source), unframed))
      assert.equal(result.chunks, [])
      assert.ok(result.error instanceof TypeError)
      await nextTurn()
      assert.equal([observed.pulled, observed.ended], [1, 1])
    }
  })
  test('a later element fails after the others and closes the source once', async () => {
    const { source, counts } = scriptedSource(
      immediate('a'),
      () => nextTurn().then(immediate('b')),
      () => nextTurn().then(immediate(3)),
    )
    const chunks = coalesce(source, unframed)
    const result = await drain(chunks)
    assert.is(textOf(result), 'ab')
    assert.ok(result.error instanceof TypeError)
    chunks.close()
    chunks.close()
    assert.equal(counts, { reads: 3, closes: 1 })
  })
})

describe('close of a coalesced stream', (test) => {
  test('close before the first read closes the source once', () => {
    const { source, counts } = scriptedSource()
    const chunks = coalesce(source, json)
    chunks.close()
    chunks.close()
    assert.equal(counts, { reads: 0, closes: 1 })
  })
  test('close during a read ends the stream immediately', async () => {
    const { source, counts } = scriptedSource(never)
    const chunks = coalesce(source, json)
    const next = chunks.next()
    chunks.close()
    assert.equal(await next, { done: true, value: undefined })
    assert.equal(counts, { reads: 1, closes: 1 })
  })
  test('elements that arrive after close are discarded', async () => {
    let resolveRead: ((value: IteratorResult<unknown>) => void) | undefined
    let written = 0
    const { source, counts } = scriptedSource(
      () => new Promise((resolve) => (resolveRead = resolve)),
    )
    const chunks = coalesce(
      source,
      jsonLines(() => String(++written)),
    )
    void chunks.next()
    chunks.close()
    resolveRead?.({ done: false, value: 1 })
    await nextTurn()
    assert.equal([counts.reads, written], [1, 0])
    assert.equal(await chunks.next(), { done: true, value: undefined })
  })
  test('close ignores errors of the source', async () => {
    for (const close of [throwing, rejecting]) {
      const chunks = coalesce({ next: never, return: close }, json)
      void chunks.next()
      chunks.close()
      await nextTurn()
    }
  })
  test('a source that closes the stream is closed after its read', async () => {
    let ended = 0
    let chunks: ChunkSource | undefined
    function* source() {
      try {
        yield 1
        chunks?.close()
        yield 2
      } finally {
        ended++
      }
    }
    chunks = coalesce(openSource(source()), json)
    await drain(chunks)
    assert.is(ended, 1)
  })
  test('elements are discarded if the function that writes them closes the stream', async () => {
    const { source, counts } = scriptedSource(immediate(1), immediate(2))
    const chunks: ChunkSource = coalesce(
      source,
      jsonLines((element) => {
        if (element === 2) chunks.close()
        return String(element)
      }),
    )
    assert.is(textOf(await drain(chunks)), '')
    assert.equal(counts, { reads: 2, closes: 1 })
  })
  test('close after the end does not close the source', async () => {
    const { source, counts } = scriptedSource(immediate(1), end)
    const chunks = coalesce(source, json)
    await drain(chunks)
    chunks.close()
    assert.is(counts.closes, 0)
  })
})
