/**
 * Reads the heads of requests, and the trailers of chunked bodies.
 *
 * A table of transitions defines the grammar. It is strict: lines end with CRLF, header lines are not folded, exactly one space
 * separates the parts of the request line, and no whitespace surrounds a header name (RFC 9112, 2.2, 3 and 5). Any other byte makes
 * the message malformed.
 *
 * A head can be split at any byte. A head that arrives as a whole is converted to a string once, and its parts are slices of this
 * string.
 */
import type { RequestFailure } from '../../http/failure.ts'
import * as RequestTarget from '../../http/request-target.ts'
import type { HeadLimits, ReceivedHead } from '../exchange/request-head.ts'
import { classBits, classOf, compileTransitions, error } from './transitions.ts'

/**
 * The transitions. The state `field` begins a header line, and a trailer section.
 *
 * ```text
 * head         = *CRLF request-line *field-line CRLF
 * request-line = method SP request-target SP HTTP-version CRLF
 * field-line   = field-name ":" OWS field-value OWS CRLF
 * ```
 */
const { states, table } = compileTransitions({
  start: { token: 'method', cr: 'emptyLf' },
  emptyLf: { lf: 'start' },
  method: { token: 'method', space: 'targetStart' },
  targetStart: { visible: 'target' },
  target: { visible: 'target', space: 'version' },
  version: { visible: 'version', cr: 'lineLf' },
  lineLf: { lf: 'field' },
  field: { token: 'name', cr: 'endLf' },
  name: { token: 'name', colon: 'whitespace' },
  whitespace: {
    space: 'whitespace',
    tab: 'whitespace',
    visible: 'value',
    obsolete: 'value',
    cr: 'fieldLf',
  },
  value: { space: 'value', tab: 'value', visible: 'value', obsolete: 'value', cr: 'fieldLf' },
  fieldLf: { lf: 'field' },
  endLf: { lf: 'end' },
  end: {},
})

const { start, emptyLf, method, target, lineLf } = states
const { field, name, whitespace, value, fieldLf, endLf, end } = states

/** Result of a reader: all bytes have been read, and the message continues. */
export const incomplete = -1
/** Result of a reader: the message is rejected. */
export const rejected = -2

export const malformed: RequestFailure = {
  _tag: 'MalformedRequest',
  detail: 'The request is not a valid HTTP message.',
}

/** A complete head. */
export interface CompleteHead extends ReceivedHead {
  readonly method: string
  readonly url: string
}

/** Positions in the text of a head for each header: the end of the name, the start of the value, and the end of the line. */
const marksPerHeader = 3

/** Reads one head after the other, or one trailer section. */
export class HeadReader {
  /** The reason for the result {@link rejected}. */
  failure = malformed
  readonly #limits: HeadLimits
  readonly #isTrailer: boolean
  #state: number
  /** The part of the head that has been received in earlier chunks, and later the whole head. */
  #text = ''
  #methodEnd = 0
  #targetEnd = 0
  #versionEnd = 0
  readonly #marks: number[] = []

  /** If `isTrailer` is `true`, reads a trailer section, which has no request line and any number of headers. */
  constructor(limits: HeadLimits, isTrailer = false) {
    this.#limits = limits
    this.#isTrailer = isTrailer
    this.#state = isTrailer ? field : start
  }

  /** Whether part of a head has been received. Empty lines before the request line do not count. */
  get isStarted(): boolean {
    return this.#state !== start && this.#state !== emptyLf
  }

  /** Whether nothing has been received, or only empty lines before the request line that are complete. */
  get isUnused(): boolean {
    return this.#state === start
  }

  /** The text of the head that has been received in earlier chunks. */
  get received(): string {
    return this.#text
  }

