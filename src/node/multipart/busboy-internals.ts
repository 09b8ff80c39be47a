/**
 * Hooks into `busboy` so that malformed multipart bodies are rejected. Without these hooks, parts could be lost silently.
 *
 * busboy skips parts with invalid headers, does not expose part headers, and ignores text after a delimiter. Therefore, busboy only
 * tracks where parts begin and end. This module parses the part headers, passes on the bytes of the parts, counts delimiters, and
 * skips whitespace after a delimiter (RFC 2046, 5.1.1).
 *
 * The module relies on the private members `_hparser`, `_bparser` and `_complete`. Therefore, the version of busboy is pinned. An
 * error is thrown if a parser lacks these members.
 */
import type { Writable } from 'node:stream'
import type { Headers } from '../../http/headers.ts'
import {
  malformedMultipart,
  multipartTooLarge,
} from '../../interpreter/request-body/multipart/parts.ts'
import type { PartLimits } from '../../interpreter/platform.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { PartBody } from './part-body.ts'
import * as PartHeaders from '../../http/part-headers.ts'

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32

/** Collects the header section of a part, up to and including the empty line that ends the section. */
class PartHeaderBuffer {
  readonly #maxSize: number
  #chunks: Buffer[] = []
  #size = 0
  /**
   * Number of bytes of the sequence `CR LF CR LF` that have been matched. The initial value is 2, because a section begins after a
   * line break.
   */
  #matched = 2

