/**
 * Hooks into `busboy`, so that no part of a malformed body is lost silently.
 *
 * busboy skips parts whose headers it rejects, does not expose the headers of a part, and ignores text after a delimiter. So the
 * headers are parsed here, and every part is presented to busboy as a file, whose bytes it passes on unchanged. Delimiters
 * are counted, and the whitespace that may follow them (RFC 2046, 5.1.1) is skipped.
 *
 * This uses private members: `_hparser`, `_bparser` with its `_cb`, and `_complete`. The version of busboy is pinned, and a parser
 * without these members is an error.
 */
import type { Writable } from 'node:stream'
import type { Headers } from '../../http/headers.ts'
import {
  malformedMultipart,
  multipartTooLarge,
} from '../../interpreter/request-body/multipart/multipart-limits.ts'
import type { PartLimits } from '../../interpreter/platform.ts'
import { PartHeaderBuffer } from './part-header-buffer.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as PartHeaders from '../../http/part-headers.ts'

/** The value of `_hparser`. `push` parses bytes of a header section; it returns the end position, or -1 after an error. */
interface HeaderParser {
  push: (bytes: Buffer, start: number, end: number) => number
  /** Called with the headers, which decide whether busboy emits a part. */
  readonly cb: (headers: Readonly<Record<string, ReadonlyArray<string>>>) => void
}

/** The type of `_bparser._cb`, which is called with the bytes before a possible delimiter. */
type OnBoundary = (
  isDelimiter: boolean,
  bytes: Buffer | undefined,
  start: number,
  end: number,
  isSafe: boolean,
) => void

const TAB = 9
const CR = 13
const SPACE = 32

/** Headers with which busboy emits any part as a file. */
const fileHeaders = { 'content-disposition': ['form-data; name="a"; filename="a"'] }

export class BusboyInternals {
  /** The headers of the latest part. */
  latestHeaders: Headers = []
  readonly #limits: PartLimits
  readonly #fail: (error: unknown) => void
  readonly #buffer: PartHeaderBuffer
  #hasFailed = false
  #delimiters = 0
  #parts = 0
  /** Whether only whitespace has followed the latest delimiter so far, and whether there was any. */
  #isAfterDelimiter = false
  #hasPadding = false

  /** `parser` must not have been written to. `fail` is called with an `HttpError` for a malformed body. */
  constructor(parser: Writable, limits: PartLimits, fail: (error: unknown) => void) {
    this.#limits = limits
    this.#fail = fail
    this.#buffer = new PartHeaderBuffer(limits.headerSize)
    this.#replaceHeaderParser(parser)
    this.#observeDelimiters(parser)
  }

  /** Whether a delimiter other than the last one was followed by no part. */
  get hasUnmatchedDelimiter(): boolean {
    return this.#delimiters !== this.#parts + 1
  }

  #replaceHeaderParser(parser: Writable): void {
    let current: unknown = null
    Object.defineProperty(parser, '_hparser', {
      get: () => current,
      set: (next: unknown) => {
        current = next
        if (next === null) return
        if (!isHeaderParser(next)) throw unsupportedVersion
        this.#parts++
        next.push = (bytes, start, end) => this.#parseHeaders(next, bytes, start, end)
      },
    })
  }

  #observeDelimiters(parser: Writable): void {
    const search: unknown = Reflect.get(parser, '_bparser')
    if (!isBoundarySearch(search) || !('_complete' in parser)) throw unsupportedVersion
    const onBoundary = search._cb
    search._cb = (isDelimiter, bytes, start, end, isSafe) => {
      // bytes after the last delimiter are not a part, even if they look like one
      if (this.#hasFailed || isComplete(parser)) return
      onBoundary(isDelimiter, bytes, this.#skipPadding(bytes, start, end, onBoundary), end, isSafe)
      if (isDelimiter) {
        this.#isAfterDelimiter = true
        this.#hasPadding = false
      }
      if (!isDelimiter || this.#hasFailed || isComplete(parser)) return
      if (Reflect.get(parser, '_hparser') !== null)
        this.#reject(malformedMultipart('unterminated part header'))
      else if (this.#delimiters !== this.#parts) this.#reject(malformedMultipart(invalidDelimiter))
      this.#delimiters++
    }
  }

  /** Returns the position after the whitespace that follows a delimiter. It belongs to the delimiter if only CRLF follows. */
  #skipPadding(
    bytes: Buffer | undefined,
    start: number,
    end: number,
    onBoundary: OnBoundary,
  ): number {
    if (!this.#isAfterDelimiter || bytes === undefined) return start
    let position = start
    while (position < end && (bytes[position] === SPACE || bytes[position] === TAB)) position++
    if (position > start) this.#hasPadding = true
    if (position === end) return position
    this.#isAfterDelimiter = false
    // without the skipped whitespace, the line would look like the last delimiter
    if (this.#hasPadding && bytes[position] !== CR) onBoundary(false, Buffer.of(SPACE), 0, 1, false)
    return position
  }

  #parseHeaders({ cb }: HeaderParser, bytes: Buffer, start: number, end: number): number {
    const position = this.#buffer.add(bytes, start, end)
    if (position === undefined) {
      this.#reject(
        multipartTooLarge(
          `Part header limit of ${this.#limits.headerSize} bytes exceeded (fw.http.limits.max-multipart-part-header-size).`,
        ),
      )
      return -1
    }
    const section = this.#buffer.takeComplete()
    if (section === undefined) return position
    const headers = PartHeaders.parse(section)
    const maxHeaders = this.#limits.headerCount
    if (O.isNone(headers)) this.#reject(malformedMultipart('invalid part header'))
    else if (headers.value.length > 2 * maxHeaders)
      this.#reject(
        multipartTooLarge(
          `Limit of ${maxHeaders} headers per part exceeded (fw.http.limits.max-multipart-part-header-count).`,
        ),
      )
    if (O.isNone(headers) || this.#hasFailed) return -1
    this.latestHeaders = headers.value
    cb(fileHeaders)
    return position
  }

  #reject(error: unknown): void {
    this.#hasFailed = true
    this.#fail(error)
  }
}

/** The detail for a line that begins with the delimiter and continues with other text. */
export const invalidDelimiter = 'unexpected text after a delimiter'

/** Whether the last delimiter was found. */
const isComplete = (parser: Writable): boolean => Reflect.get(parser, '_complete') === true

const unsupportedVersion = new TypeError('unsupported version of busboy: install 1.6.0')

const isHeaderParser = (value: unknown): value is HeaderParser =>
  typeof value === 'object' &&
  value !== null &&
  'push' in value &&
  typeof value.push === 'function' &&
  'cb' in value &&
  typeof value.cb === 'function'

const isBoundarySearch = (value: unknown): value is { _cb: OnBoundary } =>
  typeof value === 'object' && value !== null && '_cb' in value && typeof value._cb === 'function'
