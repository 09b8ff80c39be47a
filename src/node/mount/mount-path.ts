/**
 * Separates the path of a request to a mounted route tree into the mount path and the rest, which the tree matches.
 *
 * ```text
 * app.use('/v2', nodeListener(api))                    GET /v2/books     the framework removes /v2 from `request.url`
 * nodeListener(api, { prefix: '/v2' })                 GET /v2/books     the listener removes /v2
 * ```
 */
import * as O from 'fp-ts/lib/Option.js'
import type { IncomingMessage } from 'node:http'
import * as RequestTarget from '../../http/request-target.ts'
import { memoizeHeader } from '../../http/headers.ts'
import { parsePrefix } from '../proxies/trusted-proxies.ts'

/** Returns the normalized `prefix` option. Throws a `TypeError` if it is invalid. */
export const readPrefixOption = (text: string): string => {
  if (text === '' || text === '/') return ''
  const prefix = parsePrefix(text)
  if (prefix === undefined)
    throw new TypeError(`invalid prefix ${JSON.stringify(text)}: must be a path such as /v2`)
  return prefix
}

/**
 * Returns the path that a framework has removed from `request.url`, or an empty string if it has removed none. Returns `undefined`
 * if the removed path is not valid in a URL.
 *
 * Express stores it in `request.baseUrl`. Connect and its relatives only store the complete URL, in `request.originalUrl`.
 */
export const removedPathOf = (request: IncomingMessage): string | undefined => {
  const baseUrl: unknown = Reflect.get(request, 'baseUrl')
  if (typeof baseUrl === 'string') return baseUrl === '' ? '' : parseOnce(baseUrl)
  const original: unknown = Reflect.get(request, 'originalUrl')
  const { url = '', method = '' } = request
  if (typeof original !== 'string' || original === url) return ''
  const removed = difference(pathOf(method, original), pathOf(method, url))
  return removed === '' ? '' : parseOnce(removed)
}

const parseOnce = memoizeHeader((text = '') => {
  const path = text.replace(/\/$/, '')
  return segments.test(path) ? path : undefined
})

/** Segments that are neither empty nor dot segments, with the characters that are accepted in request targets. */
const segments = /^(?:\/(?!(?:\.|%2e){1,2}(?:\/|$))[\w\-.~!$&'()*+,;=:@%|^[\]]+)+$/i

const pathOf = (method: string, url: string): string => {
  const target = O.toUndefined(RequestTarget.parse(method, url))
  return target?._tag === 'Resource' ? target.path : ''
}

/** Returns the beginning of a path before `rest`. A framework replaces an empty rest by `/`. */
const difference = (path: string, rest: string): string =>
  path.endsWith(rest) ? path.slice(0, path.length - rest.length) : rest === '/' ? path : ''

/** Removes a prefix from the path of a request target. Returns `undefined` if the path is not below the prefix. */
export const withoutPrefix = (
  target: RequestTarget.RequestTarget,
  prefix: string,
): RequestTarget.RequestTarget | undefined => {
  if (prefix === '' || target._tag !== 'Resource') return target
  const { path } = target
  if (!path.startsWith(prefix)) return undefined
  const rest = path.slice(prefix.length)
  return rest === '' || rest.startsWith('/') ? { ...target, path: rest || '/' } : undefined
}
