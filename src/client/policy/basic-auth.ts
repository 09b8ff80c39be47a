/**
 * A name and a password with every request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
import * as BasicCredentials from '../../http/basic-credentials.ts'
import type { Policy } from '../exchange.ts'
import { adding } from './headers.ts'

/**
 * Says in `Authorization` who calls, in UTF-8, where the call itself does not say it. Throws a `TypeError` for a name with a colon,
 * and for control characters.
 */
export const basicAuth = (user: string, password: string): Policy =>
  adding('basic-auth', { Authorization: `Basic ${BasicCredentials.format({ user, password })}` })
