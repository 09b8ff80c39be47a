import * as assert from 'uvu/assert'
import { TurnBudget } from '../../src/interpreter/event-loop.ts'
import { describe } from '../support/describe.ts'
import { blockThread } from '../support/cpu-time.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('TurnBudget', (test) => {
  test('has time for 5 ms from the start of each turn', async () => {
    const budget = new TurnBudget()
    assert.equal([budget.hasTime(0), budget.hasTime(4), budget.hasTime(6)], [true, true, false])
    await nextTurn()
    assert.equal([budget.hasTime(6), budget.hasTime(8)], [true, true])
  })
  test('canStart is false in the second half of the shared time', async () => {
    const budget = new TurnBudget()
    assert.equal([budget.canStart(0), budget.canStart(0.5)], [true, true])
    assert.equal([budget.canStart(1.5), budget.hasTime(1.5)], [false, true])
    await nextTurn()
    assert.is(budget.canStart(2), true)
  })
  test('runs deferred functions in FIFO order while there is time in a turn', async () => {
    const budget = new TurnBudget()
    const calls: string[] = []
    let turns = 0
    const countTurn = (): void => {
      turns++
      if (calls.length < 4) setImmediate(countTurn)
    }
    setImmediate(countTurn)
    for (const name of ['a', 'b', 'c', 'd'])
      budget.defer(() => {
        calls.push(name)
        blockThread(3)
      })
    while (calls.length < 4) await nextTurn()
    assert.equal(calls, ['a', 'b', 'c', 'd'])
    assert.ok(turns >= 2, `${turns} turns`)
  })
  test('a function that defers itself runs after all others', async () => {
    const budget = new TurnBudget()
    const calls: string[] = []
    const deferAgain = (name: string) => (): void => {
      calls.push(name)
      blockThread(3)
      if (calls.length < 9) budget.defer(deferAgain(name))
    }
    for (const name of ['a', 'b', 'c']) budget.defer(deferAgain(name))
    while (calls.length < 9) await nextTurn()
    assert.is(calls.slice(0, 9).join(''), 'abcabcabc')
  })
  test('calls a function after the microtasks of the previous one', async () => {
    const budget = new TurnBudget()
    const calls: string[] = []
    budget.defer(() => {
      void (async () => {
        for (let index = 0; index < 100; index++) await Promise.resolve()
        calls.push('first')
      })()
    })
    budget.defer(() => calls.push('second'))
    while (calls.length < 2) await nextTurn()
    assert.equal(calls, ['first', 'second'])
  })
})
