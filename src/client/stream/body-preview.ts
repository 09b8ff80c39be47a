/** Previews of text bodies for log messages. */
import * as Headers from '../../http/headers.ts'
import type { ClientRequest } from '../exchange.ts'

/** Returns the first characters of a buffered text body, otherwise `undefined`. */
export const previewOf = async (
  { headers, body }: ClientRequest,
  limit: number,
): Promise<string | undefined> => {
  if (body?._tag !== 'Whole' || limit === 0 || !isText(headers)) return undefined
  const { content } = body
  if (typeof content === 'string') return truncate(content, limit)
  const preview = createPreview(limit)
  preview.add(
    content instanceof Blob
      ? new Uint8Array(await content.slice(0, maxBytes(limit)).arrayBuffer())
      : content,
  )
  return preview.text()
}

export interface BodyPreview {
  /** Adds a chunk. Returns `true` when the preview is complete. */
  readonly add: (chunk: Uint8Array) => boolean
  readonly text: () => string
}

/** Decodes the first `limit` UTF-16 code units of UTF-8 text. Invalid bytes are decoded as U+FFFD. */
export const createPreview = (limit: number): BodyPreview => {
  const decoder = new TextDecoder()
  let text = ''
  return {
    add: (chunk) => {
      if (text.length <= limit)
        text += decoder.decode(chunk.subarray(0, maxBytes(limit)), { stream: true })
      return text.length > limit
    },
    text: () => truncate(text, limit),
  }
}

/** The bytes needed for `limit` characters and one more: UTF-8 encodes a character in at most four bytes. */
const maxBytes = (limit: number): number => 4 * (limit + 1)

const truncate = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text

/** Whether the headers describe an uncompressed text body. A missing `Content-Type` counts as text. */
export const isText = (headers: Headers.Headers): boolean =>
  Headers.first(headers, 'content-encoding') === undefined &&
  /^$|^text\/|[/+](?:json|xml|x-www-form-urlencoded|x-ndjson|problem\+json)\b/i.test(
    Headers.first(headers, 'content-type') ?? '',
  )
