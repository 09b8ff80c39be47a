/**
 * Finds clients that send a content octet by octet, so that it keeps a connection, and what waits for it, for as long as a
 * whole request may take. What counts is the rate since the content began, and only the time in which the server waits for
 * octets: a client that is kept waiting is not slow.
 */
import type { Duplex } from 'node:stream'
import type { Flight } from './client-error.ts'

/** Milliseconds for which a client may send as slowly as it likes, all in all. */
export const grace = 5000

/** A content on its way. */
interface Progress {
  /** Octets that had come on the connection when it was first looked at. */
  readonly from: number
  /** Milliseconds for which octets were waited for. */
  waited: number
  /** When it was looked at last, if octets were waited for then. */
  since: number | undefined
}

/** The connection, as far as it is looked at. */
export type Sending = Pick<Duplex, 'destroyed'> & { readonly bytesRead: number }

/**
 * Looks at a connection now and then, at least every `interval` milliseconds, and says whether its client sends less than `rate`
 * octets per second. What was not looked at in time, because the loop was busy, does not count.
 */
export const slowBodies = (
  rate: number,
  interval: number,
): ((flight: Flight, socket: Sending, now: number) => boolean) => {
  const known = new WeakMap<Flight['request'], Progress>()
  return ({ request, response }, socket, now) => {
    if (request.complete || response.headersSent) return false
    const { isAwaited } = request
    const progress = known.get(request)
    if (progress === undefined) {
      if (isAwaited) known.set(request, { from: socket.bytesRead, waited: 0, since: now })
      return false
    }
    if (isAwaited && progress.since !== undefined)
      progress.waited += Math.min(now - progress.since, 2 * interval)
    progress.since = isAwaited ? now : undefined
    return (
      progress.waited >= grace &&
      (socket.bytesRead - progress.from) * 1000 < rate * progress.waited
    )
  }
}
