/** Waits for conditions. A fixed time is too short on a busy machine, and too long on all others. */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'

/** Milliseconds after which a condition fails. */
const limit = 20_000

/** Resolves as soon as a condition is true. Rejects if it does not become true within 20 s. */
export const waitUntil = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + limit
  while (!(await condition())) {
    if (performance.now() > end)
      throw new Error(`the condition did not become true within ${limit} ms: ${String(condition)}`)
    await wait(2)
  }
}

/**
 * Resolves after some turns of the event loop. A server of this process has then handled the data that a socket of this process has
 * sent. For tests that something does not happen.
 */
export const turns = async (count = 20): Promise<void> => {
  for (let n = 0; n < count; n++) await turn()
}

/** Resolves to a value as soon as it has been the same for 100 ms. For sources that are paused, since no event reports that. */
export const stable = async (value: () => number): Promise<number> => {
  let [last, since] = [value(), performance.now()]
  await waitUntil(() => {
    if (value() !== last) [last, since] = [value(), performance.now()]
    return performance.now() - since >= 100
  })
  return last
}
