/**
 * Authentication filters: they find out who asks. What somebody may do is said by the marks of `access.ts`, and checked
 * behind these filters and before the body is read.
 *
 * Why the challenge is always given: it names the scheme, and a 401 without any challenge is none that RFC 9110 knows.
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

/** What an authentication filter declares. */
export interface AuthenticationOptions {
  /** What the 401 for somebody who is not known tells the client to send: `Basic realm="books"` (RFC 9110, 11.6.1). */
  readonly challenge: string
  /** Whether requests that bring no credentials are answered without this challenge, so that browsers open no dialogue; `false` unless it is said. */
  readonly silent?: boolean
  /**
   * Whether bad credentials are refused where anybody may call, too; `true` unless it is said. With `false`, whom the filter
   * refuses there with 400 or 401 goes on as somebody who is not known.
   */
  readonly proactive?: boolean
  readonly needs?: { readonly [local: string]: AnySlot }
  readonly fails?: Contents
}

type Unknown = void | undefined

type NeedsOf<O> = 'needs' extends keyof O ? BySlot<Slots<O, 'needs'>> : unknown

/**
 * A filter that finds out who asks. It returns nothing for a request without credentials of its kind, which goes on as
 * somebody who is not known; {@link identified} for somebody whom it knows; or a refusal, best an `Unauthorized` with its
 * challenge. All of it now, as a promise, a `Task` or a `TaskEither`.
 *
 * Several can stand around one tree: they are asked in their order until one knows who asks, and the others are not. They run
 * before other filters (their priority is 1000), on the event loop, and before the body is read. Throws a `TypeError` for a
 * challenge that does not begin with a scheme, or that no field can hold.
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
  // it is called with the slots that its own options name
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
    throw new TypeError(`not a challenge: ${JSON.stringify(challenge)}`)
  return scheme
}

/** Somebody whom an authentication filter knows: see {@link identified}. */
export interface Identified {
  readonly _tag: 'Identified'
  readonly principal: Principal
  readonly scheme: string | undefined
}

const mark = Symbol.for('espalier.Identified')

/**
 * Goes on with somebody who is known from here on: `context.security` tells of it. `scheme` says how, when it is not the one
 * of the filter's challenge.
 */
export const identified = (principal: Principal, scheme?: string): Identified =>
  Object.freeze({ _tag: 'Identified', principal, scheme, [mark]: true })

/** Whether a value was made by {@link identified}, of this or another copy of the package. */
export const isIdentified = (value: unknown): value is Identified =>
  typeof value === 'object' && value !== null && mark in value
