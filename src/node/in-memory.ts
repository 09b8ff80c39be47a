/**
 * Calls a program without a socket, by the types of the Fetch standard. What a connection would refuse (framing, sizes of
 * the head) cannot happen here; everything from matching on is the same.
 *
 * @see https://fetch.spec.whatwg.org
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Routes } from '../endpoint/routes.ts'
import type { RequestFailure } from '../http/failure.ts'
import * as RequestTarget from '../http/request-target.ts'
import * as Problem from '../http/problem.ts'
import { compile } from '../interpreter/program.ts'
import type { Answer, Exchange } from '../interpreter/exchange.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import { joined } from '../interpreter/request-body/multipart/concat-bytes.ts'
import { refuse } from '../interpreter/errors/error-response.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import type { SizeLimit } from '../compiler/settings/size-limit.ts'
import { tooLarge } from '../interpreter/request-body/too-large.ts'
import { unread } from '../interpreter/errors/unread.ts'
import { responseOf } from './fetch-response.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'
import { createPlatform } from './platform.ts'

/** Settings under their own names, and what is not a setting. Neither files nor the environment are read. */
export interface InMemoryOptions extends SettingsInput {
  /** `prod` by default. */
  readonly profile?: string
  /** Properties of the application, by name: for `context.application.property`, and for conditions. */
  readonly properties?: ApplicationProperties
  /** Where the log goes; nowhere by default. */
  readonly logger?: Logger
}

/** Answers a request as the server would. Rejects only when the request is aborted. */
export type Call = (request: Request) => Promise<Response>

/** A {@link Call} that takes what `fetch` takes, so that it can stand in its place. */
export type InMemory = Call & ((url: string | URL, init?: RequestInit) => Promise<Response>)

/**
 * Compiles the tree; throws a `MistakesError` that lists everything that is wrong with it or with the settings.
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
 * const call = inMemory(routes({ double }), { 'fw.rest.path': '/api' })
 *
 * assert.equal(await (await call(new Request('http://localhost/api/double/21'))).text(), '42')
 * assert.equal((await call(new Request('http://localhost/api/double/half'))).status, 404)
 * assert.throws(() => inMemory(routes({ double, twice: double })), /FW-ROUTE-002/)
 * ```
 */
export const inMemory = <T, E>(api: Routes<T, {}, E>, options: InMemoryOptions = {}): InMemory => {
  const { logger, profile = 'prod', properties = {}, ...given } = options
  const sources = { profile, properties, given, environment: {}, directory: null }
  const loaded = loadSettings(sources)
  const system = createPlatform(loaded.settings)
  const environment = {
    configuration: loaded,
    system,
    ...(logger === undefined ? {} : { logger }),
  }
  const run = interpret(compile(api, loaded.settings, environment))
  return (asked: Request | string | URL, init?: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const request = asked instanceof Request ? asked : new Request(asked, init)
      // a request of the platform follows the signal that it was made with only until garbage is collected
      const signal = (asked instanceof Request ? undefined : init?.signal) ?? request.signal
      const headers = [...request.headers].flat()
      const ending: Array<() => void> = []
      let ended = false
      const end = (): void => {
        ended = true
        signal.removeEventListener('abort', gone)
        for (const then of ending.splice(0)) then()
      }
      let leaving: AbortController | undefined
      let hasLeft = false
      const left = (): void => {
        hasLeft = true
        leaving?.abort(signal.reason)
        end()
      }
      const gone = (): void => {
        reject(signal.reason)
        left()
      }
      const answer = (answered: Answer): void =>
        resolve(responseOf({ method: request.method, signal }, answered, end, left))
      const target = RequestTarget.parse(request.method, request.url)
      if (O.isNone(target) || target.value._tag === 'Asterisk') {
        const failure = {
          _tag: 'MalformedRequest',
          detail: 'Invalid request target.',
        } as const
        return answer(
          refuse(failure, { method: request.method, headers }, Problem.newInstanceUri()),
        )
      }
      const { path, query } = target.value
      if (signal.aborted) return gone()
      signal.addEventListener('abort', gone)
      const exchange: Exchange = {
        method: request.method,
        path,
        query,
        headers,
        origin: () => new URL(request.url).origin,
        prefix: () => '',
        address: () => undefined,
        onEnd: (then) => {
          if (ended) then()
          else ending.push(then)
        },
        signal: () => {
          if (signal.aborted) return signal
          leaving ??= new AbortController()
          if (hasLeft) leaving.abort()
          return leaving.signal
        },
        takeContent: (limit, then) => {
          if (announced(request) > limit.bytes) return then(tooLarge(limit))
          whole(request, limit).then(then, reject)
        },
        takePieces: (limit) =>
          announced(request) > limit.bytes ? tooLarge(limit) : taken(request, limit),
        system,
        answer,
      }
      run(exchange)
    })
}

/** Returns the number of bytes that `Content-Length` announces; 0 without it. */
const announced = ({ headers }: Request): number => Number(headers.get('content-length') ?? 0)

/** Yields the body of a request as it is received. */
async function* taken({ body }: Request, limit: SizeLimit): AsyncGenerator<Uint8Array, undefined> {
  let octets = 0
  for await (const piece of body ?? []) {
    octets += piece.length
    if (octets > limit.bytes) throw unread(tooLarge(limit))
    yield piece
  }
}

/** Reads the whole body of a request. Stops reading above the limit. */
const whole = async (request: Request, limit: SizeLimit): Promise<Uint8Array | RequestFailure> => {
  if (request.bodyUsed) throw new TypeError('the body of the request has already been read')
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > limit.bytes) return tooLarge(limit)
    chunks.push(chunk)
  }
  return joined(chunks)
}
