/** Codecs of application types with a text form. */
import * as t from 'io-ts'

/**
 * Creates a codec from a function that parses text and one that formats values.
 *
 * `name` is part of validation errors. `parse` returns `undefined` for invalid text. In a request it may also throw: an
 * `HttpError` becomes the response, and any other error is a validation error. `is` distinguishes values in unions; by default
 * it accepts everything except `undefined`.
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
