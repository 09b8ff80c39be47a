/**
 * Takes multipart content apart while it comes: what is between its delimiters. Only the header section of a part is held.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 */
import * as O from 'fp-ts/lib/Option.js'
import type { PartHead } from '../../body/part-head.ts'
import { partHead } from '../../body/part-head.ts'
import * as PartFields from '../../http/part-headers.ts'

export interface Part extends PartHead {
  /** To be read before the next part is asked for; what is left unread then is skipped. */
  readonly content: AsyncIterable<Uint8Array>
}

/** Octets of the header section of a part. */
const mostHeader = 16 * 1024

const encoder = new TextEncoder()
const lineEnd = encoder.encode('\r\n')
const headEnd = encoder.encode('\r\n\r\n')
const [CR, LF, dash, space, tab] = [0x0d, 0x0a, 0x2d, 0x20, 0x09]

/** The parts in order; throws what `malformed` makes of content that is not what its boundary says, up to its last delimiter. */
export async function* splitParts(
  octets: AsyncIterable<Uint8Array>,
  boundary: string,
  malformed: (detail: string) => Error,
): AsyncGenerator<Part, undefined> {
  const cut = (): Error => malformed('it ends before its last delimiter')
  const delimiter = encoder.encode(`\r\n--${boundary}`)
  // the first delimiter may stand at the very beginning
  const ahead = new Ahead(octets, lineEnd)
  const skip = async (): Promise<void> => {
    while ((await ahead.before(delimiter, cut)) !== undefined);
  }
  try {
    await skip()
    for (;;) {
      await ahead.least(2, cut)
      if (ahead.at(0) === dash && ahead.at(1) === dash) return undefined
      while (ahead.at(0) === space || ahead.at(0) === tab) await ahead.least(2, cut, 1)
      if (ahead.at(0) !== CR || ahead.at(1) !== LF)
        throw malformed('a line begins as a delimiter does and is none')
      const section = await ahead.whole(headEnd, mostHeader, cut)
      if (section === undefined) throw malformed('the header of a part is too large')
      const headers = PartFields.parse(section.subarray(2))
      if (O.isNone(headers)) throw malformed('the header of a part is malformed')
      const head = partHead(headers.value)
      if (O.isNone(head))
        throw malformed('a part has no name, or its Content-Disposition is malformed')
      // of a part without content, the end of its header is that of the line before the delimiter too
      const content = new Content(ahead, delimiter, cut, await ahead.begins(delimiter.subarray(2)))
      yield { ...head.value, content }
      content.isOver = true
      if (!content.isEnded) await skip()
    }
  } finally {
    await ahead.leave()
  }
}

/** The octets of one part. */
class Content implements AsyncIterableIterator<Uint8Array> {
  readonly #ahead: Ahead
  readonly #delimiter: Uint8Array
  readonly #cut: () => Error
  /** Whether its last octet was read. */
  isEnded: boolean
  /** Whether nobody may read any more. */
  isOver = false

  constructor(ahead: Ahead, delimiter: Uint8Array, cut: () => Error, isEmpty: boolean) {
    this.isEnded = isEmpty
    this.#ahead = ahead
    this.#delimiter = delimiter
    this.#cut = cut
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.isOver || this.isEnded) return over
    const value = await this.#ahead.before(this.#delimiter, this.#cut)
    if (value !== undefined) return { done: false, value }
    this.isEnded = true
    return over
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.isOver = true
    return over
  }
}

const over: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined }

/** Octets that have come and are not taken yet. */
class Ahead {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Uint8Array
  /** What `#held` is in, where that is memory of its own. It has room behind, so that small pieces do not move all before them. */
  #own: Uint8Array | undefined

  constructor(octets: AsyncIterable<Uint8Array>, held: Uint8Array) {
    this.#source = octets[Symbol.asyncIterator]()
    this.#held = held
  }

  async leave(): Promise<void> {
    await this.#source.return?.()
  }

  at(index: number): number | undefined {
    return this.#held[index]
  }

  /** Drops octets, and has so many more come that there are `count`. */
  async least(count: number, cut: () => Error, dropped = 0): Promise<void> {
    this.#held = this.#held.subarray(dropped)
    while (this.#held.length < count) if (!(await this.#more())) throw cut()
  }

  /** Whether what comes begins so; it is taken then. */
  async begins(wanted: Uint8Array): Promise<boolean> {
    for (;;) {
      const there = Math.min(wanted.length, this.#held.length)
      for (let at = 0; at < there; at++) if (this.#held[at] !== wanted[at]) return false
      if (there === wanted.length) {
        this.#held = this.#held.subarray(there)
        return true
      }
      if (!(await this.#more())) return false
    }
  }

  /** The next octets before a delimiter; `undefined` when there are none, and it is taken. */
  async before(delimiter: Uint8Array, cut: () => Error): Promise<Uint8Array | undefined> {
    for (;;) {
      const end = indexOf(this.#held, delimiter)
      if (end === 0) {
        this.#held = this.#held.subarray(delimiter.length)
        return undefined
      }
      // its beginning may be at the end of what has come
      const safe = end === -1 ? this.#held.length - delimiter.length + 1 : end
      if (safe > 0) {
        const octets = this.#held.subarray(0, safe)
        this.#held = this.#held.subarray(safe)
        return octets
      }
      if (!(await this.#more())) throw cut()
    }
  }

  /** All octets before an end, which is taken too; `undefined` when they are too many. */
  async whole(end: Uint8Array, most: number, cut: () => Error): Promise<Uint8Array | undefined> {
    let sought = 0
    for (;;) {
      const at = indexOf(this.#held, end, sought)
      sought = Math.max(0, this.#held.length - end.length + 1)
      if (at !== -1) {
        const octets = this.#held.subarray(0, at)
        this.#held = this.#held.subarray(at + end.length)
        return octets
      }
      if (this.#held.length > most) return undefined
      if (!(await this.#more())) throw cut()
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (done === true) return false
    this.#append(value)
    return true
  }

  #append(value: Uint8Array): void {
    const held = this.#held
    if (held.length === 0) {
      this.#held = value
      this.#own = undefined
      return
    }
    const length = held.length + value.length
    const own = this.#own
    const begin = held.byteOffset - (own?.byteOffset ?? 0)
    if (own !== undefined && begin + length <= own.length) {
      // behind all that was handed out
      own.set(value, begin + held.length)
      this.#held = own.subarray(begin, begin + length)
      return
    }
    const larger = new Uint8Array(2 * length)
    larger.set(held)
    larger.set(value, held.length)
    this.#own = larger
    this.#held = larger.subarray(0, length)
  }
}

/** The first position from `from` on, in time linear in the octets: beginnings of a delimiter do not overlap. */
const indexOf = (octets: Uint8Array, wanted: Uint8Array, from = 0): number => {
  const [first = 0] = wanted
  let at = octets.indexOf(first, from)
  while (at !== -1 && at + wanted.length <= octets.length) {
    let matched = 1
    while (matched < wanted.length && octets[at + matched] === wanted[matched]) matched++
    if (matched === wanted.length) return at
    at++
    // of a row of these, none is looked for again
    if (octets[at] !== first) at = octets.indexOf(first, at)
  }
  return -1
}
