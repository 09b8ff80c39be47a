/**
 * Abort callbacks that share one listener per signal.
 *
 * A program may use one signal for many calls, and Node.js warns of a memory leak above ten listeners.
 */

interface Subscription {
  readonly callbacks: Set<() => void>
  readonly listener: () => void
}

const subscriptions = new WeakMap<AbortSignal, Subscription>()

/**
 * Calls `callback` once when the signal aborts; never if it has aborted before. Returns a function that removes the
 * callback. The listener is removed with the last callback.
 */
export const onAbort = (signal: AbortSignal | undefined, callback: () => void): (() => void) => {
  if (signal === undefined || signal.aborted) return ignore
  const { callbacks, listener } = subscriptions.get(signal) ?? subscribe(signal)
  callbacks.add(callback)
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return
    signal.removeEventListener('abort', listener)
    subscriptions.delete(signal)
  }
}

const ignore = (): void => undefined

const subscribe = (signal: AbortSignal): Subscription => {
  const callbacks = new Set<() => void>()
  const listener = (): void => {
    // a callback that is removed in the meantime is not visited
    for (const callback of callbacks) {
      callbacks.delete(callback)
      callback()
    }
  }
  const subscription = { callbacks, listener }
  subscriptions.set(signal, subscription)
  signal.addEventListener('abort', listener, { once: true })
  return subscription
}
