/** Converts encoded responses to responses of the Fetch standard. */
import * as Headers from '../http/headers.ts'
import * as Status from '../http/status.ts'
import type { ChunkSource, EncodedResponse } from './exchange.ts'
import { isChunkSource } from './exchange.ts'
import { inNextTurn } from './event-loop.ts'

/** Receives the end of the body of a response. */
export interface ResponseObserver {
  /** Called once the body has been read completely or has failed. Called immediately for a response without chunks. */
  readonly bodySent: () => void
  /** Called instead of `bodySent` if the body is cancelled or the request is aborted. */
  readonly bodyCancelled: () => void
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
  request: { readonly signal: () => AbortSignal },
  method: string,
  { status, headers, body }: EncodedResponse,
  observer: ResponseObserver,
): Response => {
  const isBodiless = method === 'HEAD' || !Status.allowsBody(status)
  // the constructor would add a `Content-Type` to a text without one
  const hasType = Headers.first(headers, 'content-type') !== undefined
  const bytes =
    typeof body === 'string' && !(hasType && isShortAscii(body)) ? encoder.encode(body) : body
  const length = bytes === undefined ? 0 : bytes.length
  const needsLength =
    length !== undefined &&
    status !== 204 &&
    status !== 304 &&
    Headers.first(headers, 'content-length') === undefined
  const isStreamed = !isBodiless && isChunkSource(bytes)
  if (isBodiless && isChunkSource(bytes)) bytes.close()
  if (!isStreamed) observer.bodySent()
  const responseBody = isBodiless
    ? null
    : isChunkSource(bytes)
      ? streamOf(bytes, request.signal(), observer)
      : (bytes ?? null)
  const init = (sent: number): Init => ({
    status: sent,
    statusText: Status.reasonPhrase(status),
    headers: headersInit(headers, needsLength ? length : undefined),
    encodeBody: 'manual',
  })
  // the constructor rejects a status above 599, which HTTP allows; recipients treat it as a 5xx status (RFC 9110, 15)
  return status <= 599
    ? new Response(responseBody, init(status))
    : Object.defineProperty(new Response(responseBody, init(500)), 'status', { value: status })
}

const encoder = new TextEncoder()

/** The maximum length of the texts that are passed on as strings. Counting the bytes of longer texts takes longer than encoding them. */
const maxShortLength = 4_096

/** Whether a text is short and consists of ASCII characters, so that its length is also the number of its bytes. */
const isShortAscii = (text: string): boolean => {
  if (text.length > maxShortLength) return false
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

/**
 * Returns the headers and, unless `length` is undefined, `Content-Length` as an object, which `@hono/node-server` writes as it is. If a
 * name is repeated, returns pairs.
 */
const headersInit = (
  headers: Headers.Headers,
  length: number | undefined,
): Record<string, string> | Array<[string, string]> => {
  const record: Record<string, string> =
    length === undefined ? {} : { 'Content-Length': `${length}` }
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    // also true for `__proto__` and other inherited names
    if (name in record)
      return Headers.toPairs(
        length === undefined ? headers : [...headers, 'Content-Length', `${length}`],
      )
    record[name] = headers[index + 1] ?? ''
  }
  return record
}

/** Returns the chunks as a stream, which requests a chunk only when its reader needs one. */
const streamOf = (
  chunks: ChunkSource,
  signal: AbortSignal,
  observer: ResponseObserver,
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
    close(() => observer.bodyCancelled())
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
            close(() => observer.bodySent())
            controller.close()
          } else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        } catch (error) {
          close(() => observer.bodySent())
          throw error
        }
      },
      cancel: () => close(() => observer.bodyCancelled()),
    },
    { highWaterMark: 0 },
  )
}
