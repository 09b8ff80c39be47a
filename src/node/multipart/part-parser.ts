/**
 * Parses a multipart body that is received in chunks, and rejects malformed bodies.
 *
 * The parser buffers nothing but the header section of a part, and passes on the bytes of parts without copying them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
 */
import type { Headers } from '../../http/headers.ts'
import {
  malformedMultipart,
  multipartTooLarge,
} from '../../interpreter/request-body/multipart/parts.ts'
import type { PartLimits } from '../../interpreter/platform.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { PartBody } from './part-body.ts'
import * as PartHeaders from '../../http/part-headers.ts'
import { HeaderSection } from './header-section.ts'

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const DASH = 45

const lineBreak = Buffer.of(CR, LF)

/** What the next byte belongs to. */
type State =
  /** Text before the first delimiter, which is ignored. */
  | 'preamble'
  /** The line of a delimiter: directly after the delimiter. */
  | 'delimiter'
  /** The line of a delimiter: after whitespace, which belongs to the delimiter. */
  | 'padding'
  /** The line of a delimiter: after a hyphen. */
  | 'hyphen'
  /** The line of a delimiter: after a carriage return. */
  | 'lineBreak'
  /** Unexpected text after a delimiter. It is rejected at the next delimiter, or at the end of the body. */
  | 'text'
  | 'headers'
  | 'body'
  /** Text after the last delimiter, which is ignored. */
  | 'epilogue'
  | 'failed'

/** Returns the state after a byte of the line of a delimiter. */
const afterByte = (state: State, byte: number | undefined): State => {
  if (state === 'hyphen') return byte === DASH ? 'epilogue' : 'text'
  if (state === 'lineBreak') return byte === LF ? 'headers' : 'text'
  if (byte === SPACE || byte === TAB) return 'padding'
  if (byte === CR) return 'lineBreak'
  return byte === DASH && state === 'delimiter' ? 'hyphen' : 'text'
}

/** Receives the parts of a body. */
export interface PartReceiver {
  /** Called at the beginning of a part. Returns the receiver of its body. */
  readonly begin: (headers: Headers) => Pick<PartBody, 'add' | 'end'>
  /** Called once with an `HttpError` if the body is malformed. */
  readonly fail: (error: unknown) => void
}

/** A parser of one body. */
export class PartParser {
  /** The delimiter, including the preceding line break. */
  readonly #delimiter: Buffer
  readonly #limits: PartLimits
  readonly #receiver: PartReceiver
  readonly #section: HeaderSection
  #state: State = 'preamble'
  /** The current part. */
  #body: ReturnType<PartReceiver['begin']> | undefined = undefined
  /** Number of bytes of the delimiter at the end of the previous chunk. The first delimiter needs no line break before it. */
  #matched = lineBreak.length

  constructor(boundary: string, limits: PartLimits, receiver: PartReceiver) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#limits = limits
    this.#receiver = receiver
    this.#section = new HeaderSection(limits.headerSize)
  }

  /** Parses a chunk. The receiver gets parts of its memory. */
  parse(chunk: Buffer): void {
    const delimiter = this.#delimiter
    const rest = this.#continueDelimiter(chunk)
    if (rest === undefined) return
    let start = rest
    let next = this.#isOver ? -1 : chunk.indexOf(delimiter, start)
    while (next >= 0) {
      this.#pass(chunk, start, next)
      this.#onDelimiter()
      start = next + delimiter.length
      next = this.#isOver ? -1 : chunk.indexOf(delimiter, start)
    }
    if (this.#isOver) return
    const end = partialDelimiter(chunk, start, delimiter)
    this.#matched = chunk.length - end
    this.#pass(chunk, start, end)
  }

  /** Ends the body. */
  end(): void {
    if (!this.#isOver) this.#fail(malformedMultipart('unexpected end of the body'))
  }

  /** Whether the rest of the body is ignored. */
  get #isOver(): boolean {
    return this.#state === 'epilogue' || this.#state === 'failed'
  }

  /**
   * Continues a delimiter that begins in the previous chunk. Returns the position of the next byte, or `undefined` if the delimiter
   * may continue in the next chunk.
   */
  #continueDelimiter(chunk: Buffer): number | undefined {
    const matched = this.#matched
    if (matched === 0 || this.#isOver) return 0
    const delimiter = this.#delimiter
    const length = Math.min(chunk.length, delimiter.length - matched)
    if (delimiter.compare(chunk, 0, length, matched, matched + length) !== 0) {
      this.#matched = 0
      this.#pass(Buffer.from(delimiter.subarray(0, matched)), 0, matched)
      return 0
    }
    this.#matched = matched + length
    if (this.#matched < delimiter.length) return undefined
    this.#matched = 0
    this.#onDelimiter()
    return length
  }

  #onDelimiter(): void {
    this.#body?.end()
    this.#body = undefined
    const state = this.#state
    if (state === 'preamble' || state === 'body') this.#state = 'delimiter'
    else if (state === 'headers') this.#fail(malformedMultipart('unterminated part header'))
    else if (!this.#isOver) this.#fail(malformedMultipart('unexpected text after a delimiter'))
  }

  /** Passes on bytes that contain no delimiter. */
  #pass(chunk: Buffer, start: number, end: number): void {
    let position = start
    while (position < end) {
      switch (this.#state) {
        case 'delimiter':
        case 'padding':
        case 'hyphen':
        case 'lineBreak':
          this.#state = afterByte(this.#state, chunk[position++])
          break
        case 'headers':
          position = this.#parseHeaders(chunk, position, end)
          break
        case 'body':
          this.#body?.add(
            position === 0 && end === chunk.length ? chunk : chunk.subarray(position, end),
          )
          return
        case 'preamble':
        case 'text':
        case 'epilogue':
        case 'failed':
          return
      }
    }
  }

  /** Parses bytes of a header section. Returns the position of the next byte. */
  #parseHeaders(chunk: Buffer, start: number, end: number): number {
    const { headerSize, headerSizeName, headerCount, headerCountName, headerCharset } = this.#limits
    const position = this.#section.add(chunk, start, end)
    if (position === undefined) {
      this.#fail(
        multipartTooLarge(
          `The header section of a part is larger than ${headerSize} bytes (${headerSizeName}).`,
        ),
      )
      return end
    }
    const section = this.#section.takeComplete()
    if (section === undefined) return position
    const headers = PartHeaders.parse(section, headerCharset)
    if (O.isNone(headers)) this.#fail(malformedMultipart('invalid part header'))
    else if (headers.value.length > 2 * headerCount)
      this.#fail(
        multipartTooLarge(`A part has more than ${headerCount} headers (${headerCountName}).`),
      )
    else {
      this.#state = 'body'
      this.#body = this.#receiver.begin(headers.value)
    }
    return position
  }

  #fail(error: unknown): void {
    this.#state = 'failed'
    this.#receiver.fail(error)
  }
}

/** Returns the position at the end of a chunk where the beginning of a delimiter starts, or the length of the chunk. */
const partialDelimiter = (chunk: Buffer, start: number, delimiter: Buffer): number => {
  const { length } = chunk
  let position = Math.max(start, length - delimiter.length + 1) - 1
  do position = chunk.indexOf(CR, position + 1)
  while (position >= 0 && delimiter.compare(chunk, position, length, 0, length - position) !== 0)
  return position < 0 ? length : position
}
