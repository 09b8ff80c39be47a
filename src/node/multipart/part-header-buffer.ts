/** Gathers the header section of a part up to its empty line, however its octets come. */

const CR = 13
const LF = 10

export class PartHeaderBuffer {
  readonly #most: number
  #pieces: Buffer[] = []
  #octets = 0
  /** How much of `CR LF CR LF` stands before the next octet. A section begins behind a line, so an empty one is `CR LF`. */
  #matched = 2

  /** At most so many octets, with the ends of their lines and without the empty line. */
  constructor(most: number) {
    this.#most = most
  }

  /** Takes octets up to the end of the section; gives the position behind them, `undefined` when they are too many. */
  take(octets: Buffer, from: number, to: number): number | undefined {
    let at = from
    while (at < to && this.#matched < 4) this.#matched = follows(this.#matched, octets[at++] ?? 0)
    // the memory of the piece is free before the section is whole
    this.#pieces.push(Buffer.from(octets.subarray(from, at)))
    this.#octets += at - from
    const open = this.#matched === 4 ? 2 : this.#matched === 3 ? 1 : 0
    return this.#octets - open > this.#most ? undefined : at
  }

  /** The section without its empty line and the end of its last line, once it is there; the next is begun with it. */
  whole(): Buffer | undefined {
    if (this.#matched < 4) return undefined
    const octets = Buffer.concat(this.#pieces, this.#octets)
    this.#pieces = []
    this.#octets = 0
    this.#matched = 2
    return octets.subarray(0, Math.max(0, octets.length - 4))
  }
}

const follows = (matched: number, octet: number): number => {
  if (octet === CR) return matched === 2 ? 3 : 1
  if (octet === LF && (matched === 1 || matched === 3)) return matched + 1
  return 0
}
