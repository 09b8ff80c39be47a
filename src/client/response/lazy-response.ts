/**
 * Responses that open a `ReadableStream` only on demand.
 *
 * Creating a stream costs more than everything else that a client does for a small response, and a buffered body needs none.
 */
import type { Headers } from '../../http/headers.ts'
import type { ClientResponse } from '../exchange.ts'
import type { TimeLimit } from '../policy/timer.ts'

/** A response body that can be read once, with either method. */
export interface LazyBody {
  readonly open: () => ReadableStream<Uint8Array>
  /** Reads the whole body. Rejects with {@link tooLarge}, with `idleTooLong`, or with the error of the connection. */
  readonly readAll: (limits: BodyLimits) => Promise<Uint8Array>
}

/** Limits of a buffered response body. */
export interface BodyLimits {
  readonly maxBytes: number
  /** How long the body may pause; `undefined` for no limit. */
  readonly timeout: TimeLimit | undefined
}

/** The error of a response body with more bytes than permitted. */
export const tooLarge: unique symbol = Symbol('too large')

/** A response whose `body` is opened on first access. Copying the response also opens it, because a copy may be changed. */
export class LazyResponse implements ClientResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  declare readonly body: ReadableStream<Uint8Array>
  readonly #body: LazyBody
  #stream: ReadableStream<Uint8Array> | undefined = undefined

  /** An own property, so that spreading copies it. One shared descriptor, so that all instances have the same hidden class. */
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

  /** Returns the body of a lazy response that has not been opened. */
  static unopenedBody(response: ClientResponse): LazyBody | undefined {
    return #body in response && response.#stream === undefined ? response.#body : undefined
  }
}
