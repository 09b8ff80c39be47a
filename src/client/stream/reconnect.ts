/** Reconnecting to an event stream that has ended or failed. */
import * as E from 'fp-ts/lib/Either.js'
import { malformedBody } from '../../body/read-body.ts'
import { maxDurationMillis } from '../../codec/duration-millis.ts'
import type { Duration } from '../../endpoint/limits.ts'
import * as Headers from '../../http/headers.ts'
import * as LastEventId from '../../http/last-event-id.ts'
import type { ClientError } from '../client-error.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import { decodeError } from '../error-factories.ts'
import type { ClientRequest, ClientResponse } from '../exchange.ts'
import { parseDuration } from '../policy/timer.ts'
import { cancel } from '../response/read-body.ts'
import type { ReceivedResponse } from './response-stream.ts'

/** Options for reconnecting to an event stream. */
export interface Reconnect {
  /** Maximum number of consecutive attempts without an event. Default: no limit. */
  readonly times?: number
  /** Delay before an attempt, unless the stream sets another one with `retry`. Default: `3s`. */
  readonly delay?: Duration
}

/** Returns the delay before the first attempt in milliseconds. `Left` describes an invalid option. */
export const parseReconnectDelay = (reconnect: Reconnect | undefined): E.Either<string, number> => {
  if (reconnect === undefined) return defaultDelay
  if (typeof reconnect !== 'object') return E.left('must be an object')
  const { times = Infinity, delay } = reconnect
  if (!(times >= 0)) return E.left(`reconnect.times must be at least 0, got ${times}`)
  if (delay === undefined) return defaultDelay
  return E.mapLeft((error: string) => `reconnect.delay ${error}`)(parseDuration(delay))
}

const defaultDelay: E.Either<string, number> = E.right(3000)

/** Waits for the given number of milliseconds. `stop` ends the wait immediately. */
export const startDelay = (
  milliseconds: number,
): { readonly ended: Promise<void>; readonly stop: () => void } => {
  let stop = ignore
  const ended = new Promise<void>((resolve) => {
    // a longer timer would fire immediately
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
  /** Sends the request again. Resolves to `undefined` if the service responds that there are no more events. */
  readonly connect: (
    lastEventId: string,
    signal: AbortSignal,
  ) => Promise<E.Either<ClientError | AnyAnswer, ReceivedResponse | undefined>>
}

/** Sends a request again, through the policies of the client and the call. */
export interface Resender {
  readonly reconnect: Reconnect
  readonly send: (request: ClientRequest) => Promise<E.Either<ClientError, ClientResponse>>
}

/**
 * Creates a reconnector for the request of an event stream. It repeats the request with `Last-Event-ID`.
 *
 * A 204 ends the stream. A response with another status or media type than `initial` fails with the result of `decode`, or with a
 * `DecodeError` if `decode` succeeds.
 */
export const createReconnector = (
  initial: ClientResponse,
  request: ClientRequest,
  { reconnect, send }: Resender,
  decode: (response: ClientResponse) => Promise<E.Either<ClientError | AnyAnswer, AnyAnswer>>,
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
      decodeError(operation, response, malformedBody('does not continue the event stream')),
    )
  },
})

const mediaTypeOf = ({ headers }: ClientResponse): string | undefined =>
  Headers.first(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
