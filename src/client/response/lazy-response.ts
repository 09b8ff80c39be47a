/**
 * Responses whose content is no stream yet: making one takes longer than all that is done for a small content beside it. Who reads
 * it as a whole needs none. Who asks for its body gets one, and so does who copies the response, so that nothing goes past a body
 * that a policy has put in its place.
 */
import type { Headers } from '../../http/headers.ts'
import type { ClientResponse } from '../exchange.ts'
import type { TimeLimit } from '../policy/timer.ts'

/** A content, which is taken once: in the one way or the other. */
export interface Content {
  readonly open: () => ReadableStream<Uint8Array>
  /** All octets; rejects with {@link tooMany}, with {@link tooSilent}, or with the error with which it broke off. */
  readonly whole: (limits: WholeLimits) => Promise<Uint8Array>
}

/** What bounds a content that is read as a whole. */
export interface WholeLimits {
  readonly octets: number
  /** How long it may be silent; `undefined` for no limit. */
  readonly timeout: TimeLimit | undefined
}

/** More octets than are wanted. */
export const tooMany: unique symbol = Symbol('too many octets')

export class Unopened implements ClientResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  declare readonly body: ReadableStream<Uint8Array>
  readonly #content: Content
  #opened: ReadableStream<Uint8Array> | undefined = undefined

  /** An own property, so that it is copied; the same function for all, so that they have one shape. */
  static readonly #body = {
    enumerable: true,
    get(this: Unopened): ReadableStream<Uint8Array> {
      return (this.#opened ??= this.#content.open())
    },
  }

  constructor(status: number, headers: Headers, url: string, content: Content) {
    this.status = status
    this.headers = headers
    this.url = url
    this.#content = content
    Object.defineProperty(this, 'body', Unopened.#body)
  }

  /** The content of a response that nobody has opened. */
  static contentOf(response: ClientResponse): Content | undefined {
    return #content in response && response.#opened === undefined ? response.#content : undefined
  }
}
