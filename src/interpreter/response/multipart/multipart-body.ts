/**
 * Creates multipart bodies. Parts are read one after another, so that only one part is open at a time.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 */
import type { Headers } from '../../../http/headers.ts'
import type { ChunkSource } from '../../chunks.ts'
import { isChunkSource } from '../../chunks.ts'

/** A part of a multipart body. */
export interface EncodedPart {
  readonly headers: Headers
  readonly body: string | Uint8Array | ChunkSource
}

/** Joins parts. The result is in chunks if one of the parts is; `close` is called when that body is closed. */
export const multipartBody = (
  parts: ReadonlyArray<EncodedPart>,
  boundary: string,
  close: () => void = () => undefined,
): ChunkSource | Uint8Array => {
  const segments: ReadonlyArray<Segment> = [
    ...parts.flatMap(({ headers, body }, index) => [
      encoder.encode(`${index === 0 ? '' : '\r\n'}--${boundary}\r\n${formatHeaders(headers)}\r\n`),
      typeof body === 'string' ? encoder.encode(body) : body,
    ]),
    encoder.encode(`${parts.length === 0 ? '' : '\r\n'}--${boundary}--\r\n`),
  ]
  return segments.every(isBytes) ? concatenate(segments) : chunksOf(segments, close)
}

const encoder = new TextEncoder()

const formatHeaders = (headers: Headers): string =>
  headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')

type Segment = Uint8Array | ChunkSource

const isBytes = (segment: Segment): segment is Uint8Array => !isChunkSource(segment)

const concatenate = (segments: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(segments.reduce((sum, { length }) => sum + length, 0))
  segments.reduce((offset, segment) => {
    bytes.set(segment, offset)
    return offset + segment.length
  }, 0)
  return bytes
}

/** Returns the chunks of all segments, in order. The length is known if that of every segment is. */
const chunksOf = (segments: ReadonlyArray<Segment>, close: () => void): ChunkSource => {
  const sources = segments.filter((segment) => isChunkSource(segment))
  const lengths = segments.map(({ length }) => length)
  let index = 0
  const next: ChunkSource['next'] = async () => {
    for (;;) {
      const segment = segments[index]
      if (segment === undefined) return { done: true, value: undefined }
      if (!isChunkSource(segment)) {
        index++
        return { done: false, value: segment }
      }
      const result = await segment.next()
      if (result.done !== true) return result
      segment.close()
      index++
    }
  }
  return {
    length: lengths.every((length) => length !== undefined)
      ? lengths.reduce((sum, length) => sum + length, 0)
      : undefined,
    isFile: sources.every((source) => source.isFile === true),
    next,
    close: () => {
      for (const source of sources) source.close()
      close()
    },
    free: (chunk) => {
      for (const source of sources) source.free?.(chunk)
    },
  }
}
