/**
 * Answers to pages of other origins.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RequestContext, UriInfo } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { filters, withUndeclaredReplies } from '../endpoint/filter.ts'
import { Forbidden } from '../endpoint/http-error.ts'
import { priority } from '../endpoint/filter-order.ts'
import { preMatching } from '../endpoint/pre-matching.ts'
import type { Reply } from '../endpoint/reply.ts'
import { noContent, withHeader } from '../endpoint/reply.ts'
import { responseFilter } from '../endpoint/response-filter.ts'
import * as Grammar from '../http/grammar.ts'
import { priorities } from './priorities.ts'
import type { Origins } from './origins.ts'
import { originMatcher } from './origins.ts'
import { headersOf, withHeaders, withoutHeader } from './reply-headers.ts'

/** Whose pages may ask, and what. */
export interface CorsOptions {
  /**
   * Origins as browsers write them (`https://example.com`, without a slash at the end), `null` for pages that have none, and
   * expressions that match a whole origin; or `*` for everybody. With an empty list, only pages of the same origin. Expressions
   * run as they are, on what strangers send: one that repeats what is repeated in it, `(a+)+`, can be made to take for ever.
   */
  readonly origins: Origins
  /** Methods that other origins may use, HEAD with GET; every method by default, none with an empty list. */
  readonly methods?: ReadonlyArray<string>
  /** Request fields beyond the harmless ones; whatever a page asks for by default, none with an empty list. */
  readonly headers?: ReadonlyArray<string>
  /** Response fields that pages may read beyond the harmless ones; none by default. */
  readonly exposedHeaders?: ReadonlyArray<string>
  /** Seconds for which a browser need not ask again; unsaid by default, which is 5 in most browsers. */
  readonly maxAge?: number
  /** Whether cookies and credentials of the user are sent along; not by default, and never with `*`. */
  readonly credentials?: boolean
}

/**
 * Lets pages of other origins use the service, and nobody else: a request that says an origin which is neither listed nor the
 * service's own is answered with 403, and its endpoint does not run. What a browser asks before (a preflight) is answered
 * with 204 before matching. Every response has `Vary: Origin`; errors and refusals have all the fields that others have. An
 * `Access-Control-Allow-Origin` that a reply to a listed origin has of its own is replaced: browsers take no two.
 *
 * It is a defence against forged requests (CSRF) as well: browsers say the origin of every request that is not GET or HEAD, so
 * that no page of another origin can change anything with the cookies of a user, whatever `SameSite` they have. With
 * `origins: []` it is nothing else.
 *
 * It has to stand around the whole tree. The service's own origin is that of the request's URI: behind a proxy that ends TLS,
 * list the public one. Throws a `TypeError` for options that cannot be meant.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { cors, get, handle, path, produces, routes, text, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const api = pipe(
 *   routes({ hello }),
 *   withFilter(cors({ origins: ['https://app.example', /https:\/\/pr-\d+\.app\.example/] })),
 * )
 * const ask = (Origin: string) =>
 *   inMemory(api)(new Request('https://api.example/hello', { headers: { Origin } }))
 *
 * const { headers } = await ask('https://pr-17.app.example')
 * assert.equal(headers.get('Access-Control-Allow-Origin'), 'https://pr-17.app.example')
 * assert.equal(headers.get('Vary'), 'Origin')
 * assert.equal((await ask('https://app.example.evil.example')).status, 403)
 * assert.throws(() => cors({ origins: ['https://app.example/'] }), /write https:\/\/app\.example/)
 * ```
 */
