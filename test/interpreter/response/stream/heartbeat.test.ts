/** Comments between pieces: R-237. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { ChunkSource } from '../../../../src/interpreter/chunks.ts'
import {
  withHeartbeat,
  heartbeatTimer,
} from '../../../../src/interpreter/response/stream/heartbeat.ts'
import { describe } from '../../../support/describe.ts'

const interval = 30

type Piece = Awaited<ReturnType<ChunkSource['next']>>

/** Pieces that come when they are told to. */
const told = () => {
  const asked: Array<{ give: (piece: Piece) => void; refuse: (error: unknown) => void }> = []
  let closed = 0
  const pieces: ChunkSource = {
    length: undefined,
    next: () => new Promise((give, refuse) => void asked.push({ give, refuse })),
    close: () => void closed++,
  }
  return { pieces, asked, closed: () => closed }
}

const piece = (value: string): Piece => ({ done: false, value })
const over: Piece = { done: true, value: undefined }

describe('R-237: beating', (test) => {
  test('gives what comes in time, without a comment', async () => {
    const { pieces, asked } = told()
    const beaten = withHeartbeat(pieces, interval)
    const first = beaten.next()
    asked[0]?.give(piece('a'))
    assert.equal(await first, piece('a'))
    const second = beaten.next()
    asked[1]?.give(over)
    assert.equal(await second, over)
    beaten.close()
  })
  test('gives a comment for each interval, and asks once for what comes late', async () => {
    const { pieces, asked } = told()
    const beaten = withHeartbeat(pieces, interval)
    assert.equal(await beaten.next(), piece(':\n\n'))
    assert.equal(await beaten.next(), piece(':\n\n'))
    const late = beaten.next()
    asked[0]?.give(piece('a'))
    assert.equal(await late, piece('a'))
    assert.is(asked.length, 1)
    beaten.close()
  })
  test('keeps what comes while nobody asks', async () => {
    const { pieces, asked } = told()
    const beaten = withHeartbeat(pieces, interval)
    await beaten.next()
    asked[0]?.give(piece('a'))
    await wait(5)
    assert.equal(await beaten.next(), piece('a'))
    assert.is(asked.length, 1)
    const second = beaten.next()
    asked[1]?.give(piece('b'))
    assert.equal(await second, piece('b'))
    beaten.close()
  })
  test('keeps a failure, too', async () => {
    const { pieces, asked } = told()
    const beaten = withHeartbeat(pieces, interval)
    await beaten.next()
    asked[0]?.refuse(new Error('late'))
    await wait(5)
    const error = await beaten.next().catch((reason: unknown) => reason)
    assert.is(error instanceof Error && error.message, 'late')
    beaten.close()
  })
  test('gives nothing to somebody who does not ask', async () => {
    const { pieces, asked } = told()
    const beaten = withHeartbeat(pieces, interval)
    await wait(3 * interval)
    assert.is(asked.length, 0)
    beaten.close()
  })
  test('leaves the clock when it is closed, once', () => {
    const { pieces, closed } = told()
    const before = heartbeatTimer(interval).size
    const beaten = withHeartbeat(pieces, interval)
    void beaten.next()
    assert.is(heartbeatTimer(interval).size, before + 1)
    beaten.close()
    beaten.close()
    assert.is(heartbeatTimer(interval).size, before)
    assert.is(closed(), 1)
  })
  test('is nothing at all with an interval of 0', () => {
    const { pieces } = told()
    assert.is(withHeartbeat(pieces, 0), pieces)
  })
})
