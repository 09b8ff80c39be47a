/** Logs the requests and responses of a client, and reports their durations and results for use in metrics. */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from '../../endpoint/context.ts'
import type * as Headers from '../../http/headers.ts'
import type { ClientError } from '../client-error.ts'
import type { ClientBody, Policy } from '../exchange.ts'
import { createMasker } from '../call-failed.ts'
import { createPreview, isText, previewOf, observeBody } from './observe-body.ts'
import type { BodyEnd, BodyObserver } from './observe-body.ts'
import { createPolicy, originOf } from './policy.ts'
import type { Clock } from '../timer.ts'
import { systemClock } from '../timer.ts'

/** Options for `logging`. */
export interface LoggingOptions {
  /** Logger that receives the log lines. Exceptions thrown by the logger are ignored. */
  readonly logger: Logger
  /** Level at which all lines are logged. Default: `debug`. */
  readonly level?: 'trace' | 'debug' | 'info'
  /**
   * Parts of requests and responses to log. Default: `request-response`.
   *
   * - `request-response`: the request, the response or error, and the beginning of each body
   * - `all`: additionally, the size of each chunk and the end of each body
   */
  readonly scope?: 'request-response' | 'all'
  /** Maximum number of characters to log from a text body. `0` disables logging of body text. Default: 100. */
  readonly bodyLimit?: number
  /**
   * Names of additional headers and query parameters whose values are masked. Names are case-insensitive.
   *
   * The values of `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie` are always masked, as are all values
   * whose name contains "password", "secret", "token" or "api-key". Paths in URLs are not masked.
   */
  readonly mask?: ReadonlyArray<string>
  /** Clock used to measure durations. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Logs requests and responses.
 *
 * Place this policy outside `retry` to log each call, or inside `retry` to log each attempt. Response bodies are logged
 * while the application is reading them. Bodies are neither buffered nor masked.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { basicAuth, client, logging } from 'espalier/client'
 * import { jsonLogger } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const lines: Array<string> = []
 * const logger = jsonLogger({ write: (line) => lines.push(line) })
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [basicAuth('ann', 'plum'), logging({ logger, level: 'info' })],
 * })
 * await service.hello()()
 * const [request, response, body] = lines.map((line) => JSON.parse(line))
 *
 * assert.equal(request.headers.Authorization, '***')
 * assert.deepEqual([response.status, body.body], [200, 'Hello'])
 * ```
 */
export const logging = (options: LoggingOptions): Policy => {
  const {
    logger,
    level = 'debug',
    scope = 'request-response',
    bodyLimit = 100,
    mask = [],
    clock = systemClock,
  } = checkOptions('logging', ['logger', 'level', 'scope', 'bodyLimit', 'mask', 'clock'], options)
  const masker = createMasker(mask)
  const log = (members: Readonly<Record<string, unknown>>, message: string): void => {
    try {
      logger[level](members, message)
    } catch {
      // a failing logger must not make the call fail
    }
  }
  return createPolicy((next) => (request) => async () => {
    const { operation, method } = request
    const url = masker.url(request.url)
    const title = `${method} ${url}`
    const common = { operation: operation.name, method, url }
    const observer = (direction: 'sent' | 'received', headers: Headers.Headers) =>
      bodyLogger(
        (members, event) => log({ ...common, ...members }, `${title}: ${event}`),
        direction,
        isText(headers) ? bodyLimit : 0,
        scope === 'all',
      )
    const body = await previewOf(request, bodyLimit)
    log(
      {
        ...common,
        headers: masker.headers(request.headers),
        ...(body === undefined ? {} : { body }),
      },
      title,
    )
    const start = clock.now()
    const result = await next({
      ...request,
      body: observeRequestBody(request.body, () => observer('sent', request.headers)),
    })()
    const duration = clock.now() - start
    if (E.isLeft(result)) {
      const { _tag: error, message } = result.left
      log({ ...common, error, duration }, message)
      return result
    }
    const response = result.right
    const { status, headers } = response
    log(
      { ...common, status, duration, headers: masker.headers(headers) },
      `${title}: ${status} in ${duration.toFixed(1)} ms`,
    )
    const logsBody = scope === 'all' || (bodyLimit > 0 && isText(headers))
    if (response.body === null || !logsBody) return result
    const observed = observeBody(response.body, observer('received', headers))
    return E.right({ ...response, body: observed.body })
  })
}

/** Wraps a streamed request body to observe it while it is being sent. Returns other bodies unchanged. */
const observeRequestBody = (
  body: ClientBody | undefined,
  createObserver: () => Required<BodyObserver>,
): ClientBody | undefined =>
  body?._tag !== 'Streamed'
    ? body
    : {
        _tag: 'Streamed',
        open: async function* () {
          const observer = createObserver()
          let end: BodyEnd = 'cancelled'
          try {
            for await (const chunk of body.open()) {
              observer.onChunk(chunk)
              yield chunk
            }
            end = 'complete'
          } catch (error) {
            end = 'failed'
            throw error
          } finally {
            observer.onEnd(end)
          }
        },
      }

/** Creates an observer that logs the beginning of a text body and, if `logsAll` is set, each chunk and the end of the body. */
const bodyLogger = (
  log: (members: Readonly<Record<string, unknown>>, event: string) => void,
  direction: 'sent' | 'received',
  limit: number,
  logsAll: boolean,
): Required<BodyObserver> => {
  const preview = createPreview(limit)
  let isReported = limit === 0
  const report = (): void => {
    const body = preview.text()
    if (isReported || body === '') return
    isReported = true
    log({ body }, `body ${direction}`)
  }
  return {
    onChunk: (chunk) => {
      const { length: bytes } = chunk
      if (logsAll) log({ bytes }, `${bytes} bytes ${direction}`)
      if (!isReported && preview.add(chunk)) report()
    },
    onEnd: (end) => {
      report()
      if (logsAll) log({ end }, `body ${end}`)
    },
  }
}

/** Describes a completed request. */
export interface Observation {
  /** Name of the operation, such as `books.get`. */
  readonly operation: string
  /**
   * Path template, such as `/books/{isbn}`. As a metric label, use the template instead of the URL to keep the number
   * of label values low.
   */
  readonly template: string
  readonly method: string
  /** Scheme, host and port of the URL. */
  readonly origin: string
  /** Status of the response, or `undefined` if the request failed. */
  readonly status: number | undefined
  /** Tag of the error, or `undefined` if a response was received. */
  readonly error: ClientError['_tag'] | undefined
  /** Time, in milliseconds, from the start of the request until the response headers arrived or the request failed. */
  readonly duration: number
}

/**
 * Calls `observe` when the response headers have arrived or the request has failed.
 *
 * Place this policy outside `retry` to observe each call, or inside `retry` to observe each attempt. Exceptions thrown
 * by `observe` are ignored. To create a trace span, use {@link clientFilter} instead, because a span must exist before
 * the request is sent.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, observeRequests } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello/{name}'),
 *   get(),
 *   produces(text),
 *   handle(({ path: { name } }) => `Hello, ${name}`),
 * )
 * const counts = new Map<string, number>()
 * const countRequests = observeRequests(({ template, status, error }) => {
 *   const label = `${template} ${status ?? error}`
 *   counts.set(label, (counts.get(label) ?? 0) + 1)
 * })
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [countRequests],
 * })
 * await service.hello({ path: { name: 'Ann' } })()
 *
 * assert.deepEqual([...counts], [['/hello/{name} 200', 1]])
 * ```
 */
export const observeRequests = (
  observe: (observation: Observation) => void,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Policy =>
  createPolicy((next) => (request) => async () => {
    const start = clock.now()
    const result = await next(request)()
    const { name: operation, template } = request.operation
    try {
      observe({
        operation,
        template,
        method: request.method,
        origin: originOf(request.url),
        status: E.isRight(result) ? result.right.status : undefined,
        error: E.isLeft(result) ? result.left._tag : undefined,
        duration: clock.now() - start,
      })
    } catch {
      // a failing observer must not make the call fail
    }
    return result
  })
