/**
 * Keeps `busboy` from losing anything. It skips every part whose header section it does not like, tells nobody which fields
 * there were, and takes a delimiter with something behind it for the end of a part. So header sections are read here, and what
 * it is given in their place makes every part a file to it, of which it hands on the octets as they are; delimiters are counted,
 * and what may stand behind them (RFC 2046, 5.1.1) is left out.
 *
 * That takes members of it that are private: `_hparser`, `_bparser` with its `_cb`, and `_complete`. Its version is pinned, and
 * a parser that has no such members is refused.
 */
import type { Writable } from 'node:stream'
import * as O from 'fp-ts/lib/Option.js'
import type { Headers } from '../../http/headers.ts'
import * as PartFields from '../../http/part-headers.ts'
import { malformed, tooLarge } from '../../interpreter/request-body/multipart/rejected.ts'
import type { PartLimits } from '../../interpreter/request-body/multipart/raw-part.ts'
import { PartHeaderBuffer } from './part-header-buffer.ts'

/** Reads a header section from one position to another; gives the position behind what it took, or -1 when it cannot. */
interface SectionParser {
  push: (octets: Buffer, from: number, to: number) => number
  /** Takes the fields; what they are decides whether there is a part. */
  readonly cb: (fields: Readonly<Record<string, ReadonlyArray<string>>>) => void
}

/** Is told what is found: whether a delimiter, and the octets in front of it, from one position to another. */
type Take = (
  isDelimiter: boolean,
  octets: Buffer | undefined,
  from: number,
  to: number,
  isSafe: boolean,
) => void

const TAB = 9
const CR = 13
const SPACE = 32

/** The fields of a part with a file. */
const file = { 'content-disposition': ['form-data; name="a"; filename="a"'] }

export class BusboyInternals {
  /** The fields of the part that has begun last. */
  latestHeaders: Headers = []
  readonly #limits: PartLimits
  readonly #fail: (error: unknown) => void
  readonly #section: PartHeaderBuffer
  #hasFailed = false
  #delimiters = 0
  #begun = 0
  /** Whether nothing but padding has come behind the last delimiter, and whether any has. */
  #isBehind = false
  #isPadded = false

  /** Puts itself into a parser that has not been written to. */
  constructor(parser: Writable, limits: PartLimits, fail: (error: unknown) => void) {
    this.#limits = limits
    this.#fail = fail
    this.#section = new PartHeaderBuffer(limits.headerSize)
    this.#watchSections(parser)
    this.#watchDelimiters(parser)
  }

  /** Whether there was a delimiter behind which no part began, besides the last. */
  get hasUnmatchedDelimiter(): boolean {
    return this.#delimiters !== this.#begun + 1
  }

  #watchSections(parser: Writable): void {
    let open: unknown = null
    Object.defineProperty(parser, '_hparser', {
      get: () => open,
      set: (next: unknown) => {
        open = next
        if (next === null) return
        if (!isSectionParser(next)) throw changed
        this.#begun++
        next.push = (octets, from, to) => this.#read(next, octets, from, to)
      },
    })
  }

  #watchDelimiters(parser: Writable): void {
    const search: unknown = Reflect.get(parser, '_bparser')
    if (!isSearch(search) || !('_complete' in parser)) throw changed
    const take = search._cb
    search._cb = (isDelimiter, octets, from, to, isSafe) => {
      // what follows the last delimiter is no part, even when it looks like one
      if (this.#hasFailed || isOver(parser)) return
      take(isDelimiter, octets, this.#behindPadding(octets, from, to, take), to, isSafe)
      if (isDelimiter) {
        this.#isBehind = true
        this.#isPadded = false
      }
      if (!isDelimiter || this.#hasFailed || isOver(parser)) return
      if (Reflect.get(parser, '_hparser') !== null)
        this.#refuse(malformed('the header of a part has no end'))
      else if (this.#delimiters !== this.#begun)
        this.#refuse(malformed('a line begins as a delimiter does and is none'))
      this.#delimiters++
    }
  }

  /** The position behind linear white space of a delimiter: it belongs to the line, if nothing else follows there. */
  #behindPadding(octets: Buffer | undefined, from: number, to: number, take: Take): number {
    if (!this.#isBehind || octets === undefined) return from
    let at = from
    while (at < to && (octets[at] === SPACE || octets[at] === TAB)) at++
    if (at > from) this.#isPadded = true
    if (at === to) return at
    this.#isBehind = false
    // what would be the last delimiter without it is none
    if (this.#isPadded && octets[at] !== CR) take(false, Buffer.of(SPACE), 0, 1, false)
    return at
  }

  #read({ cb }: SectionParser, octets: Buffer, from: number, to: number): number {
    const end = this.#section.take(octets, from, to)
    if (end === undefined) {
      this.#refuse(
        tooLarge(
          `The header of a part has more than ${this.#limits.headerSize} octets (fw.http.limits.max-multipart-part-header-size).`,
        ),
      )
      return -1
    }
    const section = this.#section.whole()
    if (section === undefined) return end
    const fields = PartFields.parse(section)
    const most = this.#limits.headerFields
    if (O.isNone(fields)) this.#refuse(malformed('the header of a part is malformed'))
    else if (fields.value.length > 2 * most)
      this.#refuse(
        tooLarge(
          `The header of a part has more than ${most} fields (fw.http.limits.max-multipart-part-header-count).`,
        ),
      )
    if (O.isNone(fields) || this.#hasFailed) return -1
    this.latestHeaders = fields.value
    cb(file)
    return end
  }

  #refuse(error: unknown): void {
    this.#hasFailed = true
    this.#fail(error)
  }
}

/** Whether the last delimiter was there. */
const isOver = (parser: Writable): boolean => Reflect.get(parser, '_complete') === true

const changed = new TypeError('this is another version of busboy than 1.6.0')

const isSectionParser = (value: unknown): value is SectionParser =>
  typeof value === 'object' &&
  value !== null &&
  'push' in value &&
  typeof value.push === 'function' &&
  'cb' in value &&
  typeof value.cb === 'function'

const isSearch = (value: unknown): value is { _cb: Take } =>
  typeof value === 'object' && value !== null && '_cb' in value && typeof value._cb === 'function'
