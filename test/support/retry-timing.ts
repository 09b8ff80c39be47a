/** Repeats timing-sensitive tests on a busy machine. */

/** How often something is tried. */
const most = 5

/**
 * Runs what holds only as long as nothing else holds the event loop for so many milliseconds. When it fails, and the loop was
 * held for longer meanwhile, nothing is known, and it is run again. What holds the loop itself at first calls `fromNow` behind it.
 */
export const undisturbed = async (
  longest: number,
  run: (fromNow: () => void) => Promise<void>,
): Promise<void> => {
  for (let time = 1; ; time++) {
    let held = 0
    let before = performance.now()
    const look = (): void => {
      const now = performance.now()
      held = Math.max(held, now - before)
      before = now
    }
    const looking = setInterval(look, 5)
    try {
      return await run(() => {
        before = performance.now()
        held = 0
      })
    } catch (error) {
      look()
      if (held <= longest || time === most) throw error
    } finally {
      clearInterval(looking)
    }
  }
}
