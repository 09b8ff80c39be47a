/** Converts encoded responses to responses of the Fetch standard. */
import * as Headers from '../http/headers.ts'
import * as Status from '../http/status.ts'
import type { ChunkSource } from './chunks.ts'
import { isChunkSource } from './chunks.ts'
import type { EncodedResponse } from './exchange.ts'
import { inNextTurn } from './turns.ts'

/** The callbacks for the body of a response. */
export interface ResponseEnd {
  /** Called once the body has been read completely or has failed. Called immediately for a response without chunks. */
  readonly onEnd: () => void
  /** Called instead of `onEnd` if the body is cancelled or the request is aborted. */
  readonly onCancel: () => void
}

/**
 * The properties of a `Response`. `encodeBody` makes workerd send a body that has a `Content-Encoding` as it is. Other runtimes ignore
 * this member.
 */
interface Init extends ResponseInit {
  readonly encodeBody: 'manual'
}

/** Converts an encoded response to a `Response`. A response to HEAD has no body. */
export const toResponse = (
  request: { readonly signal: AbortSignal },
  method: string,
  { status, headers, body }: EncodedResponse,
  end: ResponseEnd,
): Response => {
  const isBodiless = method === 'HEAD' || !Status.allowsBody(status)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const length = bytes === undefined ? 0 : bytes.length
  const fields: Array<[string, string]> = []
  for (let index = 0; index < headers.length; index += 2)
    fields.push([headers[index] ?? '', headers[index + 1] ?? ''])
  if (
    length !== undefined &&
    status !== 204 &&
    status !== 304 &&
    Headers.first(headers, 'content-length') === undefined
  )
    fields.push(['Content-Length', String(length)])
  const isStreamed = !isBodiless && isChunkSource(bytes)
  if (isBodiless && isChunkSource(bytes)) bytes.close()
  if (!isStreamed) end.onEnd()
  const responseBody = isBodiless
    ? null
    : isChunkSource(bytes)
      ? streamOf(bytes, request.signal, end)
      : (bytes ?? null)
  const init = (sent: number): Init => ({
    status: sent,
    statusText: Status.reasonPhrase(status),
    headers: fields,
    encodeBody: 'manual',
  })
  // the constructor rejects a status above 599, which HTTP allows; recipients treat it as a 5xx status (RFC 9110, 15)
  return status <= 599
    ? new Response(responseBody, init(status))
    : Object.defineProperty(new Response(responseBody, init(500)), 'status', { value: status })
}

const encoder = new TextEncoder()

/** Returns the chunks as a stream, which requests a chunk only when its reader needs one. */
const streamOf = (
  chunks: ChunkSource,
  signal: AbortSignal,
  { onEnd, onCancel }: ResponseEnd,
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
    // a server that cancels the body after a disconnect would report the error
    if (isOpen) inNextTurn(() => streamController?.error(signal.reason))
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
