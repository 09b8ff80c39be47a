/**
 * Defines responses that open a `ReadableStream` only on demand, and limits for reading a body.
 *
 * A buffered body needs no stream. For a small response, creating a stream would take longer than everything else that
 * the client does.
 */
import type { TimeLimit } from './timer.ts'
import type { Headers } from '../http/headers.ts'
import type { ClientResponse } from './exchange.ts'

/** Error value for a response body whose next chunk did not arrive within the time limit. */
export const idleTooLong: unique symbol = Symbol('idle for too long')

/**
 * A timer that limits the time between the chunks of a body. It starts when the object is created, and runs until
 * `stop` is called.
 */
export class ReadTimeout {
  readonly #limit: TimeLimit
  readonly #onExpired: () => void
  #cancel: () => void
  #isExpired = false

  /** Starts the timer. `onExpired` is called once if the limit elapses. */
  constructor(limit: TimeLimit, onExpired: () => void) {
    this.#limit = limit
    this.#onExpired = onExpired
    this.#cancel = limit.after(this.#expire)
  }

  /** Restarts the timer. Must be called whenever a chunk arrives. */
  restart(): void {
    this.#cancel()
    this.#cancel = this.#limit.after(this.#expire)
  }

  /** Stops the timer. Returns `true` if the time limit had already expired. */
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
   * Reads the whole body. The promise rejects with {@link tooLarge}, {@link idleTooLong} or an error from the
   * connection.
   */
  readonly readAll: (limits: BodyLimits) => Promise<Uint8Array>
}

/** Limits for a buffered response body. */
export interface BodyLimits {
  readonly maxBytes: number
  /** Maximum time to wait for the next chunk. `undefined` disables the limit. */
  readonly timeout: TimeLimit | undefined
}

/** Error value for a response body that exceeds the maximum size. */
export const tooLarge: unique symbol = Symbol('too large')

/**
 * A response whose `body` is opened on first access. Copying the response with spread syntax also opens the body,
 * because it accesses all properties.
 */
export class LazyResponse implements ClientResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  readonly codingError: string | undefined
  declare readonly body: ReadableStream<Uint8Array>
  readonly #body: LazyBody
  #stream: ReadableStream<Uint8Array> | undefined = undefined

  /**
   * Property descriptor of `body`. `body` is an own property because spread syntax copies only own properties. All
   * instances share the descriptor, which allows them to share a hidden class.
   */
  static readonly #bodyProperty = {
    enumerable: true,
    get(this: LazyResponse): ReadableStream<Uint8Array> {
      return (this.#stream ??= this.#body.open())
    },
  }

  constructor(status: number, headers: Headers, url: string, body: LazyBody, codingError?: string) {
    this.status = status
    this.headers = headers
    this.url = url
    this.codingError = codingError
    this.#body = body
    Object.defineProperty(this, 'body', LazyResponse.#bodyProperty)
  }

  /** Returns the body of a lazy response that has not been opened yet. Returns `undefined` for any other response. */
  static unopenedBody(response: ClientResponse): LazyBody | undefined {
    return #body in response && response.#stream === undefined ? response.#body : undefined
  }
}
