/** Serves connections with HTTP/1.1, using the parser and the framing of `node:http`. */
import type { IncomingMessage, RequestListener, ServerOptions } from 'node:http'
import { ServerResponse, createServer } from 'node:http'
import type { Socket } from 'node:net'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import type { MemoryReservation } from '../../interpreter/memory-reservation.ts'
import { isBytes } from '../../http/platform-value.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { monitorBodyRate } from '../connection/slow-connections.ts'
import { afterResponses, trackRequests } from '../connection/in-flight-requests.ts'
import { allowHalfClose } from '../connection/connection-end.ts'
import {
  createClientErrorHandler,
  slowBodyError,
  writeRawError,
} from '../connection/parser-failure.ts'
import type { RequestBuffer } from '../exchange/request-body.ts'
import { BufferedBody, readByEvents } from '../exchange/request-body.ts'
import type { Http1Context } from '../exchange/http1-exchange.ts'
import { NodeExchange } from '../exchange/node-exchange.ts'
import { readHead, validateHead } from '../exchange/request-head.ts'
import { DiscardableMessage, omitEmptyChunk } from '../internals.ts'
import type { Protocol } from '../connection/connections.ts'
import type { Receive } from '../exchange/received-exchange.ts'
import type { ServerCore } from '../server-core.ts'

/**
 * A `node:http` request whose body can be read in `push`, before the bytes enter the request stream.
 *
 * The parser pushes bytes into the request stream, which emits them as events in a later iteration of the event loop. Reading the
 * bytes in `push` instead saves 3% to 5% of the CPU time for a body of 1 KB.
 */
class IncomingRequest extends DiscardableMessage implements RequestBuffer {
  /** The body if it is being read in `push`, otherwise `undefined`. */
  #pushedBody: BufferedBody | undefined = undefined
  /** The body that is being read, either in `push` or through events. */
  #body: BufferedBody | undefined = undefined

  readBody(
    limit: SizeLimit,
    reservation: MemoryReservation,
    callback: (body: Uint8Array | RequestFailure) => void,
  ): void {
    const body = new BufferedBody(limit, reservation, callback)
    this.#body = body
    if (!this.complete && this.readableLength === 0) {
      this.#pushedBody = body
      return
    }
    readByEvents(this, body)
  }

  discardBody(): void {
    this.#body?.discard()
    this.#body = undefined
  }

  get isAwaitingBody(): boolean {
    if (this.complete) return false
    return (
      this.#pushedBody !== undefined || (this.readableFlowing === true && this.readableLength === 0)
    )
  }

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    const body = this.#pushedBody
    if (body === undefined) return super.push(chunk, encoding)
    if (isBytes(chunk) && body.add(chunk)) return true
    this.#pushedBody = undefined
    if (chunk !== null) return true
    const hasMore = super.push(null)
    body.end()
    return hasMore
  }
}

/**
 * Creates the HTTP/1.1 protocol of a server. `receive` processes the requests.
 *
 * The `node:http` server does not listen itself: it is given the connections that the listeners have accepted.
 */
