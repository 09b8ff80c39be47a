/** The one timer of all event streams, and of all responses that have to begin in time, R22. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { IntervalTimer } from '../../src/interpreter/interval-timer.ts'
import { describe } from '../support/describe.ts'
import { until } from '../support/workers.ts'

const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

const interval = 40

const waiting = (called: string[], name: string) => ({ due: () => void called.push(name) })

describe('Clock', (test) => {
  test('calls who has waited, once, in order', async () => {
    const clock = new IntervalTimer(interval)
    const called: string[] = []
    const [a, b] = [waiting(called, 'a'), waiting(called, 'b')]
    clock.enter()
    clock.enter()
    clock.wait(a)
    clock.wait(b)
    clock.wait(a)
    await wait(3 * interval)
    assert.equal(called, ['b', 'a'])
    clock.leave(a)
    clock.leave(b)
  })
  test('does not call before the time is over, and not who rests or has left', async () => {
    const clock = new IntervalTimer(interval)
    const called: string[] = []
    const [a, b, c] = [waiting(called, 'a'), waiting(called, 'b'), waiting(called, 'c')]
    for (const one of [a, b, c]) {
      clock.enter()
      clock.wait(one)
    }
    for (let step = 0; step < 8; step++) {
      await wait(interval / 4)
      clock.wait(a)
      if (step === 0) clock.rest(b)
      if (step === 0) clock.leave(c)
    }
    assert.equal(called, [])
    await wait(2 * interval)
    assert.equal(called, ['a'])
    clock.leave(a)
    clock.leave(b)
    assert.is(clock.present, 0)
  })
  test('goes on when the last to leave is followed by another while it rings', async () => {
    const clock = new IntervalTimer(interval)
    const called: string[] = []
    const [second, third] = [waiting(called, 'second'), waiting(called, 'third')]
    const first = {
      due: () => {
        called.push('first')
        clock.leave(first)
        clock.enter()
        clock.wait(second)
      },
    }
    clock.enter()
    clock.wait(first)
    await until(() => called.length === 2)
    clock.leave(second)
    assert.equal([clock.present, clock.isSet], [0, false])
    clock.enter()
    clock.wait(third)
    clock.leave(third)
    await wait(2 * interval)
    assert.equal(called, ['first', 'second'])
  })
  test('has one timer for a thousand, that counts for nothing, and none for nobody', async () => {
    const clock = new IntervalTimer(60_000)
    const all = Array.from({ length: 1000 }, () => waiting([], ''))
    const before = timers()
    for (const one of all) {
      clock.enter()
      clock.wait(one)
    }
    // what does not keep the process alive is not counted: a reference makes it show
    assert.is(timers(), before)
    assert.is(clock.isSet, true)
    for (const one of all) clock.leave(one)
    assert.is(clock.isSet, false)
  })
})
