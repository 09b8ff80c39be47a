/**
 * Sends requests to a program in the same process, using the types of the Fetch standard.
 *
 * Requests pass through the full pipeline, starting with the pre-matching filters. Connection-level checks, such as those for framing
 * and header limits, are skipped.
 *
 * @see https://fetch.spec.whatwg.org
 */
import * as O from 'fp-ts/lib/Option.js'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import { bodyTooLarge } from '../compiler/settings/body-limit.ts'
import { ByteCollector } from '../http/byte-collector.ts'
import type { RequestFailure } from '../http/failure.ts'
import * as Headers from '../http/headers.ts'
import * as Problem from '../http/problem.ts'
import * as RequestTarget from '../http/request-target.ts'
import * as Status from '../http/status.ts'
import type { ChunkSource } from './chunks.ts'
import { isChunkSource, lengthOf } from './chunks.ts'
import { encodeFailure, readError } from './errors/error-response.ts'
import type { EncodedResponse, Exchange } from './exchange.ts'

/** The properties of an exchange that a `Request` does not determine. */
export interface InProcessEnvironment extends Pick<
  Exchange,
  'origin' | 'prefix' | 'clientAddress' | 'clientCertificate' | 'platform'
> {
  /**
   * Aborts the request. It is passed separately, because a `Request` may no longer follow the signal from its `init` after garbage
   * collection.
   */
  readonly signal: AbortSignal
}

/**
 * Converts a request to an exchange, passes it to `run`, and converts the response to a `Response`. Rejects if the request is aborted
 * or its body cannot be read.
 */
export const exchangeInProcess = (
  request: Request,
  { origin, prefix, clientAddress, clientCertificate, platform, signal }: InProcessEnvironment,
  run: (exchange: Exchange) => void,
): Promise<Response> =>
  new Promise<Response>((resolve, reject) => {
    const headers = [...request.headers].flat()
    const endCallbacks: Array<() => void> = []
    let hasEnded = false
    const end = (): void => {
      hasEnded = true
      signal.removeEventListener('abort', onAbort)
      for (const callback of endCallbacks.splice(0)) callback()
    }
    let controller: AbortController | undefined
    let isDisconnected = false
    const disconnect = (): void => {
      isDisconnected = true
      controller?.abort(signal.reason)
      end()
    }
    const onAbort = (): void => {
      reject(signal.reason)
      disconnect()
    }
    const respond = (response: EncodedResponse): void =>
      resolve(responseOf({ method: request.method, signal }, response, end, disconnect))
    const target = RequestTarget.parse(request.method, request.url)
    if (O.isNone(target) || target.value._tag === 'Asterisk') {
      const failure = { _tag: 'MalformedRequest', detail: 'Invalid request target.' } as const
      return respond(
        encodeFailure(failure, { method: request.method, headers }, Problem.newInstanceUri()),
      )
    }
    const { path, query } = target.value
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    run({
      method: request.method,
      path,
      query,
      headers,
      origin,
      prefix,
      clientAddress,
      ...(clientCertificate === undefined ? {} : { clientCertificate }),
      onEnd: (callback) => {
        if (hasEnded) callback()
        else endCallbacks.push(callback)
      },
      signal: () => {
        if (signal.aborted) return signal
        controller ??= new AbortController()
        if (isDisconnected) controller.abort()
        return controller.signal
      },
      readBody: (limit, callback) => {
        if (contentLength(request) > limit.bytes) return callback(bodyTooLarge(limit))
        readBody(request, limit).then(callback, reject)
      },
      streamBody: (limit) =>
        contentLength(request) > limit.bytes ? bodyTooLarge(limit) : streamBody(request, limit),
      platform,
      send: respond,
    })
  })

/**
 * Converts an encoded response to a `Response`.
 *
 * Calls `onEnd` once the body has been read completely or has failed. Calls `onCancel` if the body is cancelled or the request is
 * aborted.
 */
const responseOf = (
  { method, signal }: Pick<Request, 'method' | 'signal'>,
  { status, headers, body }: EncodedResponse,
  onEnd: () => void,
  onCancel: () => void = onEnd,
): Response => {
  const pairs = headers.flatMap((name, index): ReadonlyArray<[string, string]> =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
  )
  const length = typeof body === 'string' ? lengthOf(body) : body === undefined ? 0 : body.length
  const needsLength =
    length !== undefined &&
    Headers.first(headers, 'content-length') === undefined &&
    status !== 204 &&
    status !== 304
  const isBodiless = method === 'HEAD' || !Status.allowsBody(status)
  const responseBody = isBodiless
    ? null
    : isChunkSource(body)
      ? streamOf(body, signal, onEnd, onCancel)
      : (body ?? null)
  if (isBodiless && isChunkSource(body)) body.close()
  if (isBodiless || !isChunkSource(body)) onEnd()
  const responseHeaders: Array<[string, string]> = needsLength
    ? [...pairs, ['Content-Length', String(length)]]
    : [...pairs]
  const init = { statusText: Status.reasonPhrase(status), headers: responseHeaders }
  // the constructor rejects a status above 599, which HTTP allows (RFC 9110, 15)
  return status <= 599
    ? new Response(responseBody, { ...init, status })
    : Object.defineProperty(new Response(responseBody, init), 'status', {
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

/** Returns the value of the `Content-Length` header, or `0` if the header is missing. */
const contentLength = ({ headers }: Request): number => Number(headers.get('content-length') ?? 0)

/** Streams the body of a request. Throws an `HttpError` with status 413 if the body exceeds the limit. */
async function* streamBody(
  { body }: Request,
  limit: SizeLimit,
): AsyncGenerator<Uint8Array, undefined> {
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > limit.bytes) throw readError(bodyTooLarge(limit))
    yield chunk
  }
}

/** Reads the whole body of a request. If the body exceeds the limit, reading stops and a failure is returned. */
const readBody = async (
  request: Request,
  limit: SizeLimit,
): Promise<Uint8Array | RequestFailure> => {
  if (request.bodyUsed) throw new TypeError('the request body has already been read')
  const chunks = new ByteCollector()
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > limit.bytes) return bodyTooLarge(limit)
    chunks.add(chunk)
  }
  return chunks.take()
}
