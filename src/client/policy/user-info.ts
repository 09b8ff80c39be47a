/**
 * Names and passwords in URLs. `fetch` refuses such URLs.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as BasicCredentials from '../../http/basic-credentials.ts'
import type { ClientRequest, Policy } from '../exchange.ts'
import { withMissing } from './fields.ts'
import { policy } from './policy.ts'

/** The request without user-info in its URL, which stands in `Authorization` then unless something else stands there. */
export const withoutUserInfo = (request: ClientRequest): ClientRequest => {
  // there is no need to parse what has none
  if (!/^[^/?#]*\/\/[^/?#]*@/.test(request.url)) return request
  const url = new URL(request.url)
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  url.username = ''
  url.password = ''
  const fields = { Authorization: `Basic ${BasicCredentials.format({ user, password })}` }
  return { ...request, url: url.href, headers: pipe(request.headers, withMissing(fields)) }
}

/** Takes user-info out of every URL: the outermost of a client's policies, so that no other sees or tells it. */
export const userInfo: Policy = policy((next) => (request) => next(withoutUserInfo(request)))
