import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import {
  createTimeLimit,
  parseTimeout,
  resolveTimeLimit,
  sleep,
  systemClock,
  toMilliseconds,
} from '../../src/client/timer.ts'
import { describe, table } from '../support/describe.ts'
import { retryWhenDelayed } from '../support/retry-timing.ts'
import { waitUntil } from '../support/wait-until.ts'
import { fakeClock } from './fake-clock.ts'

/** Returns the number of timers that keep the process running. */
const activeTimers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

describe('systemClock', (test) => {
  test('after calls the function when the time has elapsed, and not before', async () => {
    const start = performance.now()
    const elapsed = await new Promise<number>((resolve) => {
      systemClock.after(40, () => resolve(performance.now() - start))
    })
    assert.ok(elapsed >= 39, String(elapsed))
  })
  test('after does not call the function of a cancelled timer', async () => {
    const before = activeTimers()
    let calls = 0
    const cancel = systemClock.after(20, () => calls++)
    assert.is(activeTimers(), before + 1)
    cancel()
    cancel()
    assert.is(activeTimers(), before)
    await wait(60)
    assert.is(calls, 0)
  })
  test('after handles events that arrived while the process was busy before late timers', () =>
    // on a busy machine, the event may take longer
    retryWhenDelayed(0, async (_, attempt) => {
      let calls = ''
      const cancel = systemClock.after(50, () => (calls += 'a'))
      systemClock.after(50, () => (calls += 'b'))
      void stat(import.meta.filename).then(cancel)
      for (const start = performance.now(); performance.now() < start + 150 * attempt;) calls = ''
      await waitUntil(() => calls !== '')
      assert.is(calls, 'b')
    }))
  test('now returns the milliseconds since the Unix epoch', () => {
    assert.ok(Math.abs(systemClock.now() - Date.now()) < 60_000)
  })
})

describe('sleep', (test) => {
  test('resolves to true when the time has elapsed', async () => {
    const clock = fakeClock()
    const slept = sleep(clock, 1000, undefined)
    await clock.advance(1000)
    assert.is(await slept, true)
  })
  test('resolves to false when the signal aborts, and removes its timer', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const slept = sleep(clock, 1000, controller.signal)
    controller.abort()
    assert.is(await slept, false)
    assert.is(clock.timerCount(), 0)
    assert.is(await sleep(clock, 1000, controller.signal), false)
  })
})

const expected = 'a duration of at most 24 days (such as 10s, 500ms or PT30M)'

describe('durations', (test) => {
  table(
    test,
    [
      ['10s', 10_000],
      ['PT1M', 60_000],
      [5, 5],
      [0, 0],
    ] as const,
    (duration, milliseconds) => assert.is(toMilliseconds('option', duration), milliseconds),
  )
  test('toMilliseconds with an invalid duration throws a RangeError that names the option', () =>
    assert.throws(
      () => toMilliseconds('retry.retryAfter', 'soon'),
      (error: unknown) =>
        error instanceof RangeError &&
        error.message === `retry.retryAfter must be ${expected}, got "soon"`,
    ))
  test('createTimeLimit with 0 throws a RangeError', () =>
    assert.throws(
      () => createTimeLimit(0),
      (error: unknown) =>
        error instanceof RangeError && error.message === 'timeout must be greater than 0 ms',
    ))
  test('createTimeLimit formats the duration in its shortest form', () =>
    assert.is(createTimeLimit('60s').text, '1m'))
  test('parseTimeout returns a description of the expected value for an invalid duration', () =>
    assert.equal(parseTimeout(-1), E.left(`must be ${expected}, got -1`)))
  test('parseTimeout with false returns no limit', () =>
    assert.equal(parseTimeout(false), E.right(undefined)))
  test('resolveTimeLimit prefers the limit of the request, and false disables the limit', () => {
    const limit = createTimeLimit('1s')
    assert.is(resolveTimeLimit(undefined, limit), limit)
    assert.is(resolveTimeLimit('2s', limit)?.milliseconds, 2000)
    assert.is(resolveTimeLimit(false, limit), undefined)
  })
})
