/** Creates the `node:http` server for a program. */
import type {
  RequestListener,
  Server as HttpServer,
  ServerOptions,
  ServerResponse,
} from 'node:http'
import { createServer } from 'node:http'
import type { RequestFailure } from '../http/failure.ts'
import * as Grammar from '../http/grammar.ts'
import * as Headers from '../http/headers.ts'
import * as Problem from '../http/problem.ts'
import { hostCheck } from '../compiler/settings/hosts.ts'
import * as Category from '../compiler/settings/log-category.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { BodyMemory } from '../interpreter/request-body/memory-reservation.ts'
import type { Program } from '../interpreter/program.ts'
import { encodeFailure } from '../interpreter/errors/error-response.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { Platform } from '../interpreter/platform.ts'
import { monitorBodyRate, closeIdleConnections } from './connection/slow-connections.ts'
import {
  resolveMaxConnections,
  afterResponses,
  trackRequests,
} from './connection/in-flight-requests.ts'
import { allowHalfClose } from './connection/half-close.ts'
import {
  createClientErrorHandler,
  slowBodyError,
  writeRawError,
} from './connection/parser-failure.ts'
import { EventLoopMonitor } from './event-loop-monitor.ts'
import { IncomingRequest } from './exchange/incoming-request.ts'
import type { ServerContext, ShutdownState } from './exchange/node-exchange.ts'
import { NodeExchange } from './exchange/node-exchange.ts'
import { readHead, validateHead } from './exchange/request-head.ts'
import { omitEmptyChunk } from './exchange/send-chunks.ts'
import { createLoadShedding } from './load-shedding/load-shedding.ts'
import { trustedProxies } from './proxies/trusted-proxies.ts'

/** Creates a `node:http` server for a program. The server is not listening yet. */
export const createHttpServer = (
  program: Program,
  platform: Platform,
  shutdown: ShutdownState,
  memory: BodyMemory,
): HttpServer => {
  const { settings } = program
  const inFlight = trackRequests()
  const onClientError = createClientErrorHandler(inFlight)
  const loadShedding = createLoadShedding(settings, program.loggerOf(Category.serverCategory))
  const run = interpret(
    loadShedding === undefined
      ? program
      : { ...program, isOverloaded: () => loadShedding.isOverloaded() },
  )
  const limits = {
    headers: settings['fw.http.limits.max-header-fields'],
    size: settings['fw.http.limits.max-header-size'],
    line: settings['fw.http.limits.max-initial-line-length'],
  }
  const keepAlive = settings['fw.http.keep-alive-timeout']
  const loopMonitor = settings['fw.loop.stall'] > 0 ? new EventLoopMonitor(program) : undefined
  const context: ServerContext = {
    shutdown,
    close: inFlight.close,
    maxDiscardedBytes: settings['fw.http.limits.max-body-size'],
    // the header that Node.js would send if it closed idle connections itself
    keepAliveHeaders:
      keepAlive === 0 ? [] : ['Keep-Alive', `timeout=${Math.floor(keepAlive / 1000)}`],
    proxies: trustedProxies(settings['fw.http.proxy.trusted']),
    platform,
    memory,
    loopMonitor,
  }
  const isAllowedHost = hostCheck(settings['fw.http.allowed-hosts'])

  const listener: RequestListener<typeof IncomingRequest> = (request, response) => {
    const head = readHead(request.rawHeaders)
    const target = validateHead(request, head, limits)
    const exchange = new NodeExchange(request, response, head, target, context)
    const previous = response.socket === null ? inFlight.latest(request.socket) : undefined
    if (!inFlight.add(exchange)) return void request.resume()
    previous?.onNextRequest()
    if (hasCloseOption(request, response)) {
      response.shouldKeepAlive = false
      inFlight.close(request.socket)
    }
    switch (target._tag) {
      case 'Resource':
        run(exchange)
        if (loopMonitor !== undefined && !response.headersSent) loopMonitor.record(exchange)
        return
      case 'Asterisk':
        // `OPTIONS *` applies to the server, not to a resource (RFC 9110, 9.3.7)
        return exchange.send(
          isAllowedHost?.(exchange.origin()) === false
            ? encodeFailure({ _tag: 'MisdirectedRequest' }, exchange, Problem.newInstanceUri())
            : { status: 204, headers: [], body: undefined },
        )
      default:
        return exchange.reject(target)
    }
  }

  const server = createServer(serverOptions(settings), listener)
  // by default, Node.js silently drops headers beyond about 2,000; `validateHead` rejects such requests instead
  server.maxHeadersCount = 0
  const maxConnections = resolveMaxConnections(settings['fw.http.limits.max-connections'])
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  closeIdleConnections(
    server,
    {
      idle: settings['fw.http.idle-timeout'],
      keepAlive,
      write: settings['fw.http.write-timeout'],
    },
    (socket) => inFlight.latest(socket)?.response.closed ?? false,
    monitorBodyRate(settings['fw.http.limits.min-body-rate'], inFlight.latest, (socket) =>
      onClientError(slowBodyError(), socket),
    ),
  )
  loadShedding?.start(server)
  loopMonitor?.start(server)
  server.on('connection', omitEmptyChunk)
  allowHalfClose(server, settings['fw.http.half-close-timeout'], inFlight.pending)
  server.on('connection', (socket) => {
    socket.once('close', () => inFlight.latest(socket)?.onDisconnect())
  })
  server.on('checkContinue', listener)
  server.on('checkExpectation', (request: IncomingRequest, response: ServerResponse) => {
    const failure: RequestFailure = { _tag: 'ExpectationFailed' }
    const head = readHead(request.rawHeaders)
    const exchange = new NodeExchange(request, response, head, failure, context)
    if (inFlight.add(exchange)) exchange.reject(failure)
  })
  server.on('connect', (_, socket) => {
    // Node.js has detached this socket: without a listener, an error would end the process, and nothing else reads from the socket
    socket.on('error', () => socket.destroy()).resume()
    afterResponses(inFlight.latest(socket), () =>
      writeRawError(socket, { _tag: 'MethodNotAllowed', allow: [] }),
    )
  })
  server.on('clientError', onClientError)
  return server
}

