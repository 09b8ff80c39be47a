/** Repeats timing-sensitive tests that fail because the event loop was delayed. */

/** Maximum number of attempts. */
const maxAttempts = 5

/**
 * Runs a test that requires a responsive event loop. If it fails and the event loop was delayed by more than `maxDelay`
 * milliseconds meanwhile, the test is repeated. A test that blocks the event loop itself calls `reset` afterwards. `attempt` is 1 at first;
 * a test can multiply its waiting times with it.
 */
export const retryWhenDelayed = async (
  maxDelay: number,
  run: (reset: () => void, attempt: number) => Promise<void>,
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    let delay = 0
    let before = performance.now()
    const measure = (): void => {
      const now = performance.now()
      delay = Math.max(delay, now - before)
      before = now
    }
    const timer = setInterval(measure, 5)
    try {
      return await run(() => {
        before = performance.now()
        delay = 0
      }, attempt)
    } catch (error) {
      measure()
      if (delay <= maxDelay || attempt === maxAttempts) throw error
    } finally {
      clearInterval(timer)
    }
  }
}
