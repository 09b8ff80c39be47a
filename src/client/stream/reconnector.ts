/** Reconnects to event streams that have ended or failed: waits before each attempt, and repeats the request. */
import * as E from 'fp-ts/lib/Either.js'
import { malformedBody } from '../../body/decode-body.ts'
import { maxDurationMillis } from '../../codec/duration-millis.ts'
import * as Headers from '../../http/headers.ts'
import * as LastEventId from '../../http/last-event-id.ts'
import type { ClientError } from '../client-error.ts'
import type { AnyDecodedResponse } from '../decoded-response.ts'
import { decodeError } from '../error-factories.ts'
import type { ClientRequest, ClientResponse } from '../exchange.ts'
import { cancel } from '../receive-body.ts'
import type { Reconnect } from '../call-options.ts'
import type { ReceivedResponse } from './response-stream.ts'

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

/**
 * Starts a delay of the given number of milliseconds. `ended` resolves when the delay has elapsed. `stop` ends the
 * delay immediately.
 */
export const startDelay = (
  milliseconds: number,
): { readonly ended: Promise<void>; readonly stop: () => void } => {
  let stop = ignore
  const ended = new Promise<void>((resolve) => {
    // a timer with a longer delay would fire immediately
    const timer = setTimeout(resolve, Math.min(milliseconds, maxDurationMillis))
    stop = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  return { ended, stop }
}

const ignore = (): void => undefined

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
          : [...headers, 'last-event-id', LastEventId.format(lastEventId)],
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
