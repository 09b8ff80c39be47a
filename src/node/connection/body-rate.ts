/**
 * Finds clients that send a content octet by octet, so that it keeps a connection, and what waits for it, for as long as a
 * whole request may take. What counts is the rate since the content began, and only the time in which the server waits for
 * octets: a client that is kept waiting is not slow.
 */
import type { Socket } from 'node:net'
import type { InFlightRequest } from './in-flight-requests.ts'
import type { ConnectionCheck } from './idle-connections.ts'

/** Milliseconds for which a client may send as slowly as it likes, all in all. */
export const gracePeriod = 5000

/** Milliseconds between two looks. */
const interval = gracePeriod / 2

/** Looks for clients that send less than so many octets per second; for none when it is 0. */
export const monitorBodyRate = (
  rate: number,
  latest: (socket: Socket) => InFlightRequest | undefined,
  slow: (socket: Socket) => void,
): ConnectionCheck | undefined => {
  if (rate === 0) return undefined
  const isSlow = createRateCheck(rate)
  return {
    interval,
    check: (socket, now, before) => {
      const flight = latest(socket)
      if (flight !== undefined && isSlow(flight, socket.bytesRead, now, before)) slow(socket)
    },
  }
}

/** A content on its way. */
interface Progress {
  /** Octets that had come on the connection at the last look before it began. */
  readonly from: number
  /** Milliseconds for which octets were waited for. */
  waited: number
  /** When it was looked at last, if octets were waited for then. */
  since: number | undefined
}

/** What is seen of a request, and of the response to it. */
export interface BodyState {
  readonly request: Pick<InFlightRequest['request'], 'complete' | 'isAwaitingBody'>
  readonly response: Pick<InFlightRequest['response'], 'headersSent'>
}

/**
 * Says of a request that is looked at now and then whether its content comes too slowly: `octets` is what has come on its
 * connection by now, `before` what had come at the look before. A response that has begun is not
 * taken back. Of a time for which nobody has looked, because the loop was busy, only a part counts.
 */
export const createRateCheck = (
  rate: number,
): ((seen: BodyState, octets: number, now: number, before: number) => boolean) => {
  const known = new WeakMap<BodyState['request'], Progress>()
  return ({ request, response }, octets, now, before) => {
    if (request.complete || response.headersSent) return false
    const { isAwaitingBody } = request
    const progress = known.get(request)
    if (progress === undefined) {
      if (isAwaitingBody) known.set(request, { from: before, waited: 0, since: now })
      return false
    }
    if (isAwaitingBody && progress.since !== undefined)
      progress.waited += Math.min(now - progress.since, 2 * interval)
    progress.since = isAwaitingBody ? now : undefined
    return (
      progress.waited >= gracePeriod && (octets - progress.from) * 1000 < rate * progress.waited
    )
  }
}
