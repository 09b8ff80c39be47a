/** A program behind `node:http`. */
import type {
  IncomingMessage,
  RequestListener,
  Server as HttpServer,
  ServerResponse,
} from 'node:http'
import { METHODS, createServer } from 'node:http'
import type { Failure } from '../http/failure.ts'
import { interpret } from '../interpreter/interpret.ts'
import type { Mistake } from '../interpreter/mistake.ts'
import type { Program } from '../interpreter/program.ts'
import { refuse } from '../interpreter/refuse.ts'
import type { Settings } from '../interpreter/settings.ts'
import { afterAnswers, flights, onClientError } from './client-error.ts'
import type { Connection } from './exchange.ts'
import { exchangeOf, send } from './exchange.ts'
import { answerRaw } from './raw-answer.ts'
import { receive } from './receive.ts'

/** A server that does not listen yet; `closing` says whether it is about to stop. */
export const httpServer = (program: Program, closing: () => boolean): HttpServer => {
  const { settings } = program
  const inFlight = flights()
  const run = interpret(program)
  const limits = {
    fields: settings['fw.http.limits.max-header-fields'],
    size: settings['fw.http.limits.max-header-size'],
    line: settings['fw.http.limits.max-initial-line-length'],
  }
  const connection: Connection = { closing, dropped: settings['fw.http.limits.max-body-size'] }

  const listener: RequestListener = (request, response) => {
    const refused = (failure: Failure): void =>
      refuseAndClose(request, response, failure, connection)
    inFlight.add({ request, response, refuse: refused })
    const received = receive(request, limits)
    if (received._tag !== 'Received') return refused(received)
    const exchange = exchangeOf(request, response, received, connection)
    // RFC 9110, 9.3.7: OPTIONS * asks about the server, not about a resource
    if (received.target._tag === 'Asterisk')
      return exchange.answer({ status: 204, headers: [], content: undefined })
    run(exchange)
  }

  const server = createServer(options(settings), listener)
  // Node keeps only about the first 2,000 fields unless told otherwise, and drops the rest in silence; ours are counted
  server.maxHeadersCount = 0
  const most = settings['fw.http.limits.max-connections']
  if (most !== undefined) server.maxConnections = most
  server.setTimeout(settings['fw.http.idle-timeout'])
  server.on('checkContinue', listener)
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    refuseAndClose(request, response, { _tag: 'ExpectationFailed' }, connection),
  )
  server.on('connect', (_, socket) => {
    // Node has let go of this socket: an error that nobody hears would end the process, and nobody reads it any more
    socket.on('error', () => socket.destroy()).resume()
    afterAnswers(inFlight.latest(socket), () =>
      answerRaw(socket, { _tag: 'MethodNotAllowed', allow: [] }),
    )
  })
  server.on('clientError', onClientError(inFlight))
  return server
}

/** Refuses a request of which nothing more can be believed, and closes the connection. */
const refuseAndClose = (
  request: IncomingMessage,
  response: ServerResponse,
  failure: Failure,
  connection: Connection,
): void => {
  const answer = refuse(
    failure,
    { method: request.method ?? '', headers: request.rawHeaders },
    crypto.randomUUID(),
  )
  send(request, response, answer, { ...connection, closing: () => true }, false)
}

const options = (settings: Settings): Parameters<typeof createServer>[0] & object => {
  const requestTimeout = settings['fw.http.read-timeout']
  const headersTimeout = settings['fw.http.header-timeout']
  return {
    // Node counts target and fields together; each has a limit of its own in `receive`
    maxHeaderSize:
      settings['fw.http.limits.max-initial-line-length'] +
      settings['fw.http.limits.max-header-size'],
    requestTimeout,
    // Node does not take a head that may last longer than its request
    headersTimeout:
      requestTimeout === 0 ? headersTimeout : Math.min(headersTimeout, requestTimeout),
    keepAliveTimeout: settings['fw.http.keep-alive-timeout'],
    connectionsCheckingInterval: 1000,
    insecureHTTPParser: false,
    requireHostHeader: false,
    noDelay: true,
  }
}

/** Operations that no request can reach, because Node's parser does not know their method. */
export const unreachable = ({ plans }: Program): ReadonlyArray<Mistake> =>
  plans
    .filter(({ method }) => !METHODS.includes(method))
    .map(({ method, template, name }) => ({
      code: 'FW-ROUTE-006',
      concerns: [`${method} ${template}  (${name})`],
      remedy: `node:http knows ${METHODS.length} methods, see http.METHODS; this one arrives only in memory`,
    }))
