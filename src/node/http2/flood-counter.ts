/** Counts frames with which clients can cause work at little cost to themselves: rapid reset, SETTINGS floods, PING floods. */
import type { Settings } from '../../compiler/settings/settings.ts'

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
