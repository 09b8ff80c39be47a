/**
 * Where a response sends a request, and what becomes of the request on the way.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.4
 */
import * as Headers from '../../http/headers.ts'
import { parseUrl } from '../../http/parse-url.ts'
import type { ClientRequest, ClientResponse } from '../exchange.ts'
import { originOf } from './origin.ts'

export interface RedirectRules {
  /** The methods of requests that are led on. */
  readonly methods: ReadonlyArray<string>
  /** The fields that stay with the origin they were meant for. */
  readonly credentials: ReadonlyArray<string>
}

/**
 * The request that a response leads to; `undefined` where it leads nowhere, or to where the request may not go: another method, a
 * location that is none, is not HTTP, holds credentials or gives up TLS, a body that cannot be sent again.
 */
export const redirected = (
  { methods, credentials }: RedirectRules,
  request: ClientRequest,
  response: ClientResponse,
): ClientRequest | undefined => {
  const { status } = response
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  if (!methods.includes(request.method)) return undefined
  const url = target(Headers.first(response.headers, 'location'), response.url || request.url)
  if (url === undefined) return undefined
  const method = methodBehind(status, request.method)
  const keepsBody = method === request.method && status !== 303
  if (keepsBody && request.body?._tag === 'Pieces') return undefined
  const isAway = originOf(url) !== originOf(request.url)
  const headers = [
    ...(keepsBody ? [] : ofContent),
    ...(isAway ? ['Host', ...credentials] : []),
  ].reduce(Headers.without, request.headers)
  return {
    ...request,
    method,
    url,
    headers,
    body: keepsBody ? request.body : undefined,
    ...(isAway ? { strayed: true } : {}),
  }
}

/** The fields that tell of content (RFC 9110, 15.4). */
const ofContent: ReadonlyArray<string> = [
  'Content-Digest',
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Location',
  'Content-Type',
  'Digest',
  'Last-Modified',
]

/** 303 asks for a retrieval; behind 301 and 302 a POST has always become one (15.4.2, note). */
const methodBehind = (status: number, method: string): string => {
  if (method === 'HEAD') return method
  return status === 303 || (status < 303 && method === 'POST') ? 'GET' : method
}

const target = (location: string | undefined, base: string): string | undefined => {
  const url = location === undefined ? undefined : parseUrl(location, base)
  if (url === undefined) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || base.startsWith('https:')))
    return undefined
  // a fragment is for whoever shows the response, and is never sent
  url.hash = ''
  return url.href
}
