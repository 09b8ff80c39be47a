/**
 * Splits a multipart body into parts without dependencies. It accepts and rejects the same bodies as the parser of the server on
 * Node.js.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 */
import * as O from 'fp-ts/lib/Option.js'
import { LookAhead, indexOf } from '../body/stream/look-ahead.ts'
import type { Headers } from '../http/headers.ts'
import * as PartHeaders from '../http/part-headers.ts'
import type { PartLimits, SplitParts } from '../interpreter/platform.ts'
import type { PartChunk } from '../interpreter/request-body/multipart/limited-content.ts'
import {
  LimitedContent,
  noMoreChunks,
} from '../interpreter/request-body/multipart/limited-content.ts'
import {
  malformedMultipart,
  multipartTooLarge,
} from '../interpreter/request-body/multipart/parts.ts'

const encoder = new TextEncoder()
const lineEnd = encoder.encode('\r\n')
const headEnd = encoder.encode('\r\n\r\n')
const [CR, LF, dash, space, tab] = [0x0d, 0x0a, 0x2d, 0x20, 0x09]

const truncated = (): Error => malformedMultipart('unexpected end of the body')

/** Splits a body. Only the header section of each part is buffered. */
export const splitParts: SplitParts = async function* (chunks, boundary, limits) {
  const delimiter = encoder.encode(`\r\n--${boundary}`)
  // the first delimiter can be at the start of the body, without a preceding line break
  const input = new LookAhead(chunks, lineEnd)
  const skip = async (): Promise<void> => {
    while ((await input.readUntil(delimiter, truncated)) !== undefined);
  }
  try {
    await skip()
    while (await hasNextPart(input)) {
      const headers = await readHeaders(input, delimiter, limits)
      const body = new SplitPart(input, delimiter)
      yield { headers, body }
      body.isClosed = true
      if (!body.hasEnded) await skip()
    }
    return undefined
  } finally {
    await input.close()
  }
}

/** Reads the rest of the line that begins with a delimiter, up to the line break. Returns `false` for the closing delimiter. */
const hasNextPart = async (input: LookAhead): Promise<boolean> => {
  await input.require(2, truncated)
  if (input.at(0) === dash && input.at(1) === dash) return false
  while (input.at(0) === space || input.at(0) === tab) await input.require(2, truncated, 1)
  if (input.at(0) !== CR || input.at(1) !== LF)
    throw malformedMultipart('unexpected text after a delimiter')
  return true
}

/** Reads the header section of a part, and the empty line at its end. */
const readHeaders = async (
  input: LookAhead,
  delimiter: Uint8Array,
  { headerSize, headerSizeName, headerCount, headerCountName, headerCharset }: PartLimits,
): Promise<Headers> => {
  // the section begins with the line break after the delimiter
  const section = await input.readThrough(
    headEnd,
    headerSize + headEnd.length + delimiter.length,
    truncated,
  )
  const end = section === undefined ? input.find(delimiter) : indexOf(section, delimiter)
  const bytes = section?.subarray(lineEnd.length)
  if (end !== -1 && end <= headerSize + lineEnd.length)
    throw malformedMultipart('unterminated part header')
  if (bytes === undefined || (bytes.length > 0 && bytes.length + lineEnd.length > headerSize))
    throw multipartTooLarge(
      `The header section of a part is larger than ${headerSize} bytes (${headerSizeName}).`,
    )
  // a delimiter after the empty line has no line break of its own
  if (await input.consume(delimiter.subarray(lineEnd.length)))
    throw malformedMultipart('unterminated part header')
  const headers = PartHeaders.parse(bytes, headerCharset)
  if (O.isNone(headers)) throw malformedMultipart('invalid part header')
  if (headers.value.length > 2 * headerCount)
    throw multipartTooLarge(`A part has more than ${headerCount} headers (${headerCountName}).`)
  return headers.value
}

/** The body of a part, which is read from the input that all parts share. */
class SplitPart extends LimitedContent {
  readonly #input: LookAhead
  readonly #delimiter: Uint8Array
  #error: Error | undefined = undefined
  /** Whether the delimiter that follows the body has been read. */
  hasEnded = false
  /** Whether the body can no longer be read, because the iteration was closed or the next part was requested. */
  isClosed = false

  constructor(input: LookAhead, delimiter: Uint8Array) {
    super()
    this.#input = input
    this.#delimiter = delimiter
  }

  async next(): Promise<PartChunk> {
    if (this.#error !== undefined) throw this.#error
    if (this.isClosed || this.hasEnded) return noMoreChunks
    const value = await this.#input.readUntil(this.#delimiter, truncated)
    if (value === undefined) {
      this.hasEnded = true
      return noMoreChunks
    }
    this.#error = this.count(value)
    if (this.#error !== undefined) throw this.#error
    return { done: false, value }
  }

  return(): Promise<PartChunk> {
    this.isClosed = true
    return Promise.resolve(noMoreChunks)
  }
}
