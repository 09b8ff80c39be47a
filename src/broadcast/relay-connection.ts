/** The connection of a broadcaster to its relay. */
import type { Relay, RelayMessage } from '../endpoint/definition/relay.ts'
import { isPromise } from '../http/platform-value.ts'
import { isAfter, isPosition } from './position.ts'

interface Listener {
  /** Called with each message that is published after `connect`, in the order of the positions. */
  readonly onMessage: (message: RelayMessage) => void
  /** Called with an error for each invalid message. */
  readonly onRejected: (error: unknown) => void
  /** Called with the error of `connect`. The subscriptions of the broadcaster receive no messages. */
  readonly onFailure: (error: unknown) => void
}

/** Subscribes to a relay on first use, and checks its messages. */
export class RelayConnection {
  readonly #relay: Relay
  readonly #listener: Listener
  #controller = new AbortController()
  /** `true` if connected. */
  #state: Promise<void> | boolean = false
  /** The position of the last message. */
  #last: string | undefined

  constructor(relay: Relay, listener: Listener) {
    this.#relay = relay
    this.#listener = listener
  }

  /**
   * Subscribes to the relay, unless this was already done. Afterwards, no message is missed. Throws or rejects if the relay is
   * not available; the next call tries again.
   */
  connect(): void | Promise<void> {
    if (typeof this.#state !== 'boolean') return this.#state
    if (this.#state) return undefined
    this.#controller = new AbortController()
    const { signal } = this.#controller
    const receive = (message: RelayMessage): void => this.#receive(message, signal)
    const started = this.#subscribe(receive, this.#last, signal)
    this.#state = true
    if (!isPromise(started)) return undefined
    return (this.#state = started.then(
      () => void (this.#state = true),
      (error: unknown) => {
        this.close()
        this.#listener.onFailure(error)
        throw error
      },
    ))
  }

  /** Publishes a text. Rejects if the relay is not available, or does not return a position. */
  async publish(text: string): Promise<void> {
    const connecting = this.connect()
    if (connecting !== undefined) await connecting
    const position: unknown = await this.#relay.publish(text)
    if (!isPosition(position))
      throw invalidRelay(
        'publish must return the position of the message, such as "42" or "1700000000000-0"',
      )
  }

  /** Calls `onMessage` with the existing messages after a position, until the signal is aborted. Resolves when there are no more. */
  async history(
    after: string,
    onMessage: (message: RelayMessage) => void,
    signal: AbortSignal,
  ): Promise<void> {
    let last = after
    const receive = (message: RelayMessage): void => {
      if (signal.aborted || !this.#isValid(message) || !isAfter(message.id, last)) return
      last = message.id
      onMessage(message)
    }
    await this.#subscribe(receive, after, signal)
  }

  close(): void {
    this.#controller.abort()
    this.#state = false
  }

  #subscribe(
    receive: (message: RelayMessage) => void,
    after: string | undefined,
    signal: AbortSignal,
  ): void | Promise<void> {
    const started: unknown = this.#relay.subscribe(receive, { after, signal })
    if (typeof started === 'function')
      throw invalidRelay(
        'subscribe must end when its signal is aborted, and must return undefined or a promise',
      )
    return isPromise(started) ? started.then(() => undefined) : undefined
  }

  #receive(message: RelayMessage, signal: AbortSignal): void {
    if (signal.aborted || !this.#isValid(message)) return
    if (this.#last !== undefined && !isAfter(message.id, this.#last))
      return this.#listener.onRejected(
        new RangeError(
          'invalid message from the relay: its position must be after the previous one',
        ),
      )
    this.#last = message.id
    this.#listener.onMessage(message)
  }

  #isValid(message: unknown): boolean {
    if (isMessage(message)) return true
    this.#listener.onRejected(
      invalidRelay(
        'receive must be called with { id, text }, where id is the position of the message',
      ),
    )
    return false
  }
}

const isMessage = (message: unknown): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'id' in message &&
  isPosition(message.id) &&
  'text' in message &&
  typeof message.text === 'string'

const invalidRelay = (expected: string): TypeError => new TypeError(`invalid relay: ${expected}`)
