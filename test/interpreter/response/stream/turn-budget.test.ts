import * as assert from 'uvu/assert'
import { TurnBudget } from '../../../../src/interpreter/response/stream/turn-budget.ts'
import { describe } from '../../../support/describe.ts'
import { hold } from '../../../support/block-thread.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('TurnBudget', (test) => {
  test('has time at the start of each turn, and none after some milliseconds', async () => {
    const budget = new TurnBudget()
    assert.equal([budget.hasTime(0), budget.hasTime(4), budget.hasTime(6)], [true, true, false])
    await turn()
    assert.equal([budget.hasTime(6), budget.hasTime(8)], [true, true])
  })
  test('lets no chunk begin in the second half of the shared time', async () => {
    const budget = new TurnBudget()
    assert.is(budget.canBegin(), true)
    hold(2)
    assert.equal([budget.canBegin(), budget.hasTime()], [false, true])
    await turn()
    assert.is(budget.canBegin(), true)
  })
  test('runs deferred functions in FIFO order, as many in a turn as there is time for', async () => {
    const budget = new TurnBudget()
    const calls: string[] = []
    let turns = 0
    const look = (): void => {
      turns++
      if (calls.length < 4) setImmediate(look)
    }
    setImmediate(look)
    for (const name of ['a', 'b', 'c', 'd'])
      budget.defer(() => {
        calls.push(name)
        hold(3)
      })
    while (calls.length < 4) await turn()
    assert.equal(calls, ['a', 'b', 'c', 'd'])
    assert.ok(turns >= 2, `${turns} turns`)
  })
  test('lets a function that defers itself wait for all others', async () => {
    const budget = new TurnBudget()
    const calls: string[] = []
    const again = (name: string) => (): void => {
      calls.push(name)
      hold(3)
      if (calls.length < 9) budget.defer(again(name))
    }
    for (const name of ['a', 'b', 'c']) budget.defer(again(name))
    while (calls.length < 9) await turn()
    assert.is(calls.slice(0, 9).join(''), 'abcabcabc')
  })
  test('calls a function after the microtasks of the one before', async () => {
    const budget = new TurnBudget()
    const calls: string[] = []
    budget.defer(() => {
      void (async () => {
        for (let index = 0; index < 100; index++) await Promise.resolve()
        calls.push('first')
      })()
    })
    budget.defer(() => calls.push('second'))
    while (calls.length < 2) await turn()
    assert.equal(calls, ['first', 'second'])
  })
})
