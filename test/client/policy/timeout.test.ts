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
  responseOutcome,
  expectResponse,
  send,
  fakeTransport,
  readText,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises, fakeClock } from '../../support/fake-clock.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('timeout', (test) => {
  test('R-446: what takes longer is TimedOut, and the request is aborted', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const outcome = send(timeout('2s', { clock }), network)
    await clock.advance(1999)
    assert.is(network.sent[0]?.signal?.aborted, false)
    await clock.advance(1)
    const failure = expectError(await outcome)
    assert.equal([failure._tag, failure.message], ['TimedOut', 'books.get: no response within 2s'])
    assert.is(network.sent[0]?.signal?.aborted, true)
    assert.is(network.sent[0]?.signal?.reason, failure)
    assert.is((failure.cause as Error).name, 'TimeoutError')
    assert.is(clock.timerCount(), 0)
  })
  test('R-446: a passage that does not listen to its signal is not waited for, and its response is let go', async () => {
    const clock = fakeClock()
    const late = fakeBody('late', '…')
    const network = fakeTransport(
      () =>
        new Promise((resolve) =>
          clock.after(5000, () => resolve(responseOutcome(200, [], late.body))),
        ),
    )
    const outcome = send(timeout('2s', { clock }), network)
    await clock.advance(2000)
    assert.is(outcomeName(await outcome), 'TimedOut')
    assert.not(late.isCancelled())
    await clock.advance(3000)
    assert.ok(late.isCancelled())
  })
  test('R-446: a response in time leaves neither a timer nor a listener behind', async () => {
    const clock = fakeClock()
    const { signal } = new AbortController()
    const content = fakeBody('one', 'two')
    const network = fakeTransport(() => responseOutcome(200, [], content.body))
    const outcome = await send(timeout('2s', { clock }), network, requestTo(undefined, { signal }))
    assert.is(clock.timerCount(), 0)
    assert.is(listeners(signal), 1, 'content is still to come')
    assert.is(await readText(expectResponse(outcome).body), 'onetwo')
    await flushPromises()
    assert.is(listeners(signal), 0)
  })
  test('R-446: nor does one without content, an error, or content that nobody wants', async () => {
    const { signal } = new AbortController()
    const clock = fakeClock()
    const request = requestTo(undefined, { signal })
    await send(
      timeout(2000, { clock }),
      fakeTransport(() => responseOutcome(204)),
      request,
    )
    await send(
      timeout(2000, { clock }),
      fakeTransport(() => Promise.reject(new Error())),
      request,
    )
    const outcome = await send(
      timeout(2000, { clock, covers: 'content' }),
      fakeTransport(() => responseOutcome(200, [], fakeBody('…').body)),
      request,
    )
    assert.equal([clock.timerCount(), listeners(signal)], [1, 1])
    await expectResponse(outcome).body?.cancel()
    assert.equal([clock.timerCount(), listeners(signal)], [0, 0])
  })
  test('content may take longer than its head', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => responseOutcome(200, [], fakeBody('slow').body))
    const { body } = expectResponse(await send(timeout('PT2S', { clock }), network))
    await clock.advance(10_000)
    assert.is(await readText(body), 'slow')
  })
  test('unless the time is for the content too: then it breaks off with TimedOut', async () => {
    const clock = fakeClock()
    const content = fakeBody('slow', '…')
    const network = fakeTransport(() => responseOutcome(200, [], content.body))
    const policy = timeout('2s', { clock, covers: 'content' })
    const { body } = expectResponse(await send(policy, network))
    const failure = readError(body)
    await clock.advance(2000)
    assert.is(((await failure) as ClientError)._tag, 'TimedOut')
    assert.ok(content.isCancelled())
    assert.is(clock.timerCount(), 0)
  })
  test('R-457: the caller aborts the request, and the content while it is read', async () => {
    const clock = fakeClock()
    const caller = new AbortController()
    const network = fakeTransport(() => responseOutcome(200, [], fakeBody('a', '…').body))
    const request = requestTo(undefined, { signal: caller.signal })
    const { body } = expectResponse(await send(timeout('2s', { clock }), network, request))
    caller.abort('enough')
    assert.is(network.sent[0]?.signal?.reason, 'enough')
    await body?.cancel()

    const early = manualTransport()
    assert.is(outcomeName(await send(timeout('2s', { clock }), early, request)), 'Aborted')
    assert.is(clock.timerCount(), 0)
  })
})

describe('timeout: durations', (test) => {
  table(test, [['soon'], [-1], [0], ['0s'], [1.5], [Infinity], ['30d']] as const, (duration) =>
    assert.throws(() => timeout(duration), RangeError),
  )
})
