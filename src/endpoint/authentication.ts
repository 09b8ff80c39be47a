/**
 * Authentication filters: identify the caller of a request. The attributes of `access.ts` decide what a caller may do;
 * they are checked after authentication and before the body is read.
 *
 * The challenge is mandatory, because a 401 response must have one (RFC 9110, 15.5.2).
 */
import type { Option } from 'fp-ts/lib/Option.js'
import * as Grammar from '../http/grammar.ts'
import type { Context, Principal } from './context.ts'
import type { Filter, FilterReturns, RequestFilter } from './filter.ts'
import { defaultOrder, makeFilter } from './filter.ts'
import type { ByName, BySlot, Slots } from './request-filter.ts'
import type { Contents, ReplyOf, Undeclared } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'
import type { AnySlot } from './internal/slot-types.ts'

/** Options of {@link authentication}. */
export interface AuthenticationOptions {
  /** Challenge that a 401 response sends in `WWW-Authenticate`, such as `Basic realm="books"` (RFC 9110, 11.6.1). */
  readonly challenge: string
  /**
   * Whether the challenge is omitted for requests without credentials, so that browsers do not open a login dialog.
   * Default: `false`.
   */
  readonly silent?: boolean
  /**
   * Whether invalid credentials are also rejected where anonymous access is allowed. Default: `true`. With `false`, a
   * request that the filter rejects with 400 or 401 proceeds there as anonymous.
   */
  readonly proactive?: boolean
  readonly needs?: { readonly [local: string]: AnySlot }
  readonly fails?: Contents
}

type Unknown = void | undefined

type NeedsOf<O> = 'needs' extends keyof O ? BySlot<Slots<O, 'needs'>> : unknown

/**
 * Creates an authentication filter, which identifies the caller of a request.
 *
 * `run` returns nothing for a request without credentials of its scheme, which proceeds as anonymous. For valid
 * credentials it returns {@link identified}, and for invalid ones a reply or an error, usually `Unauthorized` with its
 * challenge. It may return a promise, a `Task` or a `TaskEither`.
 *
 * If several authentication filters apply, they run in order until one of them identifies the caller. Their priority
 * is 1000, so they run before other filters. They run on the event loop, and before the body is read. Throws a
 * `TypeError` for a challenge without a scheme or with invalid characters.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { authenticated, authentication, get, handle, identified, path, produces, routes, text, Unauthorized, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const sessions = new Map([['7f3a', { name: 'ann', roles: [] }]])
 * const challenge = 'Session realm="library"'
 * const session = authentication({ challenge }, ({ request }) => {
 *   const id = request.cookie('session')
 *   if (id === undefined) return undefined
 *   const user = sessions.get(id)
 *   return user === undefined ? new Unauthorized(challenge) : identified(user)
 * })
 * const me = pipe(
 *   path('/me'),
 *   get(),
 *   authenticated,
 *   produces(text),
 *   handle((_, { security }) => `${security.principal?.name}, by ${security.scheme}`),
 * )
 * const send = inMemory(pipe(routes({ me }), withFilter(session)))
 * const request = (cookie: string) => send('http://localhost/me', { headers: { cookie } })
 *
 * assert.equal(await (await request('session=7f3a')).text(), 'ann, by Session')
 * assert.equal((await request('session=guessed')).status, 401)
 * assert.equal((await request('')).headers.get('WWW-Authenticate'), challenge)
 * ```
 */
export const authentication = <const O extends AuthenticationOptions>(
  options: O,
  run: (
    context: Context,
    needs: ByName<Slots<O, 'needs'>>,
  ) => FilterReturns<Unknown | Identified | Option<Identified>, Undeclared | ReplyOf<O>>,
): Filter<NeedsOf<O>, unknown, ReplyOf<O>> => {
  const { challenge, silent = false, proactive = true, needs = {}, fails = {} } = options
  // called with the slots of its own options
  const find = run as RequestFilter['run']
  return makeFilter({
    _tag: 'RequestFilter',
    ...defaultOrder,
    priority: 1000,
    nonBlocking: true,
    run: (context, filled) =>
      context.security.principal === undefined ? find(context, filled) : undefined,
    needs: new Map(Object.entries(needs)),
    gives: new Map(),
    responses: toResponses(fails),
    authentication: Object.freeze({
      challenge,
      scheme: schemeOf(challenge),
      silent,
      proactive,
    }),
  })
}

const schemeOf = (challenge: string): string => {
  const [scheme = ''] = challenge.split(' ', 1)
  if (!Grammar.isToken(scheme) || !Grammar.isHeaderValue(challenge))
    throw new TypeError(`invalid challenge: ${JSON.stringify(challenge)}`)
  return scheme
}

/** The result of a successful authentication. */
export interface Identified {
  readonly _tag: 'Identified'
  readonly principal: Principal
  readonly scheme: string | undefined
}

const mark = Symbol.for('espalier.Identified')

/**
 * Accepts the credentials of a request: the result of a successful authentication filter.
 *
 * `context.security` exposes `principal` and `scheme`. `scheme` defaults to that of the filter's challenge.
 */
export const identified = (principal: Principal, scheme?: string): Identified =>
  Object.freeze({ _tag: 'Identified', principal, scheme, [mark]: true })

/** Whether a value is the result of {@link identified}, of this or another copy of the package. */
export const isIdentified = (value: unknown): value is Identified =>
  typeof value === 'object' && value !== null && mark in value
