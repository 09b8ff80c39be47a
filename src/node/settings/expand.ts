/** Expressions in texts of the program: roles, for instance. Those in settings are resolved by `merge.ts`. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Expand } from '../../interpreter/access.ts'
import type { Fault } from './resolve.ts'
import { resolve } from './resolve.ts'

/** Resolves texts by the properties of a program, whose own expressions are resolved already. */
export const expanding =
  (property: (name: string) => string | undefined): Expand =>
  (text) =>
    pipe(
      resolve((name) =>
        pipe(
          O.fromNullable(property(name)),
          O.map((value) => ({ text: value, literal: true })),
        ),
      )(text)({ text, literal: false }),
      E.mapLeft((faults) => faults.map(inWords(text)).join('; ')),
    )

const inWords =
  (text: string) =>
  (fault: Fault): string =>
    fault._tag === 'Missing'
      ? `${text}: set the property "${fault.name}", or give it a default as in \${${fault.name}:default}`
      : `${text}: close the expression with a brace`
