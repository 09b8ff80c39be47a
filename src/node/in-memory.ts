/**
 * Sends requests to a program without a socket, with the types of the Fetch standard.
 *
 * Everything from routing on is the same as on a server. Checks of a connection, such as framing and header limits, do not apply.
 *
 * @see https://fetch.spec.whatwg.org
 */
import type { Routes } from '../endpoint/routes.ts'
import type { RequestFailure } from '../http/failure.ts'
import { compile } from '../interpreter/program.ts'
import type { EncodedResponse, Exchange } from '../interpreter/exchange.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import { ByteCollector } from '../http/byte-collector.ts'
import { encodeFailure } from '../interpreter/errors/error-response.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import type { SizeLimit } from '../compiler/settings/size-limit.ts'
import { bodyTooLarge } from '../compiler/settings/size-limit.ts'
import { readError } from '../interpreter/errors/failure-error.ts'
import { responseOf } from './fetch-response.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'
import { createPlatform } from './platform.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as RequestTarget from '../http/request-target.ts'
import * as Problem from '../http/problem.ts'

/** Options of `inMemory`: settings by name, and options that are not settings. Files and the environment are not read. */
export interface InMemoryOptions extends SettingsInput {
  /** The configuration profile. Default: `prod`. */
  readonly profile?: string
  /** Application properties by name, for `context.application.property` and for conditions. */
  readonly properties?: ApplicationProperties
  /** The logger. Default: nothing is logged. */
  readonly logger?: Logger
}

/** Sends a request to the program. Rejects only if the request is aborted. */
export type Call = (request: Request) => Promise<Response>

/** A {@link Call} that also accepts the arguments of `fetch`, so that it can replace `fetch`. */
export type InMemory = Call & ((url: string | URL, init?: RequestInit) => Promise<Response>)

/**
 * Compiles a route tree, and returns a function that sends requests to it without a socket.
 *
 * Throws a `MistakesError` that lists all errors of the tree and the settings.
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
  const { logger, profile = 'prod', properties = {}, ...given } = options
  const sources = { profile, properties, given, environment: {}, directory: null }
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
      // a Request may stop following the signal of its `init` after garbage collection
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
      const respond = (answer: EncodedResponse): void =>
        resolve(responseOf({ method: request.method, signal }, answer, end, disconnect))
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
        onEnd: (then) => {
          if (hasEnded) then()
          else endCallbacks.push(then)
        },
        signal: () => {
          if (signal.aborted) return signal
          controller ??= new AbortController()
          if (isDisconnected) controller.abort()
          return controller.signal
        },
        readBody: (limit, then) => {
          if (contentLength(request) > limit.bytes) return then(bodyTooLarge(limit))
          readBody(request, limit).then(then, reject)
        },
        streamBody: (limit) =>
          contentLength(request) > limit.bytes ? bodyTooLarge(limit) : streamBody(request, limit),
        platform,
        send: respond,
      }
      run(exchange)
    })
}

/** Returns the value of `Content-Length`; 0 without it. */
const contentLength = ({ headers }: Request): number => Number(headers.get('content-length') ?? 0)

/** Streams the body of a request. Throws above the limit. */
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

/** Reads the whole body of a request. Stops above the limit. */
const readBody = async (
  request: Request,
  limit: SizeLimit,
): Promise<Uint8Array | RequestFailure> => {
  if (request.bodyUsed) throw new TypeError('the body of the request has already been read')
  const chunks = new ByteCollector()
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > limit.bytes) return bodyTooLarge(limit)
    chunks.add(chunk)
  }
  return chunks.take()
}
