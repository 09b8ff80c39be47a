/** How Node is told to compress. */
import type { Transform } from 'node:stream'

/** What a coding is made with. */
export interface Compressing {
  readonly sync: (octets: Uint8Array) => Uint8Array
  /** A stream; one that is `flushed` gives for each piece all that was put in. */
  readonly stream: (isFlushed: boolean) => Transform
}
