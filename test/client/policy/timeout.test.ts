import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import type { ClientError } from '../../../src/client/client-error.ts'
import { timeout } from '../../../src/client/policy/timeout.ts'
import {
  contentOf,
  failureOf,
  failureOfReading,
  held,
  requestTo,
  responded,
  responseOf,
  send,
  scripted,
  textOf,
  word,
} from '../../support/client-passage.ts'
import { describe, table } from '../../support/describe.ts'
import { settled, steppedClock } from '../../support/stepped-clock.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('timeout', (test) => {
  test('R-446: what takes longer is TimedOut, and the request is aborted', async () => {
    const clock = steppedClock()
    const network = held()
    const outcome = send(timeout('2s', { clock }), network)
    await clock.pass(1999)
    assert.is(network.sent[0]?.signal?.aborted, false)
    await clock.pass(1)
    const failure = failureOf(await outcome)
    assert.equal([failure._tag, failure.message], ['TimedOut', 'books.get: no response within 2s'])
    assert.is(network.sent[0]?.signal?.aborted, true)
    assert.is(network.sent[0]?.signal?.reason, failure)
    assert.is((failure.cause as Error).name, 'TimeoutError')
    assert.is(clock.timers(), 0)
  })
  test('R-446: a passage that does not listen to its signal is not waited for, and its response is let go', async () => {
    const clock = steppedClock()
    const late = contentOf('late', '…')
    const network = scripted(
      () =>
        new Promise((resolve) => clock.after(5000, () => resolve(responded(200, [], late.body)))),
    )
    const outcome = send(timeout('2s', { clock }), network)
    await clock.pass(2000)
    assert.is(word(await outcome), 'TimedOut')
    assert.not(late.isCancelled())
    await clock.pass(3000)
    assert.ok(late.isCancelled())
  })
  test('R-446: a response in time leaves neither a timer nor a listener behind', async () => {
    const clock = steppedClock()
    const { signal } = new AbortController()
    const content = contentOf('one', 'two')
    const network = scripted(() => responded(200, [], content.body))
    const outcome = await send(timeout('2s', { clock }), network, requestTo(undefined, { signal }))
    assert.is(clock.timers(), 0)
    assert.is(listeners(signal), 1, 'content is still to come')
    assert.is(await textOf(responseOf(outcome).body), 'onetwo')
    await settled()
    assert.is(listeners(signal), 0)
  })
  test('R-446: nor does one without content, an error, or content that nobody wants', async () => {
    const { signal } = new AbortController()
    const clock = steppedClock()
    const request = requestTo(undefined, { signal })
    await send(
      timeout(2000, { clock }),
      scripted(() => responded(204)),
      request,
    )
    await send(
      timeout(2000, { clock }),
      scripted(() => Promise.reject(new Error())),
      request,
    )
    const outcome = await send(
      timeout(2000, { clock, covers: 'content' }),
      scripted(() => responded(200, [], contentOf('…').body)),
      request,
    )
    assert.equal([clock.timers(), listeners(signal)], [1, 1])
    await responseOf(outcome).body?.cancel()
    assert.equal([clock.timers(), listeners(signal)], [0, 0])
  })
  test('content may take longer than its head', async () => {
    const clock = steppedClock()
    const network = scripted(() => responded(200, [], contentOf('slow').body))
    const { body } = responseOf(await send(timeout('PT2S', { clock }), network))
    await clock.pass(10_000)
    assert.is(await textOf(body), 'slow')
  })
  test('unless the time is for the content too: then it breaks off with TimedOut', async () => {
    const clock = steppedClock()
    const content = contentOf('slow', '…')
    const network = scripted(() => responded(200, [], content.body))
    const policy = timeout('2s', { clock, covers: 'content' })
    const { body } = responseOf(await send(policy, network))
    const failure = failureOfReading(body)
    await clock.pass(2000)
    assert.is(((await failure) as ClientError)._tag, 'TimedOut')
    assert.ok(content.isCancelled())
    assert.is(clock.timers(), 0)
  })
  test('R-457: the caller aborts the request, and the content while it is read', async () => {
    const clock = steppedClock()
    const caller = new AbortController()
    const network = scripted(() => responded(200, [], contentOf('a', '…').body))
    const request = requestTo(undefined, { signal: caller.signal })
    const { body } = responseOf(await send(timeout('2s', { clock }), network, request))
    caller.abort('enough')
    assert.is(network.sent[0]?.signal?.reason, 'enough')
    await body?.cancel()

    const early = held()
    assert.is(word(await send(timeout('2s', { clock }), early, request)), 'Aborted')
    assert.is(clock.timers(), 0)
  })
})

describe('timeout: durations', (test) => {
  table(test, [['soon'], [-1], [0], ['0s'], [1.5], [Infinity], ['30d']] as const, (duration) =>
    assert.throws(() => timeout(duration), RangeError),
  )
})
