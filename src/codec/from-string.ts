/** Codecs for an application's own types, made from a function that reads a text and one that writes it. */
import * as t from 'io-ts'

/**
 * A codec for values that have a text form.
 *
 * `name` is what a client reads when its text is refused. `parse` gives `undefined` for a text that is not one, or throws;
 * an `HttpError` that it throws becomes the response.
 */
export const fromString = <A>(
  name: string,
  parse: (text: string) => A | undefined,
  format: (value: A) => string,
  is: (value: unknown) => value is A = (value): value is A => value !== undefined,
): t.Type<A, string> =>
  new t.Type<A, string>(
    name,
    is,
    (value, context) => {
      const parsed = typeof value === 'string' ? parse(value) : undefined
      return parsed === undefined ? t.failure(value, context) : t.success(parsed)
    },
    (value) => format(value),
  )
