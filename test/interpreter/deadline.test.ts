import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { IntervalTimer, SeparateTimer, timerByInterval } from '../../src/interpreter/deadline.ts'
import { describe } from '../support/describe.ts'
import { waitUntil } from '../support/workers.ts'

const activeTimers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

const interval = 40

const entryOf = (called: string[], name: string) => ({ onTimeout: () => void called.push(name) })

describe('IntervalTimer', (test) => {
  test('calls each entry once, in the order of their last restart', async () => {
    const timer = new IntervalTimer(interval)
    const called: string[] = []
    const [a, b] = [entryOf(called, 'a'), entryOf(called, 'b')]
    timer.register()
    timer.register()
    timer.restart(a)
    timer.restart(b)
    timer.restart(a)
    await wait(3 * interval)
    assert.equal(called, ['b', 'a'])
    timer.unregister(a)
    timer.unregister(b)
  })
  test('does not call entries before the interval is over, or paused and unregistered entries', async () => {
    const timer = new IntervalTimer(interval)
    const called: string[] = []
    const [a, b, c] = [entryOf(called, 'a'), entryOf(called, 'b'), entryOf(called, 'c')]
    for (const entry of [a, b, c]) {
      timer.register()
      timer.restart(entry)
    }
    for (let step = 0; step < 8; step++) {
      await wait(interval / 4)
      timer.restart(a)
      if (step === 0) timer.pause(b)
      if (step === 0) timer.unregister(c)
    }
    assert.equal(called, [])
    await wait(2 * interval)
    assert.equal(called, ['a'])
    timer.unregister(a)
    timer.unregister(b)
    assert.is(timer.size, 0)
  })
  test('stays active if a callback unregisters the last entry and registers another one', async () => {
    const timer = new IntervalTimer(interval)
    const called: string[] = []
    const [second, third] = [entryOf(called, 'second'), entryOf(called, 'third')]
    const first = {
      onTimeout: () => {
        called.push('first')
        timer.unregister(first)
        timer.register()
        timer.restart(second)
      },
    }
    timer.register()
    timer.restart(first)
    await waitUntil(() => called.length === 2)
    timer.unregister(second)
    assert.equal([timer.size, timer.isActive], [0, false])
    timer.register()
    timer.restart(third)
    timer.unregister(third)
    await wait(2 * interval)
    assert.equal(called, ['first', 'second'])
  })
  test('uses one unreferenced timer for 1000 entries, and none without entries', async () => {
    const timer = new IntervalTimer(60_000)
    const entries = Array.from({ length: 1000 }, () => entryOf([], ''))
    const before = activeTimers()
    for (const entry of entries) {
      timer.register()
      timer.restart(entry)
    }
    // unreferenced timers are not counted
    assert.is(activeTimers(), before)
    assert.is(timer.isActive, true)
    for (const entry of entries) timer.unregister(entry)
    assert.is(timer.isActive, false)
  })
})

describe('SeparateTimer', (test) => {
  test('calls each restarted entry once, and neither paused nor unregistered entries', async () => {
    const timer = new SeparateTimer(interval)
    const called: string[] = []
    const [a, b, c] = [entryOf(called, 'a'), entryOf(called, 'b'), entryOf(called, 'c')]
    for (const entry of [a, b, c]) {
      timer.register()
      timer.restart(entry)
    }
    timer.restart(a)
    timer.pause(b)
    timer.unregister(c)
    await waitUntil(() => called.length > 0)
    timer.restart(a)
    await waitUntil(() => called.length > 1)
    assert.equal(called, ['a', 'a'])
  })
  test('does not keep the process alive', () => {
    const timer = new SeparateTimer(60_000)
    const before = activeTimers()
    const entries = [entryOf([], 'a'), entryOf([], 'b')]
    for (const entry of entries) timer.restart(entry)
    // timers that do not keep the process alive are not listed
    assert.is(activeTimers(), before)
    for (const entry of entries) timer.unregister(entry)
  })
  test('is selected if timers are separate', () => {
    assert.instance(timerByInterval(true)(interval), SeparateTimer)
    assert.instance(timerByInterval()(interval), IntervalTimer)
    assert.is(timerByInterval(true)(0), undefined)
  })
})
