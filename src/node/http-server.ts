/** A program behind `node:http`. */
import type {
  RequestListener,
  Server as HttpServer,
  ServerOptions,
  ServerResponse,
} from 'node:http'
import { METHODS, createServer } from 'node:http'
import type { RequestFailure } from '../http/failure.ts'
import * as Grammar from '../http/grammar.ts'
import * as Headers from '../http/headers.ts'
import * as Problem from '../http/problem.ts'
import { allowedHosts } from '../compiler/settings/allowed-hosts.ts'
import * as Category from '../compiler/settings/log-category.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { BodyMemory } from '../interpreter/request-body/body-memory.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import type { Program } from '../interpreter/program.ts'
import { refuse } from '../interpreter/errors/error-response.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { System } from '../interpreter/platform.ts'
import { monitorBodyRate } from './connection/body-rate.ts'
import {
  afterResponses,
  trackRequests,
  createClientErrorHandler,
  slowBodyError,
} from './connection/parser-failure.ts'
import type { ServerContext } from './exchange/node-exchange.ts'
import { NodeExchange } from './exchange/node-exchange.ts'
import * as Head from './exchange/request-head.ts'
import { allowHalfClose } from './connection/half-close.ts'
import { closeIdleConnections } from './connection/idle-connections.ts'
import { EventLoopMonitor } from './event-loop-monitor.ts'
import { omitEmptyChunk } from './exchange/single-write.ts'
import { resolveMaxConnections } from './connection/descriptor-limit.ts'
import { createLoadShedding } from './load-shedding/load-shedding.ts'
import { trustedProxies } from './proxies/trusted-proxies.ts'
import { writeRawError } from './connection/raw-response.ts'
import { validateHead } from './exchange/validate-head.ts'
import { IncomingRequest } from './exchange/incoming-request.ts'

