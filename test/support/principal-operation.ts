/** Operations that return the principal of the request. */
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, path, produces, text } from '../../src/index.ts'

export const ann = { name: 'ann', roles: ['reader'], claims: { since: 2020 } }

/** Creates `GET /{name}`, which returns the principal's name, the scheme, the role and the claim `since`. */
export const principalOperation = (name: string) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(text),
    handle((_, { security: { principal, scheme, hasRole } }) =>
      [
        principal?.name ?? 'anonymous',
        scheme ?? '-',
        hasRole('reader') ? 'a reader' : '-',
        JSON.stringify(principal?.claims?.['since'] ?? 0),
      ].join(', '),
    ),
  )

/** The response to an anonymous request. */
export const anonymous = [200, 'anonymous, -, -, 0'] as const
