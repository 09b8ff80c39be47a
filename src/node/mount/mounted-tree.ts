/** Processes the requests that another server passes to a mounted route tree. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as O from 'fp-ts/lib/Option.js'
import type { RequestFailure } from '../../http/failure.ts'
import * as Failures from '../../http/failure.ts'
import * as Problem from '../../http/problem.ts'
import * as RequestTarget from '../../http/request-target.ts'
import { encodeFailure } from '../../interpreter/errors/error-response.ts'
import type { Program } from '../../interpreter/program.ts'
import { matchesPath } from '../../interpreter/routing/select-operation.ts'
import type { Http1Context } from '../exchange/http1-exchange.ts'
import { readHead, validateHead } from '../exchange/request-head.ts'
import { hasCloseOption } from '../listener/http1-protocol.ts'
import type { ServerCore } from '../server-core.ts'
import type { MountedConnections } from './mounted-connections.ts'
import { MountedExchange } from './mounted-exchange.ts'
import { removedPathOf, withoutPrefix } from './mount-path.ts'

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
