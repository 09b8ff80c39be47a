/** Relays, which connect the broadcasters of several processes. */

/** A publish-subscribe channel between processes, for example of Redis or PostgreSQL. */
export interface Relay {
  /** Sends a text to all subscribers, including those in this process, in the same order for each. */
  readonly publish: (text: string) => unknown
  /** Calls `receive` with each text. Returns a function that unsubscribes. */
  readonly subscribe: (receive: (text: string) => void) => () => void
}

/**
 * Creates a relay within one process, for tests and for several broadcasters with the same events.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { inProcess } from 'espalier'
 *
 * const relay = inProcess()
 * const received: string[] = []
 * const unsubscribe = relay.subscribe((text) => void received.push(text))
 * relay.publish('a')
 * unsubscribe()
 * relay.publish('b')
 *
 * assert.deepEqual(received, ['a'])
 * ```
 */
export const inProcess = (): Relay => {
  const listeners = new Set<(text: string) => void>()
  return {
    publish: (text) => {
      for (const receive of listeners) receive(text)
    },
    subscribe: (receive) => {
      // a function may subscribe several times
      const listener = (text: string): void => receive(text)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
