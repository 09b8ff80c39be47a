/** Ways in which a handler can terminate its worker or block its job. */
import { setTimeout as wait } from 'node:timers/promises'

export const terminations: Readonly<Record<string, () => unknown>> = {
  exit: () => process.exit(3),
  loop: () => {
    for (;;);
  },
  memory: () => {
    const arrays: unknown[] = []
    for (;;) arrays.push(Array.from({ length: 1e5 }, Math.random))
  },
  uncaught: async () => {
    setImmediate(() => {
      throw new Error('uncaught in a worker')
    })
    await wait(60_000)
  },
  unhandled: async () => {
    void Promise.reject(new Error('unhandled in a worker'))
    await wait(60_000)
  },
  overflow: () => {
    const recurse = (n: number): number => 1 + recurse(n + 1)
    return recurse(0)
  },
  throw: () => {
    throw new Error('thrown')
  },
  never: () => new Promise(() => undefined),
}
