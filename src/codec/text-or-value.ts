/**
 * Codecs of values that arrive either as text, from a file or a variable, or as themselves, from a program.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

/**
 * Accepts what `is` accepts as it stands, and text that `parse` reads once the blanks around it are gone. It refuses
 * with exactly one error, and its name is `expected`: what was wanted, as a noun phrase for a message.
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
