/** Carries events between processes: what one of them publishes, all of them hear. */

/** What connects the broadcasters of several processes: a channel of Redis or PostgreSQL, a parent process, and so on. */
export interface Relay {
  /** Hands a text to everybody who listens, in this process too, and to all in the same order. */
  readonly publish: (text: string) => unknown
  /** Listens from now on; what is returned ends that. */
  readonly subscribe: (receive: (text: string) => void) => () => void
}

/**
 * A relay within a process: for tests, and for broadcasters that are to say the same.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { inProcess } from 'espalier'
 *
 * const relay = inProcess()
 * const heard: string[] = []
 * const leave = relay.subscribe((text) => void heard.push(text))
 * relay.publish('a')
 * leave()
 * relay.publish('b')
 *
 * assert.deepEqual(heard, ['a'])
 * ```
 */
export const inProcess = (): Relay => {
  const listeners = new Set<(text: string) => void>()
  return {
    publish: (text) => {
      for (const receive of listeners) receive(text)
    },
    subscribe: (receive) => {
      // of a function that listens twice there are two
      const own = (text: string): void => receive(text)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
