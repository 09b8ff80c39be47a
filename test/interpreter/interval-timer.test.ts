/** The one timer of all event streams, and of all responses that have to begin in time, R22. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { IntervalTimer } from '../../src/interpreter/interval-timer.ts'
import { describe } from '../support/describe.ts'
import { until } from '../support/workers.ts'

const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

const interval = 40

const waiting = (called: string[], name: string) => ({ onTimeout: () => void called.push(name) })

describe('Clock', (test) => {
  test('calls who has waited, once, in order', async () => {
    const clock = new IntervalTimer(interval)
    const called: string[] = []
    const [a, b] = [waiting(called, 'a'), waiting(called, 'b')]
    clock.register()
    clock.register()
    clock.restart(a)
    clock.restart(b)
    clock.restart(a)
    await wait(3 * interval)
    assert.equal(called, ['b', 'a'])
    clock.unregister(a)
    clock.unregister(b)
  })
  test('does not call before the time is over, and not who rests or has left', async () => {
    const clock = new IntervalTimer(interval)
    const called: string[] = []
    const [a, b, c] = [waiting(called, 'a'), waiting(called, 'b'), waiting(called, 'c')]
    for (const one of [a, b, c]) {
      clock.register()
      clock.restart(one)
    }
    for (let step = 0; step < 8; step++) {
      await wait(interval / 4)
      clock.restart(a)
      if (step === 0) clock.pause(b)
      if (step === 0) clock.unregister(c)
    }
    assert.equal(called, [])
    await wait(2 * interval)
    assert.equal(called, ['a'])
    clock.unregister(a)
    clock.unregister(b)
    assert.is(clock.size, 0)
  })
  test('goes on when the last to leave is followed by another while it rings', async () => {
    const clock = new IntervalTimer(interval)
    const called: string[] = []
    const [second, third] = [waiting(called, 'second'), waiting(called, 'third')]
    const first = {
      onTimeout: () => {
        called.push('first')
        clock.unregister(first)
        clock.register()
        clock.restart(second)
      },
    }
    clock.register()
    clock.restart(first)
    await until(() => called.length === 2)
    clock.unregister(second)
    assert.equal([clock.size, clock.isActive], [0, false])
    clock.register()
    clock.restart(third)
    clock.unregister(third)
    await wait(2 * interval)
    assert.equal(called, ['first', 'second'])
  })
  test('has one timer for a thousand, that counts for nothing, and none for nobody', async () => {
    const clock = new IntervalTimer(60_000)
    const all = Array.from({ length: 1000 }, () => waiting([], ''))
    const before = timers()
    for (const one of all) {
      clock.register()
      clock.restart(one)
    }
    // what does not keep the process alive is not counted: a reference makes it show
    assert.is(timers(), before)
    assert.is(clock.isActive, true)
    for (const one of all) clock.unregister(one)
    assert.is(clock.isActive, false)
  })
})
