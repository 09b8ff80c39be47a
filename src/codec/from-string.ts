/** Codecs for an application's own types, made from a function that reads a text and one that writes it. */
import * as t from 'io-ts'

/**
 * A codec for values that have a text form.
 *
 * `name` is what a client reads when its text is refused. `parse` gives `undefined` for a text that is not one. In a request
 * it may throw as well: an `HttpError` becomes the response, anything else a refusal. `is` tells the values from those of
 * other codecs in a union; without it every value but `undefined` counts as one.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { fromString } from 'espalier'
 *
 * const absolute = fromString(
 *   'absolute URL',
 *   (text) => (URL.canParse(text) ? new URL(text) : undefined),
 *   String,
 * )
 *
 * assert.deepEqual(absolute.decode('http://a/b'), E.right(new URL('http://a/b')))
 * assert.ok(E.isLeft(absolute.decode('/b')))
 * assert.equal(absolute.encode(new URL('http://a')), 'http://a/')
 * ```
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
