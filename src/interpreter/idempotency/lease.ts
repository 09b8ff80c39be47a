/** The lease of a key in a store. While the operation runs, the lease is extended at regular intervals. */
import type { Store } from '../../endpoint/definition/store.ts'
import type { Timer } from '../event-loop.ts'
import { startTimer } from '../event-loop.ts'

/** A lease that {@link Store.acquire} has returned. Its methods never throw. Errors of the store are passed to `onError`. */
export class Lease {
  readonly #store: Store
  readonly #key: string
  readonly #token: string
  readonly #duration: number
  readonly #onError: (error: unknown) => void
  #timer: Timer | undefined = undefined
  #isEnding = false

  /** `duration` is in milliseconds. */
  constructor(
    store: Store,
    key: string,
    token: string,
    duration: number,
    onError: (error: unknown) => void,
  ) {
    this.#store = store
    this.#key = key
    this.#token = token
    this.#duration = duration
    this.#onError = onError
    this.#renewLater()
  }

  /** Stops extending the lease, which then expires unless it is completed or released. */
  stop(): void {
    this.#isEnding = true
    clearTimeout(this.#timer)
  }

  /** Stores a value for `retention` milliseconds. Resolves to `false` if the lease has expired, or if the store has failed. */
  async complete(value: Uint8Array, retention: number): Promise<boolean> {
    this.stop()
    try {
      return await this.#store.complete(this.#key, this.#token, value, retention)
    } catch (error) {
      this.#onError(error)
      return false
    }
  }

  /** Frees the key. */
  async release(): Promise<void> {
    this.stop()
    try {
      await this.#store.release(this.#key, this.#token)
    } catch (error) {
      this.#onError(error)
    }
  }

  #renewLater(): void {
    // two attempts can fail before the lease expires
    this.#timer = startTimer(() => void this.#renew(), this.#duration / 3)
  }

  async #renew(): Promise<void> {
    try {
      const isHeld = await this.#store.renew(this.#key, this.#token, this.#duration)
      if (isHeld && !this.#isEnding) this.#renewLater()
    } catch (error) {
      this.#onError(error)
      if (!this.#isEnding) this.#renewLater()
    }
  }
}
