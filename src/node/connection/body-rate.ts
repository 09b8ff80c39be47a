/**
 * Detects clients that send a request body too slowly, and so occupy a connection for as long as a whole request may take.
 *
 * The rate is measured from the beginning of the body, and only while the server waits for bytes: a client is not slow while the
 * server does not read.
 */
import type { Socket } from 'node:net'
import type { ConnectionCheck } from './idle-connections.ts'
import type { InFlightRequest } from './in-flight-requests.ts'

/** Milliseconds of waiting, in total, after which the rate is enforced. */
export const gracePeriod = 5000

/** Milliseconds between two checks. */
const interval = gracePeriod / 2

/** Calls `onSlow` for connections with less than `rate` bytes per second. `undefined` if `rate` is 0. */
export const monitorBodyRate = (
  rate: number,
  latest: (socket: Socket) => InFlightRequest | undefined,
  onSlow: (socket: Socket) => void,
): ConnectionCheck | undefined => {
  if (rate === 0) return undefined
  const isSlow = createRateCheck(rate)
  return {
    interval,
    check: (socket, now, bytesBefore) => {
      const request = latest(socket)
      if (request !== undefined && isSlow(request, socket.bytesRead, now, bytesBefore))
        onSlow(socket)
    },
  }
}

/** The progress of a request body. */
interface Progress {
  /** Bytes received on the connection at the check before the body began. */
  readonly startBytes: number
  /** Total milliseconds of waiting. */
  waited: number
  /** The time of the latest check, if the server waited for bytes then. */
  waitingSince: number | undefined
}

/** The state of a request and its response that the check reads. */
export interface BodyState {
  readonly request: Pick<InFlightRequest['request'], 'complete' | 'isAwaitingBody'>
  readonly response: Pick<InFlightRequest['response'], 'headersSent'>
}

/**
 * Returns a function that is called at each check and returns whether the body arrives too slowly.
 *
 * `bytes` and `bytesBefore` are the bytes received on the connection by now and at the previous check. Returns false once the response
 * has begun. If the event loop was busy, only a part of the time between two checks counts as waiting.
 */
export const createRateCheck = (
  rate: number,
): ((state: BodyState, bytes: number, now: number, bytesBefore: number) => boolean) => {
  const progressOf = new WeakMap<BodyState['request'], Progress>()
  return ({ request, response }, bytes, now, bytesBefore) => {
    if (request.complete || response.headersSent) return false
    const { isAwaitingBody } = request
    const progress = progressOf.get(request)
    if (progress === undefined) {
      if (isAwaitingBody)
        progressOf.set(request, { startBytes: bytesBefore, waited: 0, waitingSince: now })
      return false
    }
    if (isAwaitingBody && progress.waitingSince !== undefined)
      progress.waited += Math.min(now - progress.waitingSince, 2 * interval)
    progress.waitingSince = isAwaitingBody ? now : undefined
    return (
      progress.waited >= gracePeriod &&
      (bytes - progress.startBytes) * 1000 < rate * progress.waited
    )
  }
}