export const createHttp1Protocol = (core: ServerCore, receive: Receive): Protocol => {
  const { settings, context, headLimits } = core
  const inFlight = trackRequests()
  const onClientError = createClientErrorHandler(
    inFlight,
    context.rejectionHeaders,
    headLimits.target,
  )
  const exchangeContext: Http1Context = { ...context, close: inFlight.close }

  /** Node.js calls `detachSocket` as soon as a response has been sent. */
  class TrackedResponse extends ServerResponse<IncomingRequest> {
    override detachSocket(socket: Socket): void {
      super.detachSocket(socket)
      inFlight.settle(socket)
    }
  }

  const listener: RequestListener<typeof IncomingRequest, typeof TrackedResponse> = (
    request,
    response,
  ) => {
    const head = readHead(request.rawHeaders)
    const target = validateHead(request, head, headLimits)
    const exchange = new NodeExchange(request, request, response, head, target, exchangeContext)
    const { socket } = request
    // Node.js assigns the socket to a response only after all earlier responses have been sent
    const isFirst = response.socket !== null
    const previous = isFirst ? undefined : inFlight.latest(socket)
    if (!inFlight.add(socket, exchange, isFirst)) return void request.resume()
    previous?.onNextRequest()
    if (hasCloseOption(request, response) || (head.upgrades && losesBytes(request))) {
      response.shouldKeepAlive = false
      inFlight.close(socket)
    }
    receive(exchange, target)
  }

  const options = { ...serverOptions(settings), ServerResponse: TrackedResponse }
  const server = createServer(options, listener)
  // by default, Node.js silently drops headers beyond about 2,000; `validateHead` rejects such requests instead
  server.maxHeadersCount = 0
  server.on('connection', omitEmptyChunk)
  allowHalfClose(server, settings['fw.http.half-close-timeout'], inFlight.pending)
  server.on('connection', (socket) => {
    socket.once('close', () => inFlight.latest(socket)?.onDisconnect())
  })
  server.on('checkContinue', listener)
  server.on('checkExpectation', (request: IncomingRequest, response: ServerResponse) => {
    const failure: RequestFailure = { _tag: 'ExpectationFailed' }
    const head = readHead(request.rawHeaders)
    const exchange = new NodeExchange(request, request, response, head, failure, exchangeContext)
    if (inFlight.add(request.socket, exchange, response.socket !== null)) exchange.reject(failure)
  })
  server.on('connect', (_, socket) => {
    // Node.js has detached this socket: without a listener, an error would end the process, and nothing else reads from the socket
    socket.on('error', () => socket.destroy()).resume()
    afterResponses(inFlight.latest(socket), () =>
      writeRawError(socket, { _tag: 'MethodNotAllowed', allow: [] }, context.rejectionHeaders),
    )
  })
  server.on('clientError', onClientError)
  // starts the checks of `headersTimeout` and `requestTimeout`
  server.emit('listening')
  return {
    accept: (socket) => void server.emit('connection', socket),
    isBetweenRequests: (socket) => inFlight.latest(socket)?.isEnded ?? false,
    check: monitorBodyRate(settings['fw.http.limits.min-body-rate'], inFlight.latest, (socket) =>
      onClientError(slowBodyError(), socket),
    ),
    // the next response on each connection has `Connection: close`
    announceClose: () => undefined,
    closeIdleConnections: () => server.closeIdleConnections(),
    // ends the checks of `headersTimeout` and `requestTimeout`
    end: () => void server.close(),
  }
}

/**
 * Whether the `Connection` header of an HTTP/1.0 request contains both `close` and `keep-alive`. If it contains both, `close` takes
 * precedence (RFC 9112, 9.3).
 *
 * For HTTP/1.0, the Node.js parser evaluates only `keep-alive`.
 */
export const hasCloseOption = (
  request: IncomingMessage,
  { shouldKeepAlive }: ServerResponse,
): boolean =>
  request.httpVersion === '1.0' && shouldKeepAlive && hasConnectionOption(request, 'close')

const hasConnectionOption = ({ rawHeaders }: IncomingMessage, name: string): boolean =>
  Headers.all(rawHeaders, 'connection').some((value) =>
    Grammar.splitList(value).some((option) => option.toLowerCase() === name),
  )

/**
 * Whether the parser of Node.js drops the bytes behind a request in the same packet, because it expects another protocol there. The
 * connection cannot be used after such a request.
 */
const losesBytes = (request: IncomingMessage): boolean => hasConnectionOption(request, 'upgrade')

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
    // enforced by `monitorConnections`
    keepAliveTimeout: 0,
    connectionsCheckingInterval: 1000,
    insecureHTTPParser: false,
    requireHostHeader: false,
    noDelay: true,
  }
}
