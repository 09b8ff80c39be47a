/** Reads event streams. If `reconnect` is set, reconnects when a stream ends or fails: waits, and repeats the request. */
import * as E from 'fp-ts/lib/Either.js'
import type { StreamFormat, StreamReadOptions } from '../../body/stream/stream-format.ts'
import { EventStreamReader } from '../../http/event-stream.ts'
import * as EventStream from '../../http/event-stream.ts'
import { isCallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import type { AnyDecodedResponse } from '../decoded-response.ts'
import { transportError, decodeError } from '../error-factories.ts'
import { linkSignal } from '../policy/policy.ts'
import { sleep, systemClock } from '../timer.ts'
import { parseReconnectDelay } from '../call-options.ts'
import type {
  ChunkReader,
  ReceivedResponse,
  ResponseIterator,
  ResponseToRead,
} from './response-stream.ts'
import { readChunks, responseIterator, toCallFailed } from './response-stream.ts'
import { malformedBody } from '../../body/decode-body.ts'
import { maxDurationMillis } from '../../codec/duration-millis.ts'
import * as Headers from '../../http/headers.ts'
import type { ClientRequest, ClientResponse } from '../exchange.ts'
import { cancel } from '../receive-body.ts'
import type { Reconnect } from '../call-options.ts'

/** Reads the events in a response. If `reconnector` is set, continues with the responses that resume the stream. */
export const readEvents = (
  source: ResponseToRead,
  read: StreamFormat['read'],
  options: StreamReadOptions,
  reconnector: Reconnector | undefined,
): ResponseIterator<unknown> => {
  const connection = new EventConnection(source, reconnector)
  return responseIterator(
    connection.events((chunks, events) => read(chunks, { ...options, events })),
    connection,
  )
}

type ReadConnection = (
  chunks: AsyncIterable<Uint8Array>,
  events: EventStreamReader,
) => ReturnType<StreamFormat['read']>

/** Manages the successive connections of an event stream. */
class EventConnection {
  readonly #source: ResponseToRead
  readonly #reconnector: Reconnector | undefined
  #isClosed = false
  /** Aborts a pending reconnection. */
  #interrupt = (): void => undefined
  #chunks: ChunkReader
  #reader = new EventStreamReader()
  readonly #delay: ReconnectDelay
  /** Delay in milliseconds that the most recent connection with a `retry` field has set. */
  #retry: number | undefined = undefined
  /** Number of consecutive attempts that received no event. */
  #attempts = 0

  constructor(source: ResponseToRead, reconnector: Reconnector | undefined) {
    this.#source = source
    this.#reconnector = reconnector
    this.#chunks = readChunks(source)
    const delay = parseReconnectDelay(reconnector?.options)
    this.#delay = new ReconnectDelay(E.isRight(delay) ? delay.right : 0)
  }

  close(): void {
    this.#isClosed = true
    this.#interrupt()
    this.#chunks.close()
  }

  async *events(read: ReadConnection): AsyncGenerator<unknown, undefined> {
    for (;;) {
      let failure: unknown
      try {
        yield* this.#readConnection(read)
      } catch (error) {
        if (!isRecoverable(error)) throw error
        failure = error
      }
      if (!(await this.#reconnect(failure))) return undefined
    }
  }

  /** Reads events from the current connection. */
  async *#readConnection(read: ReadConnection): AsyncGenerator<unknown, undefined> {
    const events = read(this.#chunks, this.#reader)
    if (E.isLeft(events)) return
    for await (const event of events.right) {
      this.#attempts = 0
      this.#delay.onEvent()
      yield event
    }
  }

  /**
   * Opens the next connection. Resolves to `true` if a connection is open, and to `false` if the iteration should end.
   * Rejects with the error from the last attempt, or with `failure` if no attempt is allowed.
   */
  async #reconnect(failure: unknown): Promise<boolean> {
    const reconnector = this.#reconnector
    const maxAttempts = reconnector === undefined ? 0 : (reconnector.options.times ?? Infinity)
    let lastFailure = failure
    for (; this.#attempts < maxAttempts; this.#attempts++) {
      this.#retry = this.#reader.retry ?? this.#retry
      const result = await this.#connect()
      if (this.#isClosed) return false
      if (E.isRight(result)) {
        if (result.right === undefined) return false
        this.#attempts++
        this.#delay.onConnection()
        this.#chunks = readChunks(result.right)
        this.#reader = new EventStreamReader(this.#reader.lastEventId)
        return true
      }
      lastFailure = toCallFailed(this.#source, result.left)
      if (!isRecoverable(lastFailure)) throw lastFailure
    }
    if (lastFailure !== undefined) throw lastFailure
    return false
  }

  /**
   * Waits for the delay, and then sends the request again. Aborting the call or calling `close` interrupts either step.
   */
  async #connect(): Promise<
    E.Either<ClientError | AnyDecodedResponse, ReceivedResponse | undefined>
  > {
    const { signal, operation } = this.#source
    const linked = linkSignal(signal)
    this.#interrupt = () => linked.abort(undefined)
    try {
      // a timer with a longer delay would fire immediately
      const delay = Math.min(this.#delay.next(this.#retry), maxDurationMillis)
      if (this.#isClosed || !(await sleep(systemClock, delay, linked.signal)))
        return E.left(transportError(operation, undefined, linked.signal))
      const result = await this.#reconnector?.connect(this.#reader.lastEventId, linked.signal)
      if (result === undefined) return E.right(undefined)
      // the stream was closed while connecting, so this response has no reader
      if (this.#isClosed && E.isRight(result) && result.right !== undefined)
        readChunks(result.right).close()
      return result
    } finally {
      linked.release()
    }
  }
}

/**
 * Whether an error indicates that the connection failed or could not be opened. After such an error, another attempt
 * might succeed.
 */
const isRecoverable = (error: unknown): boolean =>
  isCallFailed(error) &&
  '_tag' in error.failure &&
  ['NetworkError', 'TimedOut', 'Rejected'].includes(error.failure._tag)

/** Bounds of a delay that a stream sets, in milliseconds. A service must not cause thousands of requests, or end the stream for days. */
const minRetry = 500
const maxRetry = 3_600_000

/** Longest delay, in milliseconds, to which a shorter delay grows. A connection that lasts as long is stable. */
const maxBackoff = 30_000

/** Creates the delays before attempts to reconnect. Tests replace the sources of random numbers and of the time. */
export class ReconnectDelay {
  readonly #configured: number
  readonly #random: () => number
  readonly #now: () => number
  #failures = 0
  /** Time at which the open connection was opened, in milliseconds. */
  #connectedAt: number

  /** `configured` is the delay of `Reconnect` in milliseconds. */
  constructor(configured: number, random = Math.random, now = () => performance.now()) {
    this.#configured = Math.max(configured, 1)
    this.#random = random
    this.#now = now
    this.#connectedAt = now()
  }

  onConnection(): void {
    this.#connectedAt = this.#now()
  }

  onEvent(): void {
    this.#failures = 0
  }

  /** Returns the delay before the next attempt, in milliseconds. `retry` is the delay that the stream has set. */
  next(retry: number | undefined): number {
    if (this.#now() - this.#connectedAt >= maxBackoff) this.#failures = 0
    this.#connectedAt = Infinity
    const first =
      retry === undefined ? this.#configured : Math.min(Math.max(retry, minRetry), maxRetry)
    const delay = Math.min(first * 2 ** this.#failures++, Math.max(first, maxBackoff))
    // the delay is a minimum, so that the random part is added
    return delay * (1 + this.#random() / 2)
  }
}

/** Reconnects to an event stream. */
export interface Reconnector {
  readonly options: Reconnect
  /**
   * Sends the request again. Resolves to `undefined` if the service responds with 204 to indicate that there are no
   * more events.
   */
  readonly connect: (
    lastEventId: string,
    signal: AbortSignal,
  ) => Promise<E.Either<ClientError | AnyDecodedResponse, ReceivedResponse | undefined>>
}

/** The options for reconnecting, and a function that sends a request through the policies of the client and of the call. */
export interface Resender {
  readonly reconnect: Reconnect
  readonly send: (request: ClientRequest) => Promise<E.Either<ClientError, ClientResponse>>
}

/**
 * Creates a reconnector, which repeats the request for an event stream with a `Last-Event-ID` header.
 *
 * A 204 response ends the stream. If the new response has a different status or media type than `initial`, reconnecting
 * fails with the error returned by `decode`, or with a `DecodeError` if `decode` succeeds.
 */
export const createReconnector = (
  initial: ClientResponse,
  request: ClientRequest,
  { reconnect, send }: Resender,
  decode: (
    response: ClientResponse,
  ) => Promise<E.Either<ClientError | AnyDecodedResponse, AnyDecodedResponse>>,
): Reconnector => ({
  options: reconnect,
  connect: async (lastEventId, signal) => {
    const headers = Headers.without(request.headers, 'last-event-id')
    const sent = await send({
      ...request,
      headers:
        lastEventId === ''
          ? headers
          : [...headers, 'last-event-id', EventStream.formatLastEventId(lastEventId)],
      signal,
    })
    if (E.isLeft(sent)) return sent
    const response = sent.right
    const { operation } = request
    if (response.status === 204) {
      cancel(response.body)
      return E.right(undefined)
    }
    if (response.status === initial.status && mediaTypeOf(response) === mediaTypeOf(initial))
      return E.right({ operation, response, signal: request.signal })
    const decoded = await decode(response)
    if (E.isLeft(decoded)) return decoded
    cancel(response.body)
    return E.left(
      decodeError(operation, response, malformedBody('does not resume the event stream')),
    )
  },
})

const mediaTypeOf = ({ headers }: ClientResponse): string | undefined =>
  Headers.first(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