/** A server that does not listen yet; `closing` says whether it is about to stop. */
export const httpServer = (
  program: Program,
  system: System,
  isClosing: () => boolean,
  memory: BodyMemory,
): HttpServer => {
  const { settings } = program
  const inFlight = trackRequests()
  const clientError = createClientErrorHandler(inFlight)
  const overload = createLoadShedding(settings, program.loggerOf(Category.server))
  const run = interpret(
    overload === undefined ? program : { ...program, sheds: () => overload.isOverloaded() },
  )
  const limits = {
    headers: settings['fw.http.limits.max-header-fields'],
    size: settings['fw.http.limits.max-header-size'],
    line: settings['fw.http.limits.max-initial-line-length'],
  }
  const keepAlive = settings['fw.http.keep-alive-timeout']
  const loopMonitor = settings['fw.loop.stall'] > 0 ? new EventLoopMonitor(program) : undefined
  const connection: ServerContext = {
    isClosing,
    close: inFlight.close,
    maxDiscardedBytes: settings['fw.http.limits.max-body-size'],
    system,
    memory,
    proxies: trustedProxies(settings['fw.http.proxy.trusted']),
    // what Node says when it closes idle connections itself
    loopMonitor,
    keepAliveHeaders:
      keepAlive === 0 ? [] : ['Keep-Alive', `timeout=${Math.floor(keepAlive / 1000)}`],
  }

  const isAllowed = allowedHosts(settings['fw.http.allowed-hosts'])

  const listener: RequestListener<typeof IncomingRequest> = (request, response) => {
    const head = Head.readHead(request.rawHeaders)
    const received = validateHead(request, head, limits)
    const exchange = new NodeExchange(request, response, head, received, connection)
    const previous = response.socket === null ? inFlight.latest(request.socket) : undefined
    if (!inFlight.add(exchange)) return void request.resume()
    previous?.followed()
    if (endsHere(request, response)) {
      response.shouldKeepAlive = false
      inFlight.close(request.socket)
    }
    switch (received._tag) {
      case 'Resource':
        run(exchange)
        if (loopMonitor !== undefined && !response.headersSent) loopMonitor.record(exchange)
        return
      case 'Asterisk':
        // RFC 9110, 9.3.7: OPTIONS * asks about the server, not about a resource
        return exchange.answer(
          isAllowed?.(exchange.origin()) === false
            ? refuse({ _tag: 'MisdirectedRequest' }, exchange, Problem.newInstanceUri())
            : { status: 204, headers: [], content: undefined },
        )
      default:
        return exchange.reject(received)
    }
  }

  const server = createServer(options(settings), listener)
  // Node keeps only about the first 2,000 fields unless told otherwise, and drops the rest in silence; ours are counted
  server.maxHeadersCount = 0
  const most = resolveMaxConnections(settings['fw.http.limits.max-connections'])
  if (most !== undefined) server.maxConnections = most
  const idle = settings['fw.http.idle-timeout']
  closeIdleConnections(
    server,
    { idle, keepAlive, write: settings['fw.http.write-timeout'] },
    (socket) => inFlight.latest(socket)?.response.closed ?? false,
    monitorBodyRate(settings['fw.http.limits.min-body-rate'], inFlight.latest, (socket) =>
      clientError(slowBodyError(), socket),
    ),
  )
  overload?.start(server)
  loopMonitor?.start(server)
  server.on('connection', omitEmptyChunk)
  allowHalfClose(server, settings['fw.http.half-close-timeout'], inFlight.pending)
  server.on('connection', (socket) => {
    socket.once('close', () => inFlight.latest(socket)?.disconnected())
  })
  server.on('checkContinue', listener)
  server.on('checkExpectation', (request: IncomingRequest, response: ServerResponse) => {
    const failure: RequestFailure = { _tag: 'ExpectationFailed' }
    const head = Head.readHead(request.rawHeaders)
    const exchange = new NodeExchange(request, response, head, failure, connection)
    if (inFlight.add(exchange)) exchange.reject(failure)
  })
  server.on('connect', (_, socket) => {
    // Node has let go of this socket: an error that nobody hears would end the process, and nobody reads it any more
    socket.on('error', () => socket.destroy()).resume()
    afterResponses(inFlight.latest(socket), () =>
      writeRawError(socket, { _tag: 'MethodNotAllowed', allow: [] }),
    )
  })
  server.on('clientError', clientError)
  return server
}

/**
 * Whether a request of HTTP/1.0 closes its connection although it also asks to keep it: `close` wins (RFC 9112, 9.3), but
 * Node's parser looks for `keep-alive` alone. In HTTP/1.1 it looks for `close`.
 */
const endsHere = (request: IncomingRequest, { shouldKeepAlive }: ServerResponse): boolean =>
  request.httpVersion === '1.0' &&
  shouldKeepAlive &&
  Headers.all(request.rawHeaders, 'connection').some((value) =>
    Grammar.splitList(value).some((option) => option.toLowerCase() === 'close'),
  )

interface Options extends ServerOptions<typeof IncomingRequest> {
  /** From Node 24.12 on: the stream of a request without content is never opened: 8 % less time for a plain text. */
  readonly optimizeEmptyRequests: true
}

const options = (settings: Settings): Options => {
  const requestTimeout = settings['fw.http.read-timeout']
  const headersTimeout = settings['fw.http.header-timeout']
  return {
    IncomingMessage: IncomingRequest,
    optimizeEmptyRequests: true,
    // Node counts target and fields together; each has a limit of its own in `receive`
    maxHeaderSize:
      settings['fw.http.limits.max-initial-line-length'] +
      settings['fw.http.limits.max-header-size'],
    requestTimeout,
    // Node does not take a head that may last longer than its request
    headersTimeout:
      requestTimeout === 0 ? headersTimeout : Math.min(headersTimeout, requestTimeout),
    // see `closeIdle`
    keepAliveTimeout: 0,
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
