/** Header fields as programs write them down for a request. */
import * as Headers from '../../http/headers.ts'

/** Values by name, in any case; a list is sent as several fields, `undefined` is not sent. */
export type FieldsToSend = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The header with these fields in the place of those of the same names. Throws a `TypeError` for what cannot be sent. */
export const withFields =
  (fields: FieldsToSend) =>
  (headers: Headers.Headers): Headers.Headers =>
    Object.entries(fields).reduce((all, [name, value]) => {
      if (value === undefined) return all
      const values = typeof value === 'string' ? [value] : value
      return values.reduce(
        (sent, one) => Headers.append(sent, name, one),
        Headers.without(all, name),
      )
    }, headers)

/** The header with those of the fields that it has not got yet. */
export const withMissing =
  (fields: FieldsToSend) =>
  (headers: Headers.Headers): Headers.Headers =>
    withFields(
      Object.fromEntries(
        Object.entries(fields).filter(
          ([name]) => Headers.first(headers, name.toLowerCase()) === undefined,
        ),
      ),
    )(headers)
