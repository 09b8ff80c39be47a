/**
 * Converts encoded responses to `Response` objects of the Fetch standard.
 *
 * @see https://fetch.spec.whatwg.org/#response-class
 */
import * as Headers from '../http/headers.ts'
import * as Status from '../http/status.ts'
import type { EncodedResponse } from '../interpreter/exchange.ts'
import type { ChunkSource } from '../interpreter/chunks.ts'
import { isChunkSource } from '../interpreter/chunks.ts'
import { bodyLength } from './exchange/response-bytes.ts'

/**
 * Creates the response to a request.
 *
 * Calls `onEnd` once the body was read or has failed, or `onCancel` if it is cancelled or the request is aborted.
 */
export const responseOf = (
  { method, signal }: Pick<Request, 'method' | 'signal'>,
  { status, headers, body: content }: EncodedResponse,
  onEnd: () => void,
  onCancel: () => void = onEnd,
): Response => {
  const pairs = headers.flatMap((name, index): ReadonlyArray<[string, string]> =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
  )
  const length = bodyLength(content)
  const needsLength =
    length !== undefined &&
    Headers.first(headers, 'content-length') === undefined &&
    status !== 204 &&
    status !== 304
  const isBodiless = method === 'HEAD' || !Status.allowsBody(status)
  const body = isBodiless
    ? null
    : isChunkSource(content)
      ? streamOf(content, signal, onEnd, onCancel)
      : content
  if (isBodiless && isChunkSource(content)) content.close()
  if (isBodiless || !isChunkSource(content)) onEnd()
  const responseHeaders: Array<[string, string]> = needsLength
    ? [...pairs, ['Content-Length', String(length)]]
    : [...pairs]
  const init = { statusText: Status.reasonPhrase(status), headers: responseHeaders }
  // the constructor rejects a status above 599, which HTTP allows (RFC 9110, 15)
  return status <= 599
    ? new Response(body ?? null, { ...init, status })
    : Object.defineProperty(new Response(body ?? null, init), 'status', {
        value: status,
      })
}

const encoder = new TextEncoder()

const streamOf = (
  chunks: ChunkSource,
  signal: AbortSignal,
  onEnd: () => void,
  onCancel: () => void,
): ReadableStream<Uint8Array> => {
  let isOpen = true
  let streamController: ReadableStreamDefaultController<Uint8Array> | undefined
  const close = (callback: () => void): void => {
    if (!isOpen) return
    isOpen = false
    signal.removeEventListener('abort', onAbort)
    chunks.close()
    callback()
  }
  const onAbort = (): void => {
    if (isOpen) streamController?.error(signal.reason)
    close(onCancel)
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        streamController = controller
        signal.addEventListener('abort', onAbort, { once: true })
      },
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (!isOpen) return
          if (done === true) {
            close(onEnd)
            controller.close()
          } else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        } catch (error) {
          close(onEnd)
          throw error
        }
      },
      cancel: () => close(onCancel),
    },
    { highWaterMark: 0 },
  )
}
