/**
 * Sends requests to a program without a socket, using the types of the Fetch standard.
 *
 * Requests pass through the full pipeline, starting with routing. Connection-level checks, such as those for framing and header
 * limits, are skipped.
 *
 * @see https://fetch.spec.whatwg.org
 */
import * as Headers from '../http/headers.ts'
import * as Status from '../http/status.ts'
import type { EncodedResponse, Exchange } from '../interpreter/exchange.ts'
import type { ChunkSource } from '../interpreter/chunks.ts'
import { isChunkSource } from '../interpreter/chunks.ts'
import { bodyLength } from './exchange/send-chunks.ts'
import type { Routes } from '../endpoint/routes.ts'
import type { RequestFailure } from '../http/failure.ts'
import { compile } from '../interpreter/program.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import { ByteCollector } from '../http/byte-collector.ts'
import { encodeFailure, readError } from '../interpreter/errors/error-response.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import { bodyTooLarge } from '../compiler/settings/body-limit.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'
import { createPlatform } from './platform.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as RequestTarget from '../http/request-target.ts'
import * as Problem from '../http/problem.ts'

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
  const length = bodyLength(body)
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

/** Options for `inMemory`: settings by name, and additional options. Configuration files and environment variables are not read. */
export interface InMemoryOptions extends SettingsInput {
  /** The configuration profile. Default: `prod`. */
  readonly profile?: string
  /** Application properties by name, available through `context.application.property` and in conditions. */
  readonly properties?: ApplicationProperties
  /** The logger. By default, nothing is logged. */
  readonly logger?: Logger
}

/** Sends a request to the program. Rejects if the request is aborted or its body cannot be read. */
export type InMemoryCall = (request: Request) => Promise<Response>

/** An {@link InMemoryCall} that also accepts the arguments of `fetch` and can therefore replace `fetch`. */
export type InMemory = InMemoryCall & ((url: string | URL, init?: RequestInit) => Promise<Response>)

/**
 * Compiles a route tree and returns a function that sends requests to it without a socket.
 *
 * Throws a `ConfigurationError` that lists all errors in the tree and the settings.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const double = pipe(
 *   path('/double/{n}', { n: int }),
 *   get(),
 *   produces(text),
 *   handle(({ path: { n } }) => String(2 * n)),
 * )
 * const send = inMemory(routes({ double }), { 'fw.rest.path': '/api' })
 *
 * assert.equal(await (await send('http://localhost/api/double/21')).text(), '42')
 * assert.equal((await send('http://localhost/api/double/half')).status, 404)
 * assert.throws(() => inMemory(routes({ double, twice: double })), /FW-ROUTE-002/)
 * ```
 */
export const inMemory = <T, E>(api: Routes<T, {}, E>, options: InMemoryOptions = {}): InMemory => {
  const { logger, profile = 'prod', properties = {}, ...settings } = options
  const sources = { profile, properties, settings, environment: {}, directory: null }
  const loaded = loadSettings(sources)
  const platform = createPlatform(loaded.settings)
  const environment = {
    configuration: loaded,
    platform,
    ...(logger === undefined ? {} : { logger }),
  }
  const run = interpret(compile(api, loaded.settings, environment))
  return (input: Request | string | URL, init?: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const request = input instanceof Request ? input : new Request(input, init)
      // after garbage collection, a `Request` may no longer follow the signal from its `init`
      const signal = (input instanceof Request ? undefined : init?.signal) ?? request.signal
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
        const failure = {
          _tag: 'MalformedRequest',
          detail: 'Invalid request target.',
        } as const
        return respond(
          encodeFailure(failure, { method: request.method, headers }, Problem.newInstanceUri()),
        )
      }
      const { path, query } = target.value
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort)
      const exchange: Exchange = {
        method: request.method,
        path,
        query,
        headers,
        origin: () => new URL(request.url).origin,
        prefix: () => '',
        clientAddress: () => undefined,
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
      }
      run(exchange)
    })
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
