/**
 * Answers as responses of the Fetch standard.
 *
 * @see https://fetch.spec.whatwg.org/#response-class
 */
import * as Headers from '../http/headers.ts'
import * as Status from '../http/status.ts'
import type { Answer } from '../interpreter/exchange.ts'
import type { Pieces } from '../interpreter/chunks.ts'
import { isPieces } from '../interpreter/chunks.ts'

/** The response to a request. `over` is called once, when all of it was read or it broke off, or `left`, when nobody reads on. */
export const responseOf = (
  { method, signal }: Pick<Request, 'method' | 'signal'>,
  { status, headers, content }: Answer,
  over: () => void,
  left: () => void = over,
): Response => {
  const pairs = headers.flatMap((name, index): ReadonlyArray<[string, string]> =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
  )
  const length = lengthOf(content)
  const sized =
    length !== undefined &&
    Headers.first(headers, 'content-length') === undefined &&
    status !== 204 &&
    status !== 304
  const isSilent = method === 'HEAD' || !Status.allowsBody(status)
  const body = isSilent ? null : isPieces(content) ? streamOf(content, signal, over, left) : content
  if (isSilent && isPieces(content)) content.close()
  if (isSilent || !isPieces(content)) over()
  const fields: Array<[string, string]> = sized
    ? [...pairs, ['Content-Length', String(length)]]
    : [...pairs]
  const init = { statusText: Status.reasonPhrase(status), headers: fields }
  // the Fetch standard makes no response with a status above 599, and HTTP does (RFC 9110, 15)
  return status <= 599
    ? new Response(body ?? null, { ...init, status })
    : Object.defineProperty(new Response(body ?? null, init), 'status', {
        value: status,
      })
}

const lengthOf = (content: Answer['content']): number | undefined =>
  content === undefined
    ? 0
    : typeof content === 'string'
      ? Buffer.byteLength(content)
      : content.length

const encoder = new TextEncoder()

const streamOf = (
  pieces: Pieces,
  signal: AbortSignal,
  over: () => void,
  left: () => void,
): ReadableStream<Uint8Array> => {
  let isOpen = true
  let controlled: ReadableStreamDefaultController<Uint8Array> | undefined
  const end = (then: () => void): void => {
    if (!isOpen) return
    isOpen = false
    signal.removeEventListener('abort', gone)
    pieces.close()
    then()
  }
  const gone = (): void => {
    if (isOpen) controlled?.error(signal.reason)
    end(left)
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        controlled = controller
        signal.addEventListener('abort', gone, { once: true })
      },
      pull: async (controller) => {
        try {
          const { done, value } = await pieces.next()
          if (!isOpen) return
          if (done === true) {
            end(over)
            controller.close()
          } else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        } catch (error) {
          end(over)
          throw error
        }
      },
      cancel: () => end(left),
    },
    { highWaterMark: 0 },
  )
}