/**
 * Whether the `Connection` header of an HTTP/1.0 request contains both `close` and `keep-alive`. If it contains both, `close` takes
 * precedence (RFC 9112, 9.3).
 *
 * For HTTP/1.0, the Node.js parser evaluates only `keep-alive`.
 */
const hasCloseOption = (request: IncomingRequest, { shouldKeepAlive }: ServerResponse): boolean =>
  request.httpVersion === '1.0' &&
  shouldKeepAlive &&
  Headers.all(request.rawHeaders, 'connection').some((value) =>
    Grammar.splitList(value).some((option) => option.toLowerCase() === 'close'),
  )

interface Options extends ServerOptions<typeof IncomingRequest> {
  /**
   * For each request without a body, makes Node.js create a stream that has already ended. This reduces the cost of a plain-text
   * response by 8%. Supported since Node.js 24.12.
   */
  readonly optimizeEmptyRequests: true
}

const serverOptions = (settings: Settings): Options => {
  const requestTimeout = settings['fw.http.read-timeout']
  const headersTimeout = settings['fw.http.header-timeout']
  return {
    IncomingMessage: IncomingRequest,
    optimizeEmptyRequests: true,
    // Node.js counts the request line and the headers together; `validateHead` limits each of them
    maxHeaderSize:
      settings['fw.http.limits.max-initial-line-length'] +
      settings['fw.http.limits.max-header-size'],
    requestTimeout,
    // Node.js rejects a headersTimeout above the requestTimeout
    headersTimeout:
      requestTimeout === 0 ? headersTimeout : Math.min(headersTimeout, requestTimeout),
    // enforced by `closeIdleConnections`
    keepAliveTimeout: 0,
    connectionsCheckingInterval: 1000,
    insecureHTTPParser: false,
    requireHostHeader: false,
    noDelay: true,
  }
}