export const cors = (options: CorsOptions): PlainFilter => {
  const { origins, credentials = false, exposedHeaders } = options
  if (origins === '*' && credentials)
    throw new TypeError('credentials are never sent to every origin: list the origins')
  const isListed = originMatcher(origins)
  const isMethod = allowing(options.methods)
  const preflight = preflighted(options)
  const every = headersOf([
    ['Access-Control-Allow-Credentials', credentials ? 'true' : undefined],
    ...vary,
  ])
  const actual = headersOf([['Access-Control-Expose-Headers', joined(exposedHeaders)]])
  return pipe(
    filters(
      preMatching(({ request, uri }) => {
        const origin = request.header('origin')
        if (origin === undefined) return undefined
        if (!isListed(origin) && !isOwn(origin, uri)) return foreign(origin)
        if (isPreflight(request)) return preflight(request)
        return isMethod(request.method) || isOwn(origin, uri) ? undefined : excluded(request.method)
      }),
      responseFilter((answered, { request }) => {
        const origin = request.header('origin')
        if (origin === undefined || !isListed(origin)) return withHeaders(answered, unlisted)
        const allowed = [allowOrigin, origins === '*' ? '*' : origin]
        const exposed = isPreflight(request) ? [] : actual
        return withHeaders(withoutHeader(answered, allowOrigin), [...allowed, ...every, ...exposed])
      }),
    ),
    priority(priorities.cors),
    withUndeclaredReplies,
  )
}

const allowOrigin = 'Access-Control-Allow-Origin'
const vary = [['Vary', 'Origin']] as const
const unlisted = headersOf(vary)

const foreign = (origin: string): Forbidden =>
  new Forbidden(`the origin ${origin} is not listed`, {
    detail: 'Pages of this origin may not use the service.',
  })

const excluded = (method: string): Forbidden =>
  new Forbidden(`the method ${method} is not listed`, {
    detail: 'Pages of other origins may not use this method.',
  })

/** Whether a page of the service asks itself. A request without an authority has no origin of its own. */
const isOwn = (origin: string, uri: UriInfo): boolean =>
  pipe(
    O.tryCatch(() => uri.base.origin),
    O.exists((own) => own === origin),
  )

const isPreflight = ({ method, header }: RequestContext): boolean =>
  method === 'OPTIONS' &&
  (header('access-control-request-method') !== undefined ||
    header('access-control-request-headers') !== undefined)

/** HEAD is GET without content, so it is allowed where GET is. */
const allowing = (methods: CorsOptions['methods']): ((method: string) => boolean) => {
  if (methods === undefined) return () => true
  const allowed = new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)
  return (method) => allowed.has(method)
}

/** Answers preflights: with what is listed or, where nothing is, with what was asked for. */
const preflighted = ({
  methods,
  headers,
  maxAge,
}: CorsOptions): ((request: RequestContext) => Reply<204, void>) => {
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
    throw new TypeError(`maxAge is a whole number of seconds, not ${maxAge}`)
  const methodsFor = listing(methods)
  const headersFor = listing(headers)
  return ({ header }) =>
    [
      ['Allow-Methods', methodsFor(header('access-control-request-method'))],
      ['Allow-Headers', headersFor(header('access-control-request-headers'))],
      ['Max-Age', maxAge?.toString()],
    ].reduce<Reply<204, void>>(
      (answered, [name, value]) =>
        value === undefined ? answered : withHeader(`Access-Control-${name}`, value)(answered),
      noContent,
    )
}

/** What is listed or, where nothing is said, what is asked for; an empty list allows nothing. */
const listing = (
  names: ReadonlyArray<string> | undefined,
): ((text: string | undefined) => string | undefined) => {
  if (names === undefined) return asked
  const list = joined(names)
  return () => list
}

/** The tokens that a browser asks for; what else somebody sends is not repeated. */
const asked = (text: string | undefined): string | undefined => {
  const names = Grammar.splitList(text ?? '').filter(Grammar.isToken)
  return names.length === 0 ? undefined : names.join(', ')
}

/** Names as one list; throws a `TypeError` for one that is none. */
const joined = (names: ReadonlyArray<string> | undefined): string | undefined => {
  const wrong = names?.find((name) => !Grammar.isToken(name))
  if (wrong !== undefined)
    throw new TypeError(`${JSON.stringify(wrong)} is the name of no method and of no header field`)
  return names === undefined || names.length === 0 ? undefined : names.join(', ')
}
