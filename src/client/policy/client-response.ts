/** Responses that nobody sent: for tests, fallbacks and filters that answer. */
import * as Headers from '../../http/headers.ts'
import type { ClientRequest, ClientResponse } from '../exchange.ts'
import type { FieldsToSend } from './fields.ts'
import { withFields } from './fields.ts'

export interface ClientResponseOptions {
  /** 200 unless it is said. */
  readonly status?: number
  readonly headers?: FieldsToSend
  /** None unless it is said. Text is sent in UTF-8; its media type has to stand in the headers. */
  readonly content?: string | Uint8Array
}

/** A response to a request, made here. Throws a `TypeError` for a header field that cannot be sent. */
export const clientResponse = (
  { url }: Pick<ClientRequest, 'url'>,
  { status = 200, headers = {}, content }: ClientResponseOptions = {},
): ClientResponse =>
  Object.freeze({
    status,
    headers: withFields(headers)(Headers.empty),
    url,
    body: content === undefined ? null : streamOf(content),
  })

const streamOf = (content: string | Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      const octets = typeof content === 'string' ? new TextEncoder().encode(content) : content
      if (octets.length > 0) controller.enqueue(octets)
      controller.close()
    },
  })
