/**
 * Defines responses that open a `ReadableStream` only on demand, and the limits for reading a body.
 *
 * For a small response, creating a stream costs more than everything else that a client does. A buffered body needs no
 * stream.
 */
import type { TimeLimit } from '../policy/timer.ts'
import type { Headers } from '../../http/headers.ts'
import type { ClientResponse } from '../exchange.ts'

/** The error for a response body that paused for longer than the limit. */
export const idleTooLong: unique symbol = Symbol('idle too long')

/**
 * A timer that limits how long a body may pause. The timer starts when it is created, and runs until `stop` is called.
 */
export class ReadTimeout {
  readonly #limit: TimeLimit
  readonly #onExpired: () => void
  #cancel: () => void
  #isExpired = false

  /** `onExpired` is called once if the limit elapses. */
  constructor(limit: TimeLimit, onExpired: () => void) {
    this.#limit = limit
    this.#onExpired = onExpired
    this.#cancel = limit.after(this.#expire)
  }

  /** Restarts the timer when a chunk arrives. */
  restart(): void {
    this.#cancel()
    this.#cancel = this.#limit.after(this.#expire)
  }

  /** Stops the timer. Returns whether the limit has elapsed. */
  stop(): boolean {
    this.#cancel()
    return this.#isExpired
  }

  readonly #expire = (): void => {
    this.#isExpired = true
    this.#onExpired()
  }
}

/** A response body that can be read once, either with `open` or with `readAll`. */
export interface LazyBody {
  readonly open: () => ReadableStream<Uint8Array>
  /**
   * Reads the whole body. Rejects with {@link tooLarge}, with {@link idleTooLong}, or with the error from the
   * connection.
   */
  readonly readAll: (limits: BodyLimits) => Promise<Uint8Array>
}

/** Limits for a buffered response body. */
export interface BodyLimits {
  readonly maxBytes: number
  /** Maximum time that the body may pause. `undefined` means no limit. */
  readonly timeout: TimeLimit | undefined
}

/** The error for a response body that exceeds the maximum size. */
export const tooLarge: unique symbol = Symbol('too large')

/**
 * A response whose `body` is opened on first access. Copying the response also opens the body, because the copy may be
 * changed.
 */
export class LazyResponse implements ClientResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  declare readonly body: ReadableStream<Uint8Array>
  readonly #body: LazyBody
  #stream: ReadableStream<Uint8Array> | undefined = undefined

  /**
   * The descriptor of `body`. `body` is an own property, so that spreading copies it. All instances share this
   * descriptor, so that they have the same hidden class.
   */
  static readonly #bodyProperty = {
    enumerable: true,
    get(this: LazyResponse): ReadableStream<Uint8Array> {
      return (this.#stream ??= this.#body.open())
    },
  }

  constructor(status: number, headers: Headers, url: string, body: LazyBody) {
    this.status = status
    this.headers = headers
    this.url = url
    this.#body = body
    Object.defineProperty(this, 'body', LazyResponse.#bodyProperty)
  }

  /**
   * Returns the body if `response` is a lazy response whose body has not been opened. Otherwise, returns `undefined`.
   */
  static unopenedBody(response: ClientResponse): LazyBody | undefined {
    return #body in response && response.#stream === undefined ? response.#body : undefined
  }
}
