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

/**
 * Resolves to a value as soon as it has been the same for `duration` milliseconds, and in ten turns of the event loop. For sources that
 * are paused, since no event reports that. Default: 100.
 */
export const stable = async (value: () => number, duration = 100): Promise<number> => {
  let [last, since, times] = [value(), performance.now(), 0]
  await waitUntil(() => {
    if (value() === last) times++
    else [last, since, times] = [value(), performance.now(), 0]
    return times > 10 && performance.now() - since >= duration
  })
  return last
}