  /**
   * Reads a chunk from a position. Returns the position after the head, after which `take` returns the head. Otherwise returns
   * {@link incomplete} or {@link rejected}.
   */
  read(chunk: Buffer, from: number): number {
    const marks = this.#marks
    let state = this.#state
    let at = from
    /** The position of the head in the chunk. Negative if the head began in an earlier chunk. */
    let begin = from - this.#text.length
    while (at < chunk.length) {
      // a limit is checked before the bytes that exceed it are kept
      const limit = begin + (state < field ? this.#limits.line + crlf : this.#sectionLimit())
      if (at === limit) return this.#reject(state < field ? 'UriTooLong' : 'HeaderFieldsTooLarge')
      const stop = Math.min(chunk.length, limit)
      for (; at < stop; at++) {
        const next = table[(state << classBits) | (classOf[chunk[at] ?? 0] ?? 0)] ?? error
        if (next === state) continue
        if (next === error) return this.#rejectByte(state, chunk, from)
        const previous = state
        state = next
        if (previous === name || (next === value && previous === whitespace)) marks.push(at - begin)
        else if (next === fieldLf) {
          // an empty value starts and ends here
          if (previous === whitespace) marks.push(at - begin)
          marks.push(at - begin)
        } else if (next === name) {
          if (!this.#isTrailer && marks.length >= marksPerHeader * this.#limits.headers)
            return this.#reject('HeaderFieldsTooLarge')
        } else if (previous === method) this.#methodEnd = at - begin
        else if (previous === target) this.#targetEnd = at - begin
        else if (next === lineLf) {
          this.#versionEnd = at - begin
          if (this.#versionEnd > this.#limits.line) return this.#reject('UriTooLong')
        } else if (next === endLf) {
          if (at - begin > this.#sectionLimit() - crlf) return this.#reject('HeaderFieldsTooLarge')
        } else if (next === end) {
          this.#state = state
          this.#keep(chunk, from, at + 1)
          return this.#hasVersion() ? at + 1 : rejected
        } else if (next === start || previous === lineLf) {
          // the next bytes have another limit
          at++
          if (next === start) {
            begin = from = at
            this.#text = ''
          }
          break
        }
      }
    }
    this.#state = state
    if (state === start) return incomplete
    this.#keep(chunk, from, chunk.length)
    return state < field || this.#hasVersion() ? incomplete : rejected
  }

  /** Returns the head, and prepares for the next one. */
  take(): CompleteHead {
    const text = this.#text
    const head = {
      method: text.slice(0, this.#methodEnd),
      url: text.slice(this.#methodEnd + 1, this.#targetEnd),
      httpVersion: supportedVersion(text.slice(this.#versionEnd - '1.1'.length, this.#versionEnd)),
      rawHeaders: this.#headers(text),
    }
    this.#text = ''
    this.#marks.length = 0
    this.#state = start
    return head
  }

  #headers(text: string): string[] {
    const marks = this.#marks
    const headers: string[] = []
    let lineStart = this.#isTrailer ? 0 : this.#versionEnd + crlf
    for (let index = 0; index < marks.length; index += marksPerHeader) {
      const lineEnd = marks[index + 2] ?? 0
      let valueEnd = lineEnd
      while (isWhitespace(text.charCodeAt(valueEnd - 1))) valueEnd--
      const valueStart = marks[index + 1] ?? 0
      headers.push(text.slice(lineStart, marks[index]), text.slice(valueStart, valueEnd))
      lineStart = lineEnd + crlf
    }
    return headers
  }

  /** Number of bytes from the beginning of the head up to the end of the largest allowed header section. */
  #sectionLimit(): number {
    const lineLength = this.#isTrailer ? 0 : this.#versionEnd + crlf
    return lineLength + this.#limits.size + crlf
  }

  #hasVersion(): boolean {
    return (
      this.#isTrailer ||
      versionPattern.test(this.#text.slice(this.#targetEnd + 1, this.#versionEnd))
    )
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    const text = chunk.toString('latin1', from, to)
    this.#text = this.#text === '' ? text : this.#text + text
  }

  /** Rejects a head because of a byte. If the byte is in the target, the failure names it. */
  #rejectByte(state: number, chunk: Buffer, from: number): number {
    if (state < field) {
      const lineEnd = chunk.indexOf('\r\n', from)
      const line = `${this.#text}${chunk.toString('latin1', from, lineEnd)}`
      this.failure = RequestTarget.lineRejection(line, this.#limits.target) ?? malformed
    }
    return rejected
  }

  #reject(tag: 'UriTooLong' | 'HeaderFieldsTooLarge'): number {
    this.failure = { _tag: tag }
    return rejected
  }
}

const crlf = '\r\n'.length

const versionPattern = /^HTTP\/\d\.\d$/

/** Versions above 1.1 with the same major version are processed as 1.1 (RFC 9110, 2.5). */
const supportedVersion = (version: string): string =>
  version > '1.1' && version < '2' ? '1.1' : version

const isWhitespace = (code: number): boolean => code === 0x20 || code === 0x09
