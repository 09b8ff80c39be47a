/** An HTTP/2 connection: its streams, the limits on them, and its orderly end. */
import type { ServerHttp2Session, ServerHttp2Stream, ServerSessionOptions } from 'node:http2'
import { constants, performServerHandshake } from 'node:http2'
import type { Socket } from 'node:net'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { BodyState } from '../connection/slow-connections.ts'
import type { Receive } from '../exchange/received-exchange.ts'
import type { ServerCore } from '../server-core.ts'
import type { CountedFrame, FloodLimits } from './connection-limits.ts'
import { ConnectionMemory, FloodCounter } from './connection-limits.ts'
import { Http2Exchange } from './http2-exchange.ts'
import { readHttp2Head } from './http2-head.ts'
import { resetStream, sliceSize } from './http2-response.ts'
import { Http2Transport } from './http2-transport.ts'
import { isError } from '../../http/platform-value.ts'

/** The server state shared by all HTTP/2 connections. */
export interface Http2Server extends Pick<ServerCore, 'settings' | 'context' | 'headLimits'> {
  readonly receive: Receive
  readonly floodLimits: FloodLimits
  readonly sessionOptions: ServerSessionOptions
  readonly logger: Logger
  /** Whether a request body arrives too slowly. `bytes` is the number of bytes received so far, and `bytesBefore` at the last check. */
  readonly isSlow:
    | ((state: BodyState, bytes: number, now: number, bytesBefore: number) => boolean)
    | undefined
}

/**
 * Returns the options of `node:http2`. Streams whose header section exceeds twice the limits are reset by Node.js. Those between the
 * limits and twice the limits receive a 431 response.
 */
export const sessionOptions = (settings: Settings): ServerSessionOptions => {
  const fields = settings['fw.http.limits.max-header-fields']
  // each header counts with 32 additional bytes (RFC 9113, 6.5.2)
  const headSize =
    settings['fw.http.limits.max-header-size'] +
    settings['fw.http.limits.max-initial-line-length'] +
    32 * fields
  const streams = settings['fw.http.limits.max-concurrent-streams']
  return {
    maxHeaderListPairs: Math.min(2 * fields + pseudoHeaders, maxUint32),
    // Node.js drops streams above it; in MB, with the slices of responses that all streams can be waiting to send
    maxSessionMemory: minSessionMemory + Math.ceil((streams * sliceSize) / 1_000_000),
    // a limit on the streams rejected in the lifetime of a connection: see `FloodCounter` and `maxRejected`
    maxSessionInvalidFrames: maxUint32,
    settings: {
      initialWindowSize: settings['fw.http.initial-window-size'],
      maxHeaderListSize: Math.min(2 * headSize, maxUint32),
    },
  }
}

const pseudoHeaders = 4

/** The default of Node.js for the memory of a session, in MB. */
const minSessionMemory = 10

const maxUint32 = 2 ** 32 - 1

/** Minimum size, in bytes, of the flow-control window of a connection, which all its streams share. */
const minConnectionWindow = 1024 * 1024

/** Maximum number of streams, above the limit for concurrent streams, that a client can open consecutively although all of them are rejected. */
const maxRejected = 4000

/**
 * Errors of nghttp2 that `node:http2` reports although they end a single stream (`NGHTTP2_ERR_PROTO`, `NGHTTP2_ERR_STREAM_CLOSED`,
 * `NGHTTP2_ERR_FLOW_CONTROL`), depending on the version of Node.js. If they end the connection, nghttp2 sends GOAWAY.
 */
const streamErrors: ReadonlySet<unknown> = new Set([-505, -510, -524])

/** Time, in milliseconds, that a client has to close the connection after GOAWAY, when no stream is left. */
const closeTimeout = 2000

/** Time, in milliseconds, for sending GOAWAY to a client that is disconnected because of a flood. */
const floodTimeout = 250

/** A request that has not been processed. */
interface ArrivedRequest {
  readonly stream: ServerHttp2Stream
  readonly flags: number
  /** The names and values of the header section. */
  readonly fields: ReadonlyArray<string>
  /**
   * The code with which the stream is reset because of its header section: nghttp2 drops fields with an invalid name or value, which make
   * the request malformed (RFC 9113, 8.2.1), and the transport cuts long ones.
   */
  readonly error: number | undefined
}

/** An HTTP/2 connection. */
export class Http2Connection {
  readonly #server: Http2Server
  readonly #session: ServerHttp2Session
  readonly #socket: Socket
  readonly #transport: Http2Transport
  readonly #counter: FloodCounter
  readonly #memory: ConnectionMemory
  readonly #exchanges = new Set<Http2Exchange>()
  readonly #arrived: ArrivedRequest[] = []
  readonly #address: string | undefined
  #hasReceived = false
  #isFailed = false
  /** The time at which the connection was established, or at which its last stream has closed. */
  #idleSince = performance.now()

