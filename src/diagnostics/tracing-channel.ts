/**
 * The channels on which requests and client calls are published. They are those of `node:diagnostics_channel` on runtimes that have
 * this module, and nothing is published on others.
 *
 * @see https://nodejs.org/api/diagnostics_channel.html
 */
import { canLoadModules } from '../packages/load-package.ts'

/** A named channel. */
interface Channel {
  readonly hasSubscribers: boolean
  readonly publish: (message: object) => void
  /** Publishes the message and calls `run` within the stores that subscribers have bound to the channel. */
  readonly runStores: <A>(message: object, run: () => A) => A
}

/**
 * The channels of one kind of operation.
 *
 * `end` is published when the synchronous part of the operation has ended. The operation itself ends with `asyncEnd`, which is always
 * published, even if the operation was synchronous. `error` is published at most once.
 */
export interface TracingChannel extends Readonly<
  Record<'start' | 'end' | 'asyncStart' | 'asyncEnd' | 'error', Channel>
> {
  /** Whether one of the channels has subscribers. */
  readonly hasSubscribers: boolean
}

/** Returns the channels `tracing:espalier.NAME:*`, or `undefined` if the runtime has no `node:diagnostics_channel`. */
export const tracingChannel = (name: string): TracingChannel | undefined => {
  if (!canLoadModules()) return undefined
  // the types declare the module, but runtimes other than Node.js may not have it
  const module: Partial<ReturnType<typeof diagnosticsChannel>> | undefined = diagnosticsChannel()
  return module?.tracingChannel?.<string, object>(`espalier.${name}`)
}

const diagnosticsChannel = () => process.getBuiltinModule('node:diagnostics_channel')

/** A function that calls `run` and returns its result, such as one that sets a context for the time of the call. */
export type Around = <A>(run: () => A) => A

/** Publishes one operation on its channels. */
export class Publication {
  readonly #channel: TracingChannel
  readonly #message: object
  #around: Around | undefined = undefined
  #isRunning = false
  #hasEnded = false

  constructor(channel: TracingChannel, message: object) {
    this.#channel = channel
    this.#message = message
  }

  /** Sets a function that calls the operation. If there are several, the first one is the outermost. */
  around(inner: Around): void {
    const outer = this.#around
    this.#around = outer === undefined ? inner : (run) => outer(() => inner(run))
  }

  /** Publishes `start`, calls `run`, which must not throw, and publishes `end`. */
  run<A>(run: () => A): A {
    this.#isRunning = true
    const result = this.#channel.start.runStores(this.#message, () =>
      this.#around === undefined ? run() : this.#around(run),
    )
    this.#isRunning = false
    this.#channel.end.publish(this.#message)
    if (this.#hasEnded) this.#publishEnd()
    return result
  }

  /** Publishes `error`. */
  fail(): void {
    this.#channel.error.publish(this.#message)
  }

  /** Publishes `asyncStart` and `asyncEnd`, after `end`. Only the first call has an effect. */
  finish(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    if (!this.#isRunning) this.#publishEnd()
  }

  #publishEnd(): void {
    this.#channel.asyncStart.publish(this.#message)
    this.#channel.asyncEnd.publish(this.#message)
  }
}
