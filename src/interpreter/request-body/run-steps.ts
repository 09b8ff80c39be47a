/** Runs computations in steps, and lets the event loop turn between the steps. */
import type { Steps } from '../../codec/generated/large-values.ts'
import type { RequestState } from '../request-state.ts'
import type { TurnBudget } from '../response/stream/turn-budget.ts'

/** The request for which steps run. */
export type SteppedRequest = Pick<RequestState, 'exchange' | 'isLate' | 'fail'>

/** Runs steps for a request, until the end of its exchange or until its deadline passes. */
export const runDuringRequest = <A>(
  request: SteppedRequest,
  steps: Steps<A>,
  then: (result: A) => void,
): void => {
  const { exchange } = request
  let hasEnded = false
  exchange.onEnd(() => {
    hasEnded = true
  })
  runSteps(
    steps,
    exchange.platform.turnBudget,
    () => hasEnded || request.isLate,
    then,
    (error) => request.fail(error),
  )
}

/** Minimum size, in bytes, of bodies that are read in steps. Smaller bodies are decoded within a few milliseconds. */
export const minSteppedSize = 64 * 1024

/**
 * Runs steps as long as the budget of the event-loop turn allows, and continues in later turns. Calls `then` with the result, or
 * `failed` with an error that a step throws.
 *
 * `then` is called synchronously if all steps fit in the current turn. If `isOver` returns `true` before a later turn, the remaining
 * steps do not run and neither callback is called.
 */
export const runSteps = <A>(
  steps: Steps<A>,
  budget: Pick<TurnBudget, 'hasTime' | 'defer'>,
  isOver: () => boolean,
  then: (result: A) => void,
  failed: (error: unknown) => void,
): void => {
  const runTurn = (): IteratorResult<undefined, A> => {
    let result = steps.next()
    while (result.done !== true && budget.hasTime()) result = steps.next()
    return result
  }
  const runLater = async (): Promise<void> => {
    // awaiting preserves the asynchronous context of the request, unlike a callback of the budget
    for (;;) {
      await new Promise<void>((resolve) => budget.defer(resolve))
      if (isOver()) return
      const result = runTurn()
      if (result.done === true) return then(result.value)
    }
  }
  // the time of the turn starts before the first step
  budget.hasTime()
  const result = runTurn()
  if (result.done === true) then(result.value)
  else runLater().catch(failed)
}
