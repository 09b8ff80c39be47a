/**
 * A token with every request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
import * as Authorization from '../../http/authorization.ts'
import type { Policy } from '../exchange.ts'
import { adding } from './headers.ts'

/**
 * Says in `Authorization` what bears the call, where the call itself does not say it. A function is asked for each request, so that
 * it can renew a token; where it fails, or gives no token, nothing is sent and the call is `Refused`. Throws a `TypeError`
 * for a text that is no token.
 */
export const bearerToken = (token: string | (() => string | Promise<string>)): Policy =>
  adding(
    'bearer-token',
    typeof token === 'string' ? bearing(token) : async () => bearing(await token()),
  )

const bearing = (token: string): { readonly Authorization: string } => {
  if (!Authorization.isToken68(token)) throw new TypeError('not a bearer token')
  return { Authorization: `Bearer ${token}` }
}
