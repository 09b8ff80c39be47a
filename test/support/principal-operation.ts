/** An operation that returns the principal of the request. */
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, path, produces, text } from '../../src/index.ts'

export const ann = { name: 'ann', roles: ['reader'], claims: { since: 2020 } }

/** Name, scheme, whether it is a reader, and the claim `since`. */
export const who = (word: string) =>
  pipe(
    path(`/${word}`),
    get(),
    produces(text),
    handle((_, { security: { principal, scheme, hasRole } }) =>
      [
        principal?.name ?? 'nobody',
        scheme ?? '-',
        hasRole('reader') ? 'a reader' : '-',
        JSON.stringify(principal?.claims?.['since'] ?? 0),
      ].join(', '),
    ),
  )

/** Its answer to somebody who is not known. */
export const anonymous = [200, 'nobody, -, -, 0'] as const
