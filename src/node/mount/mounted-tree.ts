/**
 * Processes the requests that another server passes to a mounted route tree. The path of such a request consists of the mount path and
 * the rest, which the tree matches:
 *
 * ```text
 * app.use('/v2', nodeListener(api))                    GET /v2/books     the framework removes /v2 from `request.url`
 * nodeListener(api, { prefix: '/v2' })                 GET /v2/books     the listener removes /v2
 * ```
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Failures from '../../http/failure.ts'
import * as Problem from '../../http/problem.ts'
import * as RequestTarget from '../../http/request-target.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestFailure } from '../../http/failure.ts'
import { encodeFailure } from '../../interpreter/errors/error-response.ts'
import type { Program } from '../../interpreter/program.ts'
import { matchesPath } from '../../interpreter/routing/select-operation.ts'
import type { Http1Context } from '../exchange/http1-exchange.ts'
import { readHead, validateHead } from '../exchange/request-head.ts'
import { hasCloseOption } from '../listener/http1-protocol.ts'
import type { ServerCore } from '../server-core.ts'
import type { MountedConnections } from './mounted-connections.ts'
import { MountedExchange } from './mounted-exchange.ts'
import { memoizeHeader } from '../../http/headers.ts'
import { parsePrefix } from '../proxies/trusted-proxies.ts'

/** Whether the path of a request matches a template of the program. `OPTIONS *` and invalid targets match nothing. */
export const isInTree = (
  program: Pick<Program, 'matcher' | 'settings'>,
  { method = '', url = '' }: IncomingMessage,
  prefix: string,
): boolean => {
  const grammar = RequestTarget.grammarOf(program.settings['fw.http.strict-target'])
  const received = O.toUndefined(RequestTarget.parse(method, url, grammar))
  const target = received && withoutPrefix(received, prefix)
  return target?._tag === 'Resource' && matchesPath(program, target.path)
}

/** Processes a request and its response. */
export type ProcessRequest = (request: IncomingMessage, response: ServerResponse) => void

/** Creates the function that processes requests. After `isClosed` returns `true`, all requests are rejected with 503. */
export const requestProcessor = (
  { context, headLimits, receive }: ServerCore,
  connections: MountedConnections,
  prefix: string,
  isClosed: () => boolean,
): ProcessRequest => {
  const { inFlight } = connections
  // the other server announces its own keep-alive timeout
  const exchangeContext: Http1Context = { ...context, keepAliveHeaders: [], close: inFlight.close }
  return (request, response) => {
    const head = readHead(request.rawHeaders)
    const removed = removedPathOf(request)
    const received = validateHead(request, head, headLimits)
    const target = removed === undefined ? invalidTarget : within(received, prefix)
    const path = `${removed ?? ''}${prefix}`
    const exchange = new MountedExchange(request, response, head, target, exchangeContext, path)
    const { socket } = request
    if (!connections.add(socket, exchange, response.socket !== null)) return void request.resume()
    if (hasCloseOption(request, response)) {
      response.shouldKeepAlive = false
      inFlight.close(socket)
    }
    if (isClosed()) exchange.reject({ _tag: 'ServiceUnavailable' })
    else if (target._tag === 'NotFound')
      exchange.send(encodeFailure(target, exchange, Problem.newInstanceUri()))
    else receive(exchange, target)
  }
}

const invalidTarget: RequestFailure = {
  _tag: 'MalformedRequest',
  detail: 'Invalid request target.',
}

const within = (
  target: RequestTarget.RequestTarget | RequestFailure,
  prefix: string,
): RequestTarget.RequestTarget | RequestFailure =>
  target._tag === 'Resource' || target._tag === 'Asterisk'
    ? (withoutPrefix(target, prefix) ?? Failures.notFound)
    : target

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
