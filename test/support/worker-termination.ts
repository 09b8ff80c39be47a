/** Ways in which a handler can terminate its worker or block its job. */
import { setTimeout as wait } from 'node:timers/promises'

export const deaths: Readonly<Record<string, () => unknown>> = {
  exit: () => process.exit(3),
  loop: () => {
    for (;;);
  },
  memory: () => {
    const all: unknown[] = []
    for (;;) all.push(Array.from({ length: 1e5 }, Math.random))
  },
  uncaught: async () => {
    setImmediate(() => {
      throw new Error('thrown where nobody catches')
    })
    await wait(60_000)
  },
  unhandled: async () => {
    void Promise.reject(new Error('rejected where nobody listens'))
    await wait(60_000)
  },
  overflow: () => {
    const deeper = (n: number): number => 1 + deeper(n + 1)
    return deeper(0)
  },
  throw: () => {
    throw new Error('thrown')
  },
  never: () => new Promise(() => undefined),
}
