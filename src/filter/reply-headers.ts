/** Header fields that a filter knows from the start. */
import type { AnyReply } from '../endpoint/reply.ts'
import * as Headers from '../http/headers.ts'

/** Puts fields together; throws a `TypeError` for one that cannot be sent, and leaves out those without a value. */
export const headersOf = (
  entries: ReadonlyArray<readonly [name: string, value: string | undefined]>,
): Headers.Headers =>
  entries.reduce(
    (fields, [name, value]) => (value === undefined ? fields : Headers.append(fields, name, value)),
    Headers.empty,
  )

/** A reply with more fields, which are known to be such that can be sent. */
export const withHeaders = (reply: AnyReply, fields: Headers.Headers): AnyReply =>
  fields.length === 0
    ? reply
    : Object.freeze({ ...reply, headers: Object.freeze([...reply.headers, ...fields]) })

/** A reply without the fields of a name; the reply itself when it has none. */
export const withoutHeader = (reply: AnyReply, name: string): AnyReply =>
  Headers.first(reply.headers, name.toLowerCase()) === undefined
    ? reply
    : Object.freeze({ ...reply, headers: Object.freeze(Headers.without(reply.headers, name)) })

/** A reply with those of the fields whose names it does not have yet. */
export const withMissingHeaders = (reply: AnyReply, fields: Headers.Headers): AnyReply =>
  withHeaders(
    reply,
    reply.headers.length === 0
      ? fields
      : fields.filter((_, index) => {
          const name = fields[index - (index % 2)] ?? ''
          return Headers.first(reply.headers, name.toLowerCase()) === undefined
        }),
  )
