/**
 * Parses multipart bodies as a stream. Only the header section of each part is buffered.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 */
import * as O from 'fp-ts/lib/Option.js'
import { LookAhead } from '../../body/stream/look-ahead.ts'
import type { PartHead } from '../../http/part-headers.ts'
import { parse as parsePartHeaders, parsePartHead } from '../../http/part-headers.ts'

/** A part of a multipart body. */
export interface ResponsePart extends PartHead {
  /** Body of the part. Requesting the next part skips any unread bytes. */
  readonly content: AsyncIterable<Uint8Array>
}

/** Maximum size in bytes of the header section of a part. */
const maxHeaderBytes = 16 * 1024

const encoder = new TextEncoder()
const lineEnd = encoder.encode('\r\n')
const headEnd = encoder.encode('\r\n\r\n')
const [CR, LF, dash, space, tab] = [0x0d, 0x0a, 0x2d, 0x20, 0x09]

/**
 * Parses the parts in order. If the body is malformed, throws the error created by `malformed`. Data after the closing
 * delimiter is ignored.
 */
export async function* parseMultipart(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  malformed: (detail: string) => Error,
): AsyncGenerator<ResponsePart, undefined> {
  const truncated = (): Error => malformed('the closing delimiter is missing')
  const delimiter = encoder.encode(`\r\n--${boundary}`)
  // the first delimiter can be at the start of the body, without a preceding line break
  const input = new LookAhead(chunks, lineEnd)
  const skip = async (): Promise<void> => {
    while ((await input.readUntil(delimiter, truncated)) !== undefined);
  }
  try {
    await skip()
    for (;;) {
      await input.require(2, truncated)
      if (input.at(0) === dash && input.at(1) === dash) return undefined
      while (input.at(0) === space || input.at(0) === tab) await input.require(2, truncated, 1)
      if (input.at(0) !== CR || input.at(1) !== LF)
        throw malformed('invalid characters after a delimiter')
      const section = await input.readThrough(headEnd, maxHeaderBytes, truncated)
      if (section === undefined) throw malformed('the header section of a part is too large')
      const headers = parsePartHeaders(section.subarray(2))
      if (O.isNone(headers)) throw malformed('malformed header section of a part')
      const head = parsePartHead(headers.value)
      if (O.isNone(head))
        throw malformed('part with a missing name or a malformed Content-Disposition')
      // in an empty part, the blank line is also the line break before the delimiter
      const content = new PartBody(
        input,
        delimiter,
        truncated,
        await input.consume(delimiter.subarray(2)),
      )
      yield { ...head.value, content }
      content.isClosed = true
      if (!content.isEnded) await skip()
    }
  } finally {
    await input.close()
  }
}

/** Body of a single part. */
class PartBody implements AsyncIterableIterator<Uint8Array> {
  readonly #input: LookAhead
  readonly #delimiter: Uint8Array
  readonly #truncated: () => Error
  /** Whether the delimiter that follows the body has been read. */
  isEnded: boolean
  /** Whether the body can no longer be read, because the iteration was closed or the next part was requested. */
  isClosed = false

  constructor(input: LookAhead, delimiter: Uint8Array, truncated: () => Error, isEmpty: boolean) {
    this.isEnded = isEmpty
    this.#input = input
    this.#delimiter = delimiter
    this.#truncated = truncated
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.isClosed || this.isEnded) return done
    const value = await this.#input.readUntil(this.#delimiter, this.#truncated)
    if (value !== undefined) return { done: false, value }
    this.isEnded = true
    return done
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.isClosed = true
    return done
  }
}

const done: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined }
