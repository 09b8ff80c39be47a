import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import type { ClientError } from '../../../src/client/client-error.ts'
import { timeout } from '../../../src/client/policy/timeout.ts'
import {
  fakeBody,
  expectError,
  readError,
  manualTransport,
  requestTo,
  responseOf,
  expectResponse,
  send,
  fakeTransport,
  readText,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises, fakeClock } from '../fake-clock.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('timeout', (test) => {
  test('a request without a response in time fails with TimedOut and is aborted', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const result = send(timeout('2s', { clock }), network)
    await clock.advance(1999)
    assert.is(network.sent[0]?.signal?.aborted, false)
    await clock.advance(1)
    const failure = expectError(await result)
    assert.equal([failure._tag, failure.message], ['TimedOut', 'books.get: no response within 2s'])
    assert.is(network.sent[0]?.signal?.aborted, true)
    assert.is(network.sent[0]?.signal?.reason, failure)
    assert.is((failure.cause as Error).name, 'TimeoutError')
    assert.is(clock.timerCount(), 0)
  })
  test('a transport that ignores its signal does not delay the timeout, and its late response is discarded', async () => {
    const clock = fakeClock()
    const late = fakeBody('late', '…')
    const network = fakeTransport(
      () =>
        new Promise((resolve) => clock.after(5000, () => resolve(responseOf(200, [], late.body)))),
    )
    const result = send(timeout('2s', { clock }), network)
    await clock.advance(2000)
    assert.is(statusOrTag(await result), 'TimedOut')
    assert.not(late.isCancelled())
    await clock.advance(3000)
    assert.ok(late.isCancelled())
  })
  test('a response in time leaves no timers or listeners', async () => {
    const clock = fakeClock()
    const { signal } = new AbortController()
    const content = fakeBody('one', 'two')
    const network = fakeTransport(() => responseOf(200, [], content.body))
    const result = await send(timeout('2s', { clock }), network, requestTo(undefined, { signal }))
    assert.is(clock.timerCount(), 0)
    assert.is(listeners(signal), 1, 'the body is pending')
    assert.is(await readText(expectResponse(result).body), 'onetwo')
    await flushPromises()
    assert.is(listeners(signal), 0)
  })
  test('a response without a body, an error and a cancelled body leave no timers or listeners', async () => {
    const { signal } = new AbortController()
    const clock = fakeClock()
    const request = requestTo(undefined, { signal })
    await send(
      timeout(2000, { clock }),
      fakeTransport(() => responseOf(204)),
      request,
    )
    await send(
      timeout(2000, { clock }),
      fakeTransport(() => Promise.reject(new Error())),
      request,
    )
    const result = await send(
      timeout(2000, { clock, covers: 'body' }),
      fakeTransport(() => responseOf(200, [], fakeBody('…').body)),
      request,
    )
    assert.equal([clock.timerCount(), listeners(signal)], [1, 1])
    await expectResponse(result).body?.cancel()
    assert.equal([clock.timerCount(), listeners(signal)], [0, 0])
  })
  test('the body may take longer than the limit by default', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => responseOf(200, [], fakeBody('slow').body))
    const { body } = expectResponse(await send(timeout('PT2S', { clock }), network))
    await clock.advance(10_000)
    assert.is(await readText(body), 'slow')
  })
  test('with covers: body, a body that takes too long fails with TimedOut', async () => {
    const clock = fakeClock()
    const content = fakeBody('slow', '…')
    const network = fakeTransport(() => responseOf(200, [], content.body))
    const policy = timeout('2s', { clock, covers: 'body' })
    const { body } = expectResponse(await send(policy, network))
    const failure = readError(body)
    await clock.advance(2000)
    assert.is(((await failure) as ClientError)._tag, 'TimedOut')
    assert.ok(content.isCancelled())
    assert.is(clock.timerCount(), 0)
  })
  test('an abort of the caller aborts the request, and the body while it is read', async () => {
    const clock = fakeClock()
    const caller = new AbortController()
    const network = fakeTransport(() => responseOf(200, [], fakeBody('a', '…').body))
    const request = requestTo(undefined, { signal: caller.signal })
    const { body } = expectResponse(await send(timeout('2s', { clock }), network, request))
    caller.abort('enough')
    assert.is(network.sent[0]?.signal?.reason, 'enough')
    await body?.cancel()

    const early = manualTransport()
    assert.is(statusOrTag(await send(timeout('2s', { clock }), early, request)), 'Aborted')
    assert.is(clock.timerCount(), 0)
  })
})

describe('timeout: durations', (test) => {
  table(test, [['soon'], [-1], [0], ['0s'], [1.5], [Infinity], ['30d']] as const, (duration) =>
    assert.throws(() => timeout(duration), RangeError),
  )
})
