/**
 * Limits what one HTTP/2 connection can cost a server: the memory of its unsent responses, and frames with which clients can cause
 * work at little cost to themselves (rapid reset, SETTINGS floods, PING floods).
 */
import type { Settings } from '../../compiler/settings/settings.ts'
import { BodyMemory } from '../../interpreter/memory-reservation.ts'

/** A kind of counted frames. */
export type CountedFrame = 'RST_STREAM' | 'SETTINGS' | 'PING'

/** Maximum numbers of frames that a client can send on one connection within a period. */
export interface FloodLimits {
  readonly maximum: Readonly<Record<CountedFrame, number>>
  /** Length of the period, in milliseconds. With `0`, the number of frames is not limited. */
  readonly period: number
}

export const floodLimits = (settings: Settings): FloodLimits => ({
  maximum: {
    RST_STREAM: settings['fw.http.limits.rst-flood-max-rst-frame-per-window'],
    SETTINGS: settings['fw.http.limits.settings-flood-max-frame-per-window'],
    PING: settings['fw.http.limits.ping-flood-max-frame-per-window'],
  },
  period: settings['fw.http.limits.rst-flood-window-duration'],
})

/** Counts the frames of one connection. A period begins with its first frame. */
export class FloodCounter {
  readonly #limits: FloodLimits
  readonly #counts: Record<CountedFrame, number> = { RST_STREAM: 0, SETTINGS: 0, PING: 0 }
  #periodEnd = 0

  constructor(limits: FloodLimits) {
    this.#limits = limits
  }

  /** Counts a frame received at `now`. Returns `false` if the client has sent too many frames of this kind. */
  add(frame: CountedFrame, now: number): boolean {
    const counts = this.#counts
    if (now >= this.#periodEnd) {
      counts.RST_STREAM = counts.SETTINGS = counts.PING = 0
      this.#periodEnd = now + this.#limits.period
    }
    counts[frame]++
    return this.#limits.period === 0 || counts[frame] <= this.#limits.maximum[frame]
  }
}

/** The part of the body memory that a connection can always fill. */
const share = 1 / 256

/** The part of the body memory above which the share of a connection applies. */
const threshold = 1 / 2

/**
 * The body memory of a server, as the responses of one connection use it.
 *
 * A client that reads nothing can have many requests in progress. While more than half of the body memory is in use, a connection that
 * holds 1/256 of it has no room for further responses. One hundred connections whose clients read nothing therefore leave room for others.
 */
export class ConnectionMemory extends BodyMemory {
  readonly #server: BodyMemory

  constructor(server: BodyMemory) {
    super(server.limit, () => server.reject())
    this.#server = server
  }

  override get free(): number {
    const { used, limit, free } = this.#server
    return used > limit * threshold && this.used >= limit * share ? 0 : free
  }

  override reserve(maximum: number, minimum: number): number {
    const granted = super.reserve(maximum, minimum)
    this.#server.add(granted)
    return granted
  }

  override add(bytes: number): void {
    super.add(bytes)
    this.#server.add(bytes)
  }

  override release(bytes: number): void {
    super.release(bytes)
    this.#server.release(bytes)
  }
}
