import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { ChunkSource } from '../../../../src/interpreter/exchange.ts'
import { withKeepAlive } from '../../../../src/interpreter/response/stream/stream-response.ts'
import { describe } from '../../../support/describe.ts'
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

describe('withKeepAlive', (test) => {
  test('adds no comment to chunks in time', async () => {
    const { chunks, reads } = controlledSource()
    const withComments = withKeepAlive(chunks, ':\n\n', interval)
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
    const withComments = withKeepAlive(chunks, ':\n\n', interval)
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
    const withComments = withKeepAlive(chunks, ':\n\n', interval)
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
    const withComments = withKeepAlive(chunks, ':\n\n', interval)
    await withComments.next()
    reads[0]?.reject(new Error('late'))
    await turns()
    const error = await withComments.next().catch((reason: unknown) => reason)
    assert.is(error instanceof Error && error.message, 'late')
    withComments.close()
  })
  test('reads nothing before the first call of next', async () => {
    const { chunks, reads } = controlledSource()
    const withComments = withKeepAlive(chunks, ':\n\n', interval)
    await wait(3 * interval)
    assert.is(reads.length, 0)
    withComments.close()
  })
  test('close closes the chunks once, and stops the comments', async () => {
    const { chunks, closeCount } = controlledSource()
    const withComments = withKeepAlive(chunks, ':\n\n', interval)
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
    assert.is(withKeepAlive(chunks, ':\n\n', 0), chunks)
  })
})
