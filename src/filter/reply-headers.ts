/** Adds and removes headers of replies in response filters. */
import type { AnyReply } from '../endpoint/reply.ts'
import * as Headers from '../http/headers.ts'

/** Creates a list of headers, without those that have no value. Throws a `TypeError` for an invalid name or value. */
export const headersOf = (
  entries: ReadonlyArray<readonly [name: string, value: string | undefined]>,
): Headers.Headers =>
  entries.reduce(
    (headers, [name, value]) =>
      value === undefined ? headers : Headers.append(headers, name, value),
    Headers.empty,
  )

/** Appends headers to a reply. They are not validated. */
export const withHeaders = (reply: AnyReply, headers: Headers.Headers): AnyReply =>
  headers.length === 0
    ? reply
    : Object.freeze({ ...reply, headers: Object.freeze([...reply.headers, ...headers]) })

/** Removes a header from a reply. Returns the same reply if it does not have the header. */
export const withoutHeader = (reply: AnyReply, name: string): AnyReply =>
  Headers.first(reply.headers, name.toLowerCase()) === undefined
    ? reply
    : Object.freeze({ ...reply, headers: Object.freeze(Headers.without(reply.headers, name)) })

/** Appends the headers that a reply does not have yet. They are not validated. */
export const withMissingHeaders = (reply: AnyReply, headers: Headers.Headers): AnyReply =>
  withHeaders(
    reply,
    reply.headers.length === 0
      ? headers
      : headers.filter((_, index) => {
          const name = headers[index - (index % 2)] ?? ''
          return Headers.first(reply.headers, name.toLowerCase()) === undefined
        }),
  )
