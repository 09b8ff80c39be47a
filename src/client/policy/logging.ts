/** A log of what a client sends and what comes back. */
import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from '../../endpoint/context.ts'
import * as Headers from '../../http/headers.ts'
import type { ClientBody, ClientRequest, ClientResponse, Policy } from '../exchange.ts'
import type { Clock } from './timer.ts'
import { system } from './timer.ts'
import { cut, excerpt } from './excerpt.ts'
import { masking } from '../mask-secrets.ts'
import type { Outcome } from './outcome.ts'
import { policy } from './policy.ts'
import { watched } from '../stream/observe-body.ts'

export interface LoggingOptions {
  /** Where the lines go. What it throws is dropped. */
  readonly logger: Logger
  /** The level of all lines; `debug` unless it is said. */
  readonly level?: 'trace' | 'debug' | 'info'
  /**
   * `request-response`, unless it is said: a line for a request, one for its response or what went wrong, and one for the first
   * characters of the content. `all`: a line for each piece of content and for its end, too.
   */
  readonly scope?: 'request-response' | 'all'
  /** So many characters of contents are told, those of text alone; 100 unless it is said, 0 for none. */
  readonly bodyLimit?: number
  /**
   * Header fields and query parameters whose values are not told, in any case, beside those that are never told:
   * `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`, and names that speak of a password, a secret, a token or an
   * API key. What is in the path of a URL is told.
   */
  readonly mask?: ReadonlyArray<string>
  /** The system's unless it is said. */
  readonly clock?: Clock
}

/**
 * Writes down what is sent and what comes back. Contents are told as they pass by, when their first characters or their end are
 * there; they are neither held back nor read for the log, and nothing in them is masked. Around a `retry` it sees calls, within it
 * each try.
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
 * const told = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [basicAuth('ann', 'plum'), logging({ logger, level: 'info' })],
 * })
 * await told.hello()()
 * const [sent, answered, read] = lines.map((line) => JSON.parse(line))
 *
 * assert.equal(sent.headers.Authorization, '***')
 * assert.deepEqual([answered.status, read.content], [200, 'Hello'])
 * ```
 */
export const logging = ({
  logger,
  level = 'debug',
  scope = 'request-response',
  bodyLimit = 100,
  mask = [],
  clock = system,
}: LoggingOptions): Policy => {
  const shown = masking(mask)
  const tell = (members: Readonly<Record<string, unknown>>, message: string): void => {
    try {
      logger[level](members, message)
    } catch {
      // there is nobody left to tell
    }
  }
  return policy((next) => (request) => async () => {
    const { operation, method } = request
    const url = shown.url(request.url)
    const line = `${method} ${url}`
    const about = { operation: operation.name, method, url }
    const tellPassing = (direction: 'sent' | 'received', isText: boolean): Passing =>
      passing({
        limit: isText ? bodyLimit : 0,
        content: (content) => tell({ ...about, content }, `${line}: content ${direction}`),
        piece: (octets) =>
          scope === 'all' && tell({ ...about, octets }, `${line}: ${octets} octets ${direction}`),
        over: (ending) =>
          scope === 'all' && tell({ ...about, ending }, `${line}: content ${ending}`),
      })
    const content = await excerptOf(request, bodyLimit)
    tell(
      {
        ...about,
        headers: shown.headers(request.headers),
        ...(content === undefined ? {} : { content }),
      },
      line,
    )
    const began = clock.now()
    const outcome = await next({
      ...request,
      body: sending(request.body, () => tellPassing('sent', isText(request.headers))),
    })()
    const duration = clock.now() - began
    if (E.isLeft(outcome)) {
      const { _tag: error, message } = outcome.left
      tell({ ...about, error, duration }, message)
      return outcome
    }
    const { status, headers, body } = outcome.right
    tell(
      { ...about, status, duration, headers: shown.headers(headers) },
      `${line}: ${status} in ${duration.toFixed(1)} ms`,
    )
    const tells = scope === 'all' || (bodyLimit > 0 && isText(headers))
    return body === null || !tells
      ? outcome
      : received(outcome.right, body, tellPassing('received', isText(headers)))
  })
}

interface Passing {
  readonly piece: (octets: Uint8Array) => void
  readonly over: (ending: string) => void
}

/** Tells of a content that passes by: of its beginning once. */
const passing = ({
  limit,
  content,
  piece,
  over,
}: {
  readonly limit: number
  readonly content: (content: string) => void
  readonly piece: (octets: number) => void
  readonly over: (ending: string) => void
}): Passing => {
  const beginning = excerpt(limit)
  let isTold = limit === 0
  const tellBeginning = (): void => {
    if (isTold || beginning.text() === '') return
    isTold = true
    content(beginning.text())
  }
  return {
    piece: (octets) => {
      piece(octets.length)
      if (!isTold && beginning.add(octets)) tellBeginning()
    },
    over: (ending) => {
      tellBeginning()
      over(ending)
    },
  }
}

const received = (
  response: ClientResponse,
  body: ReadableStream<Uint8Array>,
  told: Passing,
): Outcome => E.right({ ...response, body: watched(body, told).body })

/** The body of a request; one in pieces tells of them when they are sent. */
const sending = (body: ClientBody | undefined, tell: () => Passing): ClientBody | undefined =>
  body?._tag !== 'Pieces'
    ? body
    : {
        _tag: 'Pieces',
        open: async function* () {
          const told = tell()
          let ending = 'cancelled'
          try {
            for await (const piece of body.open()) {
              told.piece(piece)
              yield piece
            }
            ending = 'whole'
          } catch (error) {
            ending = 'broken'
            throw error
          } finally {
            told.over(ending)
          }
        },
      }

/** The first characters of a body that is there whole, if it is text. */
const excerptOf = async (
  { headers, body }: ClientRequest,
  limit: number,
): Promise<string | undefined> => {
  if (body?._tag !== 'Whole' || limit === 0 || !isText(headers)) return undefined
  const { content } = body
  if (typeof content === 'string') return cut(content, limit)
  const beginning = excerpt(limit)
  beginning.add(
    content instanceof Blob
      ? new Uint8Array(await content.slice(0, 4 * (limit + 1)).arrayBuffer())
      : content,
  )
  return beginning.text()
}

/** Whether a content is text for people, by what the header says of it. */
const isText = (headers: Headers.Headers): boolean =>
  Headers.first(headers, 'content-encoding') === undefined &&
  /^$|^text\/|[/+](?:json|xml|x-www-form-urlencoded|x-ndjson|problem\+json)\b/i.test(
    Headers.first(headers, 'content-type') ?? '',
  )
