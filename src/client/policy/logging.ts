/** Logs requests and responses of a client. */
import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from '../../endpoint/context.ts'
import type * as Headers from '../../http/headers.ts'
import type { ClientBody, Policy } from '../exchange.ts'
import { createMasker } from '../mask-secrets.ts'
import { createPreview, isText, previewOf } from '../stream/body-preview.ts'
import type { BodyEnd, BodyObserver } from '../stream/observe-body.ts'
import { observeBody } from '../stream/observe-body.ts'
import { createPolicy } from './policy.ts'
import type { Clock } from './timer.ts'
import { systemClock } from './timer.ts'

export interface LoggingOptions {
  /** Receives the log lines. Exceptions that it throws are ignored. */
  readonly logger: Logger
  /** The level of all log lines. Default: `debug`. */
  readonly level?: 'trace' | 'debug' | 'info'
  /**
   * What is logged. Default: `request-response`.
   *
   * - `request-response`: the request, the response or error, and the beginning of each body.
   * - `all`: additionally each chunk of a body and the end of the body.
   */
  readonly scope?: 'request-response' | 'all'
  /** Maximum number of characters logged of a text body; 0 for none. Default: 100. */
  readonly bodyLimit?: number
  /**
   * Additional headers and query parameters whose values are masked. Case-insensitive.
   *
   * `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie` and names that contain "password", "secret", "token" or "api-key" are
   * always masked. Paths of URLs are not masked.
   */
  readonly mask?: ReadonlyArray<string>
  /** Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Logs requests and responses.
 *
 * Bodies are logged while the application reads them; they are not buffered and not masked. Outside `retry` it logs calls,
 * inside `retry` it logs each attempt.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { basicAuth, client, logging } from 'espalier/client'
 * import { jsonLines } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const lines: Array<string> = []
 * const logger = jsonLines({ write: (line) => lines.push(line) })
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
export const logging = ({
  logger,
  level = 'debug',
  scope = 'request-response',
  bodyLimit = 100,
  mask = [],
  clock = systemClock,
}: LoggingOptions): Policy => {
  const masker = createMasker(mask)
  const log = (members: Readonly<Record<string, unknown>>, message: string): void => {
    try {
      logger[level](members, message)
    } catch {
      // a failing logger must not fail the call
    }
  }
  return createPolicy((next) => (request) => async () => {
    const { operation, method } = request
    const url = masker.url(request.url)
    const title = `${method} ${url}`
    const common = { operation: operation.name, method, url }
    const bodyLogger = (
      direction: 'sent' | 'received',
      headers: Headers.Headers,
    ): Required<BodyObserver> =>
      observePreview(isText(headers) ? bodyLimit : 0, {
        onPreview: (body) => log({ ...common, body }, `${title}: body ${direction}`),
        onChunk: ({ length: bytes }) => {
          if (scope === 'all') log({ ...common, bytes }, `${title}: ${bytes} bytes ${direction}`)
        },
        onEnd: (end) => {
          if (scope === 'all') log({ ...common, end }, `${title}: body ${end}`)
        },
      })
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
    const outcome = await next({
      ...request,
      body: observeRequestBody(request.body, () => bodyLogger('sent', request.headers)),
    })()
    const duration = clock.now() - start
    if (E.isLeft(outcome)) {
      const { _tag: error, message } = outcome.left
      log({ ...common, error, duration }, message)
      return outcome
    }
    const response = outcome.right
    const { status, headers } = response
    log(
      { ...common, status, duration, headers: masker.headers(headers) },
      `${title}: ${status} in ${duration.toFixed(1)} ms`,
    )
    const logsBody = scope === 'all' || (bodyLimit > 0 && isText(headers))
    if (response.body === null || !logsBody) return outcome
    const observed = observeBody(response.body, bodyLogger('received', headers))
    return E.right({ ...response, body: observed.body })
  })
}

/** Observes a request body. Only streamed bodies are observed, while they are sent. */
const observeRequestBody = (
  body: ClientBody | undefined,
  createObserver: () => Required<BodyObserver>,
): ClientBody | undefined =>
  body?._tag !== 'Pieces'
    ? body
    : {
        _tag: 'Pieces',
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

/** Calls `onPreview` once, with the first `limit` characters of a body; 0 disables it. */
const observePreview = (
  limit: number,
  {
    onPreview,
    onChunk,
    onEnd,
  }: Required<BodyObserver> & { readonly onPreview: (text: string) => void },
): Required<BodyObserver> => {
  const preview = createPreview(limit)
  let isReported = limit === 0
  const report = (): void => {
    if (isReported || preview.text() === '') return
    isReported = true
    onPreview(preview.text())
  }
  return {
    onChunk: (chunk) => {
      onChunk(chunk)
      if (!isReported && preview.add(chunk)) report()
    },
    onEnd: (end) => {
      report()
      onEnd(end)
    },
  }
}
