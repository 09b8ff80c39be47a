/** Relays, which connect the broadcasters of all instances through the parent process. */
import type { Relay, RelayMessage } from '../../endpoint/definition/relay.ts'
import type { PublishedText, RelayedText } from './instance-messages.ts'
import { instanceVariable, isToInstance } from './instance-messages.ts'

type Receive = (message: RelayMessage) => void

/** The subscribers in this process, by the name of their relay. */
const subscribers = new Map<string, Set<Receive>>()

/** The publications of this instance that the parent process has not yet relayed. */
const pending = new Map<string, { resolve: (id: string) => void; reject: (error: Error) => void }>()

/** The functions that send a text to the instances of this process. */
const forwarders = new Set<(message: RelayedText) => void>()

/** The number of texts that this process has published, and that it has relayed. */
const count = { published: 0, relayed: 0 }

/** Positions begin with the start of the process, so that they increase when the program is started again. */
const epoch = Math.floor(performance.timeOrigin)

/** Assigns a position to a text, and delivers it to the subscribers in this process and to its instances. Returns the position. */
export const distribute = (published: PublishedText): string => {
  const message = { ...published, id: `${epoch}-${++count.relayed}` }
  for (const forward of forwarders) forward(message)
  deliver(message)
  return message.id
}

const deliver = ({ channel, id, text }: RelayedText): void => {
  for (const receive of subscribers.get(channel) ?? []) receive({ id, text })
}

/** Adds a function that sends relayed texts to instances. Returns a function that removes it. */
export const addForwarder = (forward: (message: RelayedText) => void): (() => void) => {
  forwarders.add(forward)
  return () => void forwarders.delete(forward)
}

const onMessage = (message: unknown): void => {
  if (!isToInstance(message) || message.espalier !== 'relay') return
  deliver(message)
  const publication = pending.get(message.publication)
  pending.delete(message.publication)
  publication?.resolve(message.id)
  updateListeners()
}

const onDisconnect = (): void => {
  const error = new Error('the parent process, which relays events, has ended')
  for (const { reject } of pending.values()) reject(error)
  pending.clear()
  updateListeners()
}

/** Listens to messages of the parent process while there are subscribers or pending publications. */
const updateListeners = (): void => {
  process.off('message', onMessage)
  process.off('disconnect', onDisconnect)
  if (!hasParent() || subscribers.size + pending.size === 0) return
  process.on('message', onMessage)
  process.on('disconnect', onDisconnect)
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
 * The relay has no history: broadcasters replay only events that they have kept. On worker threads, which run blocking operations,
 * `publish` and `subscribe` throw an error.
 */
export const instanceRelay = (name: string): Relay => ({
  publish: (text) => {
    assertMainThread()
    const publication = `${process.pid}-${++count.published}`
    const message: PublishedText = { espalier: 'relay', channel: name, text, publication }
    if (!hasParent()) return distribute(message)
    // the parent process sends the text back with its position, so that all processes receive the same order
    return new Promise<string>((resolve, reject) => {
      pending.set(publication, { resolve, reject })
      updateListeners()
      process.send?.(message, undefined, undefined, (error: Error | null) => {
        if (error === null || !pending.delete(publication)) return
        reject(error)
        updateListeners()
      })
    })
  },
  subscribe: (receive, { signal }) => {
    assertMainThread()
    if (signal.aborted) return
    // the same function can be subscribed several times
    const listener: Receive = (message) => receive(message)
    const group = subscribers.get(name) ?? new Set()
    subscribers.set(name, group.add(listener))
    updateListeners()
    signal.addEventListener(
      'abort',
      () => {
        group.delete(listener)
        if (group.size > 0) return
        subscribers.delete(name)
        updateListeners()
      },
      { once: true },
    )
  },
})

const assertMainThread = (): void => {
  // loaded on first use
  if (!process.getBuiltinModule('node:worker_threads').isMainThread)
    throw new Error(
      'instanceRelay cannot be used on a worker thread: publish in an operation that is not blocking',
    )
}
