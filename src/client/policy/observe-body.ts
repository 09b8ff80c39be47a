/**
 * Observes a response body while it is being read, and creates previews of text bodies. Observing a body does not
 * buffer it or read ahead.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as Headers from '../../http/headers.ts'
import type { ClientRequest } from '../exchange.ts'
import { isBlob } from '../../http/platform-value.ts'
import type { SendResult } from './policy.ts'

/** How a body ended: it was read completely, it failed, or the reader cancelled it. */
export type BodyEnd = 'complete' | 'failed' | 'cancelled'

/** Receives notifications about a body while it is being read. */
export interface BodyObserver {
  readonly onChunk?: (chunk: Uint8Array) => void
  /** Called once when the body ends. */
  readonly onEnd: (end: BodyEnd) => void
}

/** A response body that is being observed. */
export interface ObservedBody {
  /** Stream to read instead of the original body. */
  readonly body: ReadableStream<Uint8Array>
  /** Cancels the original body and makes reads of `body` fail with `reason`. */
  readonly abort: (reason: unknown) => void
}

/** Wraps a body so that an observer is notified of each chunk and of the end of the body. */
export const observeBody = (
  source: ReadableStream<Uint8Array>,
  { onChunk, onEnd }: BodyObserver,
): ObservedBody => {
  const reader = source.getReader()
  let hasEnded = false
  /** Reports the end of the body. Returns `false` if the end has already been reported. */
  const reportEnd = (end: BodyEnd): boolean => {
    if (hasEnded) return false
    hasEnded = true
    onEnd(end)
    return true
  }
  let streamController: ReadableStreamDefaultController<Uint8Array> | undefined
  let isReading = false
  let isClosed = false
  // the source can end while no read is pending; if a read is pending, its chunk is reported before the end
  reader.closed.then(
    () => {
      isClosed = true
      if (!isReading) reportEnd('complete')
    },
    () => reportEnd('failed'),
  )
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        streamController = controller
      },
      pull: async (controller) => {
        isReading = true
        const { done, value } = await reader.read()
        isReading = false
        if (!done) {
          onChunk?.(value)
          controller.enqueue(value)
        }
        if (done || isClosed) reportEnd('complete')
        if (done) controller.close()
      },
      cancel: (reason) => {
        reportEnd('cancelled')
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return {
    body,
    abort: (reason) => {
      if (!reportEnd('failed')) return
      streamController?.error(reason)
      reader.cancel(reason).catch(() => undefined)
    },
  }
}

/** Returns a result that calls `release` when its body ends. If it has no body, calls `release` immediately. */
export const releaseAtEnd = (result: SendResult, release: () => void): SendResult => {
  const body = E.isRight(result) ? result.right.body : null
  if (E.isLeft(result) || body === null) {
    release()
    return result
  }
  return E.right({ ...result.right, body: observeBody(body, { onEnd: release }).body })
}

/**
 * Returns the first `limit` UTF-16 code units of a buffered text body, followed by `…` if the body is longer. Returns
 * `undefined` if `limit` is 0 or the body is not a buffered text body.
 */
export const previewOf = async (
  { headers, body }: ClientRequest,
  limit: number,
): Promise<string | undefined> => {
  if (body?._tag !== 'Buffered' || limit === 0 || !isText(headers)) return undefined
  const { data } = body
  if (typeof data === 'string') return truncate(data, limit)
  const preview = createPreview(limit)
  preview.add(
    isBlob(data) ? new Uint8Array(await data.slice(0, maxByteLength(limit)).arrayBuffer()) : data,
  )
  return preview.text()
}

/** Collects the beginning of a text body. */
export interface BodyPreview {
  /** Adds a chunk. Returns `true` when the preview is complete. */
  readonly add: (chunk: Uint8Array) => boolean
  readonly text: () => string
}

/** Creates a preview of the first `limit` UTF-16 code units of UTF-8 text. Invalid bytes are decoded as U+FFFD. */
export const createPreview = (limit: number): BodyPreview => {
  const decoder = new TextDecoder()
  let text = ''
  return {
    add: (chunk) => {
      if (text.length <= limit)
        text += decoder.decode(chunk.subarray(0, maxByteLength(limit)), { stream: true })
      return text.length > limit
    },
    text: () => truncate(text, limit),
  }
}

/** Returns the maximum number of bytes in `limit + 1` characters. UTF-8 encodes a character in at most four bytes. */
const maxByteLength = (limit: number): number => 4 * (limit + 1)

const truncate = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text

/** Whether the headers describe an uncompressed text body. A body without a `Content-Type` is treated as text. */
export const isText = (headers: Headers.Headers): boolean =>
  Headers.first(headers, 'content-encoding') === undefined &&
  /^$|^text\/|[/+](?:json|xml|x-www-form-urlencoded|x-ndjson|problem\+json)\b/i.test(
    Headers.first(headers, 'content-type') ?? '',
  )