  /** `maxSize` is the maximum size of a section in bytes, including line breaks but excluding the empty line. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /**
   * Adds bytes up to the end of the section. Returns the position after the last added byte, or `undefined` if the section is too
   * large.
   */
  add(bytes: Buffer, start: number, end: number): number | undefined {
    let position = start
    while (position < end && this.#matched < 4)
      this.#matched = nextMatch(this.#matched, bytes[position++] ?? 0)
    // the bytes are copied, because the memory of the chunk is reused before the section is complete
    this.#chunks.push(Buffer.from(bytes.subarray(start, position)))
    this.#size += position - start
    const emptyLine = this.#matched === 4 ? 2 : this.#matched === 3 ? 1 : 0
    return this.#size - emptyLine > this.#maxSize ? undefined : position
  }

  /**
   * Returns the section without the last line break and the empty line that end it, and resets the buffer. Returns `undefined` if
   * the section is incomplete.
   */
  takeComplete(): Buffer | undefined {
    if (this.#matched < 4) return undefined
    const section = Buffer.concat(this.#chunks, this.#size)
    this.#chunks = []
    this.#size = 0
    this.#matched = 2
    return section.subarray(0, Math.max(0, section.length - 4))
  }
}

const nextMatch = (matched: number, byte: number): number => {
  if (byte === CR) return matched === 2 ? 3 : 1
  if (byte === LF && (matched === 1 || matched === 3)) return matched + 1
  return 0
}

/** The type of the private `_hparser` member of a busboy parser. */
interface HeaderParser {
  /** Parses bytes of a header section. Returns the position after the last parsed byte, or -1 after an error. */
  push: (bytes: Buffer, start: number, end: number) => number
  /** Called with the headers of a part. busboy emits no event for a part without headers. */
  readonly cb: (headers: Readonly<Record<string, ReadonlyArray<string>>>) => void
}

/**
 * The type of the private `_bparser._cb` function of a busboy parser. The function is called with the bytes before a possible
 * delimiter.
 */
type OnBoundary = (
  isDelimiter: boolean,
  bytes: Buffer | undefined,
  start: number,
  end: number,
  isSafe: boolean,
) => void

/** The type of the private `_bparser` member of a busboy parser, which searches a body for delimiters. */
interface BoundarySearch {
  _cb: OnBoundary
  /** The delimiter, including the preceding line break. */
  readonly _needle: Buffer
}

const lineBreak = Buffer.of(CR, LF)

/** Receives the parts of a body. */
export interface PartReceiver {
  /** Called at the beginning of a part. Returns the receiver of its body. */
  readonly begin: (headers: Headers) => Pick<PartBody, 'add' | 'end'>
  /** Called with an `HttpError` if the body is malformed. */
  readonly fail: (error: unknown) => void
}

/**
 * Replaces the header parser and the search of a busboy parser, and passes on the parts.
 *
 * Functions are declared before they are assigned to a member of busboy. V8 allocates a function literal on the right-hand side of
 * such an assignment in the old generation. Until the next major garbage collection, it would retain everything that belongs to
 * the request, which takes 10% more CPU time for a 1 MB upload.
 */
export class BusboyInternals {
  /** Parses a chunk of the body. */
  readonly parse: (chunk: Uint8Array) => void
  readonly #limits: PartLimits
  readonly #receiver: PartReceiver
  /** The current part, or `undefined` before the end of its headers. */
  #body: ReturnType<PartReceiver['begin']> | undefined
  /** Position of the next byte of the current part. */
  #position = 0
  readonly #buffer: PartHeaderBuffer
  #hasFailed = false
  #delimiters = 0
  #parts = 0
  /** Whether all bytes received since the most recent delimiter, if any, are whitespace. */
  #isAfterDelimiter = false
  /** Whether the most recent delimiter is followed by whitespace. */
  #hasPadding = false

  /** `parser` must not have received data yet. */
  constructor(parser: Writable, limits: PartLimits, receiver: PartReceiver) {
    this.#limits = limits
    this.#receiver = receiver
    this.#buffer = new PartHeaderBuffer(limits.headerSize)
    const search: unknown = Reflect.get(parser, '_bparser')
    if (!isBoundarySearch(search)) throw unsupportedVersion
    this.#replaceHeaderParser(parser, search)
    this.#observeDelimiters(parser, search)
    this.parse = searchWithIndexOf(search)
  }

  /** Whether the part is missing after any delimiter other than the last one. */
  get hasUnmatchedDelimiter(): boolean {
    return this.#delimiters !== this.#parts + 1
  }

  /**
   * Replaces the `push` function of the header parser. A busboy parser uses the same header parser for all parts, and exposes it
   * only after a delimiter and a line break.
   */
  #replaceHeaderParser(parser: Writable, { _cb: onBoundary }: BoundarySearch): void {
    onBoundary(true, undefined, 0, 0, false)
    onBoundary(false, lineBreak, 0, lineBreak.length, false)
    const headerParser: unknown = Reflect.get(parser, '_hparser')
    if (!isHeaderParser(headerParser)) throw unsupportedVersion
    const push: HeaderParser['push'] = (bytes, start, end) =>
      this.#parseHeaders(headerParser, bytes, start, end)
    headerParser.push = push
    // no part has started yet
    Reflect.set(parser, '_hparser', null)
  }

  #observeDelimiters(parser: Writable, search: BoundarySearch): void {
    if (!('_complete' in parser)) throw unsupportedVersion
    const onBoundary = search._cb
    const observe: OnBoundary = (isDelimiter, bytes, start, end, isSafe) => {
      // bytes after the last delimiter are not a part, even if they look like one
      if (this.#hasFailed || isComplete(parser)) return
      this.#position = this.#skipPadding(bytes, start, end, onBoundary)
      onBoundary(isDelimiter, bytes, this.#position, end, isSafe)
      if (this.#body !== undefined && bytes !== undefined && this.#position < end) {
        const chunk = bytes.subarray(this.#position, end)
        this.#body.add(isSafe ? chunk : Buffer.from(chunk))
      }
      if (isDelimiter) {
        this.#body?.end()
        this.#body = undefined
        this.#isAfterDelimiter = true
        this.#hasPadding = false
      }
      if (!isDelimiter || this.#hasFailed || isComplete(parser)) return
      if (Reflect.get(parser, '_hparser') !== null)
        this.#reject(malformedMultipart('unterminated part header'))
      else if (this.#delimiters !== this.#parts) this.#reject(malformedMultipart(invalidDelimiter))
      this.#delimiters++
    }
    search._cb = observe
  }

  /** Skips whitespace after a delimiter. Returns the position of the next byte. */
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
    // without the skipped whitespace, the line could look like the last delimiter
    if (this.#hasPadding && bytes[position] !== CR) onBoundary(false, Buffer.of(SPACE), 0, 1, false)
    return position
  }

  #parseHeaders({ cb }: HeaderParser, bytes: Buffer, start: number, end: number): number {
    const position = this.#buffer.add(bytes, start, end)
    if (position === undefined) {
      this.#reject(
        multipartTooLarge(
          `The header section of a part is larger than ${this.#limits.headerSize} bytes (${this.#limits.headerSizeName}).`,
        ),
      )
      return -1
    }
    const section = this.#buffer.takeComplete()
    if (section === undefined) return position
    this.#parts++
    const headers = PartHeaders.parse(section)
    const maxHeaders = this.#limits.headerCount
    if (O.isNone(headers)) this.#reject(malformedMultipart('invalid part header'))
    else if (headers.value.length > 2 * maxHeaders)
      this.#reject(
        multipartTooLarge(
          `A part has more than ${maxHeaders} headers (${this.#limits.headerCountName}).`,
        ),
      )
    if (O.isNone(headers) || this.#hasFailed) return -1
    this.#body = this.#receiver.begin(headers.value)
    this.#position = position
    cb({})
    return position
  }

  #reject(error: unknown): void {
    this.#hasFailed = true
    this.#receiver.fail(error)
  }
}

/**
 * Returns a function that searches a chunk for delimiters. It replaces the search of busboy, which compares bytes in JavaScript, and
 * the writable stream around that search. This saves about 20% of the CPU time for reading the parts of a 1 MB upload (`npm run
 * streams -- --only parts` in `bench`).
 */
const searchWithIndexOf = (search: BoundarySearch): ((chunk: Uint8Array) => void) => {
  const delimiter = search._needle
  /** Number of bytes of the delimiter at the end of the previous chunk. The first delimiter needs no line break before it. */
  let matched = lineBreak.length
  return (bytes) => {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    let start = 0
    if (matched > 0) {
      const rest = delimiter.subarray(matched, matched + chunk.length)
      if (rest.equals(chunk.subarray(0, rest.length))) {
        matched += rest.length
        if (matched < delimiter.length) return
        start = rest.length
        search._cb(true, undefined, 0, 0, true)
      } else search._cb(false, delimiter, 0, matched, false)
    }
    for (let next; (next = chunk.indexOf(delimiter, start)) >= 0; start = next + delimiter.length)
      search._cb(true, chunk, start, next, true)
    const end = partialDelimiter(chunk, start, delimiter)
    matched = chunk.length - end
    if (end > start) search._cb(false, chunk, start, end, true)
  }
}

/** Returns the position at the end of a chunk where the beginning of a delimiter starts, or the length of the chunk. */
const partialDelimiter = (chunk: Buffer, start: number, delimiter: Buffer): number => {
  let position = Math.max(start, chunk.length - delimiter.length + 1) - 1
  do position = chunk.indexOf(CR, position + 1)
  while (
    position >= 0 &&
    !delimiter.subarray(0, chunk.length - position).equals(chunk.subarray(position))
  )
  return position < 0 ? chunk.length : position
}

/** The error detail for a line that begins with the delimiter and continues with other text. */
export const invalidDelimiter = 'unexpected text after a delimiter'

/** Whether a busboy parser has found the last delimiter. */
const isComplete = (parser: Writable): boolean => Reflect.get(parser, '_complete') === true

const unsupportedVersion = new TypeError('unsupported version of busboy: install version 1.6.0')

const isHeaderParser = (value: unknown): value is HeaderParser =>
  typeof value === 'object' &&
  value !== null &&
  'push' in value &&
  typeof value.push === 'function' &&
  'cb' in value &&
  typeof value.cb === 'function'

const isBoundarySearch = (value: unknown): value is BoundarySearch =>
  typeof value === 'object' &&
  value !== null &&
  '_cb' in value &&
  typeof value._cb === 'function' &&
  '_needle' in value &&
  Buffer.isBuffer(value._needle)
