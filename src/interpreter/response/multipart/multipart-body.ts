/**
 * Multipart contents: parts one after another, each with its own header fields. The next part is asked for when the one before
 * is over.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 */
import type { Headers } from '../../../http/headers.ts'
import type { ChunkSource } from '../../chunks.ts'
import { isChunkSource } from '../../chunks.ts'

export interface SentPart {
  readonly headers: Headers
  readonly body: string | Uint8Array | ChunkSource
}

/** The content that parts make up; `close` is told when nobody asks any more. */
export const multipartBody = (
  parts: ReadonlyArray<SentPart>,
  boundary: string,
  close: () => void = () => undefined,
): ChunkSource | Uint8Array => {
  const segments: ReadonlyArray<Segment> = [
    ...parts.flatMap(({ headers, body: content }, index) => [
      encoder.encode(`${index === 0 ? '' : '\r\n'}--${boundary}\r\n${fieldsOf(headers)}\r\n`),
      typeof content === 'string' ? encoder.encode(content) : content,
    ]),
    encoder.encode(`${parts.length === 0 ? '' : '\r\n'}--${boundary}--\r\n`),
  ]
  return segments.every(isOctets) ? whole(segments) : joined(segments, close)
}

const encoder = new TextEncoder()

const fieldsOf = (headers: Headers): string =>
  headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')

type Segment = Uint8Array | ChunkSource

const isOctets = (segment: Segment): segment is Uint8Array => !isChunkSource(segment)

const whole = (segments: ReadonlyArray<Uint8Array>): Uint8Array => {
  const octets = new Uint8Array(segments.reduce((sum, { length }) => sum + length, 0))
  segments.reduce((at, one) => {
    octets.set(one, at)
    return at + one.length
  }, 0)
  return octets
}

/** Contents one after another. */
const joined = (segments: ReadonlyArray<Segment>, close: () => void): ChunkSource => {
  const all = segments.filter((one) => isChunkSource(one))
  const lengths = segments.map(({ length }) => length)
  let at = 0
  const next: ChunkSource['next'] = async () => {
    for (;;) {
      const segment = segments[at]
      if (segment === undefined) return { done: true, value: undefined }
      if (!isChunkSource(segment)) {
        at++
        return { done: false, value: segment }
      }
      const result = await segment.next()
      if (result.done !== true) return result
      segment.close()
      at++
    }
  }
  return {
    length: lengths.every((length) => length !== undefined)
      ? lengths.reduce((sum, length) => sum + length, 0)
      : undefined,
    isFile: all.every((one) => one.isFile === true),
    next,
    close: () => {
      for (const one of all) one.close()
      close()
    },
    free: (piece) => {
      for (const one of all) one.free?.(piece)
    },
  }
}
