import { setTimeout as wait } from 'node:timers/promises'
import { testContext } from '../../../../src/testing.ts'
import * as assert from 'uvu/assert'
import type { ChunkSource } from '../../../../src/interpreter/chunks.ts'
import {
  withHeartbeat,
  eventStreamWriter,
} from '../../../../src/interpreter/response/stream/event-stream.ts'
import { describe } from '../../../support/describe.ts'
import { string } from '../../../../src/index.ts'
import { isChunkSource } from '../../../../src/interpreter/chunks.ts'
import { defaultSettings } from '../../../../src/compiler/settings/settings.ts'
import { exchangeOf } from '../../../support/exchange.ts'
import { turns } from '../../../support/wait-until.ts'

const interval = 30

type Chunk = Awaited<ReturnType<ChunkSource['next']>>

/** Creates a source whose reads the test settles. */
const controlledSource = () => {
  const reads: Array<{ resolve: (chunk: Chunk) => void; reject: (error: unknown) => void }> = []
  let closeCount = 0
  const chunks: ChunkSource = {
    length: undefined,
    next: () => new Promise((resolve, reject) => void reads.push({ resolve, reject })),
    close: () => void closeCount++,
  }
  return { chunks, reads, closeCount: () => closeCount }
}

const chunkOf = (value: string): Chunk => ({ done: false, value })
const end: Chunk = { done: true, value: undefined }

describe('withHeartbeat', (test) => {
  test('adds no comment to chunks in time', async () => {
    const { chunks, reads } = controlledSource()
    const withComments = withHeartbeat(chunks, interval)
    const first = withComments.next()
    reads[0]?.resolve(chunkOf('a'))
    assert.equal(await first, chunkOf('a'))
    const second = withComments.next()
    reads[1]?.resolve(end)
    assert.equal(await second, end)
    withComments.close()
  })
  test('adds a comment per interval and reads a late chunk once', async () => {
    const { chunks, reads } = controlledSource()
    const withComments = withHeartbeat(chunks, interval)
    assert.equal(await withComments.next(), chunkOf(':\n\n'))
    assert.equal(await withComments.next(), chunkOf(':\n\n'))
    const late = withComments.next()
    reads[0]?.resolve(chunkOf('a'))
    assert.equal(await late, chunkOf('a'))
    assert.is(reads.length, 1)
    withComments.close()
  })
  test('keeps a chunk that arrives between two reads', async () => {
    const { chunks, reads } = controlledSource()
    const withComments = withHeartbeat(chunks, interval)
    await withComments.next()
    reads[0]?.resolve(chunkOf('a'))
    await turns()
    assert.equal(await withComments.next(), chunkOf('a'))
    assert.is(reads.length, 1)
    const second = withComments.next()
    reads[1]?.resolve(chunkOf('b'))
    assert.equal(await second, chunkOf('b'))
    withComments.close()
  })
  test('keeps an error that arrives between two reads', async () => {
    const { chunks, reads } = controlledSource()
    const withComments = withHeartbeat(chunks, interval)
    await withComments.next()
    reads[0]?.reject(new Error('late'))
    await turns()
    const error = await withComments.next().catch((reason: unknown) => reason)
    assert.is(error instanceof Error && error.message, 'late')
    withComments.close()
  })
  test('reads nothing before the first call of next', async () => {
    const { chunks, reads } = controlledSource()
    const withComments = withHeartbeat(chunks, interval)
    await wait(3 * interval)
    assert.is(reads.length, 0)
    withComments.close()
  })
  test('close closes the chunks once, and stops the comments', async () => {
    const { chunks, closeCount } = controlledSource()
    const withComments = withHeartbeat(chunks, interval)
    let hasRead = false
    void withComments.next().then(() => (hasRead = true))
    withComments.close()
    withComments.close()
    assert.is(closeCount(), 1)
    await wait(3 * interval)
    assert.is(hasRead, false)
  })
  test('returns the same chunks for an interval of 0', () => {
    const { chunks } = controlledSource()
    assert.is(withHeartbeat(chunks, 0), chunks)
  })
})

const head = { status: 200, headers: [] }
const writeStream = eventStreamWriter(
  { _tag: 'Codec', codec: string },
  defaultSettings,
  {},
  () => String,
)
const respondWith = async (source: unknown, exchange = exchangeOf({}, () => undefined)) =>
  writeStream(source, {
    exchange,
    authenticated: undefined,
    context: testContext(),
    instance: '#1',
    prefixValues: {},
  })(head, exchange)

/** Creates a source that never yields, and counts its closes. */
const silentSource = () => {
  let closeCount = 0
  const source = {
    [Symbol.asyncIterator]: () => source,
    next: () => new Promise<never>(() => undefined),
    return: () => {
      closeCount++
      return Promise.resolve({ done: true, value: undefined })
    },
  }
  return { source, closeCount: () => closeCount }
}

describe('eventStreamWriter', (test) => {
  test('closes the source once at the end of the request', async () => {
    const { source, closeCount } = silentSource()
    const endCallbacks: Array<() => void> = []
    const exchange = exchangeOf({ onEnd: (then) => void endCallbacks.push(then) }, () => undefined)
    const { body } = await respondWith(source, exchange)
    assert.ok(isChunkSource(body))
    assert.is(closeCount(), 0)
    for (const callback of endCallbacks) callback()
    for (const callback of endCallbacks) callback()
    assert.is(closeCount(), 1)
  })
  test('closes the source at once after a disconnect', async () => {
    const { source, closeCount } = silentSource()
    const exchange = exchangeOf({ onEnd: (then) => then() }, () => undefined)
    await respondWith(source, exchange)
    assert.is(closeCount(), 1)
  })
  test('rejects a value that is not a stream source', async () => {
    const error = await respondWith('text').catch((reason: unknown) => reason)
    assert.instance(error, TypeError)
  })
})
