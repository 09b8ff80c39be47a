/** Codecs of settings, which are text in files and environment variables, and values in programs. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

/**
 * Creates a codec that accepts values, and text that `parse` accepts after trimming. It reports exactly one error; `expected`
 * is its name, a noun phrase for messages.
 */
export const textOrValue = <A>(
  expected: string,
  is: t.Is<A>,
  parse: (text: string) => O.Option<A>,
  format: (value: A) => string,
): t.Type<A, string> =>
  new t.Type(
    expected,
    is,
    (u, context) =>
      is(u)
        ? t.success(u)
        : pipe(
            typeof u === 'string' ? parse(u.trim()) : O.none,
            O.match(() => t.failure<A>(u, context), t.success),
          ),
    format,
  )