  /** Starts to serve a socket. */
  constructor(socket: Socket, server: Http2Server) {
    this.#socket = socket
    this.#server = server
    this.#counter = new FloodCounter(server.floodLimits)
    this.#memory = new ConnectionMemory(server.context.memory)
    this.#address = socket.remoteAddress
    const { settings } = server
    const maxConcurrentStreams = settings['fw.http.limits.max-concurrent-streams']
    this.#transport = new Http2Transport(socket, {
      maxRejected: maxConcurrentStreams + maxRejected,
      onRejected: () => this.#close('too many rejected streams'),
      onError: (code) => {
        this.#fail(`error code ${code} of RFC 9113, section 7`)
        session.destroy()
      },
    })
    const session = performServerHandshake(this.#transport, server.sessionOptions)
    this.#session = session
    const destroy = session.destroy.bind(session)
    session.destroy = (error, code) => {
      if (!(isError(error) && 'errno' in error && streamErrors.has(error.errno)))
        destroy(error, code)
    }
    // The acknowledgement of this frame is dropped. Otherwise nghttp2 would end the connection for a stream above the limit, although
    // this is an error of the stream (RFC 9113, 5.1.2).
    session.settings({ maxConcurrentStreams })
    session.setLocalWindowSize(
      Math.max(minConnectionWindow, settings['fw.http.initial-window-size']),
    )
    // Node.js also closes the connection
    session.on('error', ({ message }) => this.#fail(message))
    socket.on('error', ignore)
    session.on('remoteSettings', () => this.#count('SETTINGS'))
    session.on('ping', () => this.#count('PING'))
    session.on('stream', this.#onStream)
  }

  /** Whether the connection has received at least one request, and has no request in progress. */
  get isBetweenRequests(): boolean {
    return this.#hasReceived && this.#exchanges.size === 0
  }

  /**
   * Sends GOAWAY. Requests in progress are completed, and then the connection is closed. The client can send requests that were in
   * transit again, because GOAWAY names the last request that is processed (RFC 9113, 6.8).
   *
   * GOAWAY is not announced before, because nghttp2 ignores new streams after any GOAWAY.
   */
  announceClose(): void {
    this.#session.close()
  }

  /** Closes the connection if it has no request in progress. */
  closeIfIdle(): void {
    if (this.#exchanges.size === 0) this.#session.close()
  }

  /** Enforces the timeouts. */
  check(now: number): void {
    for (const exchange of this.#exchanges) this.#checkExchange(exchange, now)
    if (this.#exchanges.size > 0) return
    const { settings } = this.#server
    const idleTime = now - this.#idleSince
    const timeout =
      settings[this.#hasReceived ? 'fw.http.keep-alive-timeout' : 'fw.http.header-timeout']
    if (this.#session.closed || this.#session.destroyed) {
      if (idleTime > closeTimeout) this.#socket.destroy()
    } else if (timeout > 0 && idleTime >= timeout) {
      this.#session.close()
      this.#idleSince = now
    }
  }

  #checkExchange(exchange: Http2Exchange, now: number): void {
    const { settings, isSlow } = this.#server
    const write = settings['fw.http.write-timeout']
    const read = settings['fw.http.read-timeout']
    if (write > 0 && exchange.writeStallTime(now) >= write) {
      exchange.abort(constants.NGHTTP2_CANCEL)
      return this.#count('RST_STREAM')
    }
    if (exchange.isReceived) return
    const isLate = read > 0 && now - exchange.startTime >= read
    const isTooSlow = isSlow?.(exchange, exchange.receivedBytes, now, 0) ?? false
    if (isTooSlow && !exchange.hasResponded) exchange.reject({ _tag: 'RequestTimeout' })
    else if (isLate && exchange.hasResponded) exchange.abort(constants.NGHTTP2_CANCEL)
    else if (isLate) exchange.reject({ _tag: 'RequestTimeout' })
  }

  /**
   * Called for each header section. Requests are processed after all frames that have arrived with them, so that those that the
   * client resets at once cause little work.
   */
  readonly #onStream = (
    stream: ServerHttp2Stream,
    _headers: unknown,
    flags: number,
    fields: ReadonlyArray<string>,
  ): void => {
    this.#hasReceived = true
    stream.on('error', ignore)
    const section = this.#transport.takeSection(stream.id ?? 0)
    const error = section?.isCut
      ? constants.NGHTTP2_ENHANCE_YOUR_CALM
      : section?.fields === fields.length / 2
        ? undefined
        : constants.NGHTTP2_PROTOCOL_ERROR
    if (this.#arrived.push({ stream, flags, fields, error }) === 1)
      setImmediate(this.#processArrived)
  }

  readonly #processArrived = (): void => {
    for (const request of this.#arrived.splice(0)) this.#process(request)
  }

  #process({ stream, flags, fields, error }: ArrivedRequest): void {
    if (stream.destroyed || stream.closed) {
      stream.destroy()
      return this.#count('RST_STREAM')
    }
    if (error !== undefined) {
      resetStream(stream, error)
      return this.#count('RST_STREAM')
    }
    const { context, headLimits, receive } = this.#server
    const head = readHttp2Head(fields, headLimits)
    // an empty body has ended before anything reads it
    const hasBody = (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0 && !stream.readableEnded
    const exchange = new Http2Exchange(stream, this.#socket, head, hasBody, context, this.#memory)
    this.#exchanges.add(exchange)
    stream.once('close', () => this.#remove(exchange))
    if (context.shutdown.isClosing) this.announceClose()
    receive(exchange, head.target)
  }

  #remove(exchange: Http2Exchange): void {
    this.#exchanges.delete(exchange)
    this.#idleSince = performance.now()
    if (exchange.wasReset) this.#count('RST_STREAM')
  }

  /** Counts a frame. Closes the connection if the client has sent too many. */
  #count(frame: CountedFrame): void {
    if (!this.#counter.add(frame, performance.now())) this.#close(`too many ${frame} frames`)
  }

  /** Closes the connection because of a flood. What the client still sends is discarded. */
  #close(reason: string): void {
    if (this.#isFailed || this.#session.destroyed) return
    this.#fail(reason)
    this.#transport.discardInput()
    // once it has been written, the session is destroyed
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    setTimeout(() => this.#socket.destroy(), floodTimeout).unref()
  }

  #fail(reason: string): void {
    if (this.#isFailed) return
    this.#isFailed = true
    const { logger } = this.#server
    logger.debug({ address: this.#address }, `HTTP/2 connection failed: ${reason}`)
  }
}

const ignore = (): void => undefined
