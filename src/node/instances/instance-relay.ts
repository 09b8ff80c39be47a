/** Relays, which connect the broadcasters of all instances through the parent process. */
import type { RelayedText } from './instance-messages.ts'
import { instanceVariable, isToInstance } from './instance-messages.ts'

/** A relay between the processes of a program. It is a `Relay` of a broadcaster. */
export interface InstanceRelay {
  /** Sends a text to all subscribers of the relay in all processes, including this one. */
  readonly publish: (text: string) => unknown
  /** Subscribes to the relay. Returns a function that unsubscribes. */
  readonly subscribe: (receive: (text: string) => void) => () => void
}

type Receive = (text: string) => void

/** The subscribers in this process, by the name of their relay. */
const subscribers = new Map<string, Set<Receive>>()

/** The functions that send a text to the instances of this process. */
const forwarders = new Set<(message: RelayedText) => void>()

/** Delivers a text to the subscribers in this process, and to its instances. */
export const distribute = (message: RelayedText): void => {
  for (const forward of forwarders) forward(message)
  for (const receive of subscribers.get(message.channel) ?? []) receive(message.text)
}

/** Adds a function that sends relayed texts to instances. Returns a function that removes it. */
export const addForwarder = (forward: (message: RelayedText) => void): (() => void) => {
  forwarders.add(forward)
  return () => void forwarders.delete(forward)
}

const onMessage = (message: unknown): void => {
  if (isToInstance(message) && message.espalier === 'relay') distribute(message)
}

/** Whether this process is an instance that is connected to its parent process. */
const hasParent = (): boolean =>
  process.env[instanceVariable] !== undefined &&
  process.connected &&
  // loaded only in instances; the type of the module is that of an import, which has a default export
  Reflect.get(process.getBuiltinModule('node:cluster'), 'isWorker') === true

/**
 * Creates a relay that sends events to the instances of a program, and to its parent process. Broadcasters whose relays have the same
 * name receive the same events, in the same order. In a program without instances, the relay connects the broadcasters of the
 * process.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { broadcaster, string } from 'espalier'
 * import { instanceRelay } from 'espalier/node'
 *
 * const news = broadcaster(string, { relay: instanceRelay('news') })
 * const events = news.subscribe()[Symbol.asyncIterator]()
 * await news.publish('Emma')
 *
 * assert.equal((await events.next()).value?.data, 'Emma')
 * ```
 *
 * On worker threads, which run blocking operations, `publish` and `subscribe` throw an error.
 */
export const instanceRelay = (name: string): InstanceRelay => ({
  publish: (text) => {
    assertMainThread()
    const message: RelayedText = { espalier: 'relay', channel: name, text }
    if (!hasParent()) return distribute(message)
    // the parent process sends the text back, so that all processes receive the same order
    return new Promise<void>((resolve, reject) => {
      process.send?.(message, undefined, undefined, (error: Error | null) =>
        error === null ? resolve() : reject(error),
      )
    })
  },
  subscribe: (receive) => {
    assertMainThread()
    // the same function can be subscribed several times
    const listener: Receive = (text) => receive(text)
    if (subscribers.size === 0 && hasParent()) process.on('message', onMessage)
    const group = subscribers.get(name) ?? new Set()
    subscribers.set(name, group.add(listener))
    return () => {
      group.delete(listener)
      if (group.size > 0) return
      subscribers.delete(name)
      if (subscribers.size === 0) process.off('message', onMessage)
    }
  },
})

const assertMainThread = (): void => {
  // loaded on first use
  if (!process.getBuiltinModule('node:worker_threads').isMainThread)
    throw new Error(
      'instanceRelay cannot be used on a worker thread: publish in an operation that is not blocking',
    )
}
