import { AsyncLocalStorage } from 'node:async_hooks'
import * as assert from 'uvu/assert'
import type { Steps } from '../../../src/codec/generated/large-values.ts'
import { runSteps } from '../../../src/interpreter/request-body/run-steps.ts'
import { TurnBudget } from '../../../src/interpreter/response/stream/turn-budget.ts'
import { describe } from '../../support/describe.ts'

/** A computation of `count` steps that calls `onStep` in each of them, and returns `count`. */
function* stepsOf(count: number, onStep: (step: number) => void): Steps<number> {
  for (let step = 0; step < count; step++) {
    onStep(step)
    yield
  }
  return count
}

/** A budget that allows a number of steps in each turn. */
const budgetOf = (stepsPerTurn: number) => {
  const budget = {
    turns: 0,
    left: stepsPerTurn,
    hasTime: () => budget.left-- > 0,
    defer: (run: () => void) => {
      setImmediate(() => {
        budget.turns++
        budget.left = stepsPerTurn
        run()
      })
    },
  }
  return budget
}

const never = (): boolean => false
const unexpected = (error: unknown): never => {
  throw error
}

describe('runSteps', (test) => {
  test('steps that fit in one turn: calls back synchronously', () => {
    let result: number | undefined
    runSteps(
      stepsOf(3, () => undefined),
      budgetOf(10),
      never,
      (value) => (result = value),
      unexpected,
    )
    assert.is(result, 3)
  })
  test('other steps run in later turns', async () => {
    const budget = budgetOf(4)
    const steps: number[] = []
    const result = await new Promise((resolve, reject) => {
      runSteps(
        stepsOf(10, (step) => steps.push(step)),
        budget,
        never,
        resolve,
        reject,
      )
      assert.ok(steps.length <= 4)
    })
    assert.is(result, 10)
    assert.is(steps.length, 10)
    assert.is(budget.turns, 2)
  })
  test('an error in a later step is passed on', async () => {
    const steps = stepsOf(10, (step) => {
      if (step === 7) throw new TypeError('failed')
    })
    const error = await new Promise((resolve, reject) =>
      runSteps(steps, budgetOf(2), never, reject, resolve),
    )
    assert.instance(error, TypeError)
  })
  test('an error in the first turn is thrown', () => {
    const steps = stepsOf(10, () => {
      throw new TypeError('failed')
    })
    assert.throws(() => runSteps(steps, budgetOf(2), never, unexpected, unexpected), 'failed')
  })
  test('no further step runs after the end of the request', async () => {
    const budget = budgetOf(2)
    let done = 0
    runSteps(
      stepsOf(10, () => done++),
      budget,
      () => budget.turns === 2,
      unexpected,
      unexpected,
    )
    while (budget.turns < 2) await new Promise((resolve) => setImmediate(resolve))
    const before = done
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.is(done, before)
    assert.ok(done < 10)
  })
  test('later turns keep the asynchronous context', async () => {
    const storage = new AsyncLocalStorage<string>()
    const budget = new TurnBudget()
    const run = (name: string) =>
      storage.run(
        name,
        () =>
          new Promise<ReadonlyArray<string | undefined>>((resolve, reject) => {
            const seen = new Set<string | undefined>()
            const steps = stepsOf(1000, () => {
              seen.add(storage.getStore())
              const end = performance.now() + 0.05
              while (performance.now() < end);
            })
            const then = (): void => resolve([...seen, storage.getStore()])
            runSteps(steps, budget, never, then, reject)
          }),
      )
    assert.equal(await Promise.all([run('a'), run('b')]), [
      ['a', 'a'],
      ['b', 'b'],
    ])
  })
})
