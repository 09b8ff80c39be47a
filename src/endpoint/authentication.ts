/**
 * Authentication filters, which identify the caller of a request. Access rules such as `rolesAllowed` are checked
 * after authentication and before the request body is read.
 *
 * Each filter must have a challenge, because 401 responses must include one (RFC 9110, 15.5.2).
 */
import { checkFunction, isObject } from '../http/platform-value.ts'
import { checkOptions } from './internal/combinator.ts'
import type { Option } from 'fp-ts/lib/Option.js'
import * as Grammar from '../http/grammar.ts'
import type { Context, Principal } from './context.ts'
import type { Authentication, Filter, FilterReturns, RequestFilter } from './filter.ts'
import { defaultOrder, makeFilter } from './filter.ts'
import type { ByName, BySlot, Slots } from './request-filter.ts'
import type { Contents, ReplyOf, UndeclaredReply } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'
import type { AnySlot } from './definition/slot-types.ts'
import type { NamedSecurityScheme } from './security-scheme.ts'
import { securityScheme } from './security-scheme.ts'

/** The authentication scheme, which is not registered, of filters that read the TLS certificate of the client. */
export const clientCertificateScheme = 'ClientCertificate'

/** Options for {@link authentication}. */
export interface AuthenticationOptions {
  /**
   * Challenge sent in the `WWW-Authenticate` header of 401 responses (RFC 9110, 11.6.1). For example:
   * `Basic realm="books"`.
   */
  readonly challenge: string
  /**
   * Whether to omit the challenge from 401 responses to requests without credentials. Without a challenge, browsers
   * do not open a login dialog. Default: `false`.
   */
  readonly silent?: boolean
  /**
   * Whether to reject requests with invalid credentials even if the operation allows anonymous access. Default: `true`.
   * If `false`, a request to such an operation is treated as anonymous if the filter would reject it with 400 or 401.
   */
  readonly proactive?: boolean
  /**
   * How OpenAPI documents describe the filter: the result of `securityScheme`, `oauth2` or `openIdConnect`. Default: HTTP
   * authentication with the scheme of the challenge.
   */
  readonly describedAs?: NamedSecurityScheme
  readonly needs?: { readonly [local: string]: AnySlot }
  readonly fails?: Contents
}

type Unknown = void | undefined

type NeedsOf<O> = 'needs' extends keyof O ? BySlot<Slots<O, 'needs'>> : unknown

/**
 * Creates an authentication filter, which identifies the caller of a request.
 *
 * `run` returns nothing if the request has no credentials for the scheme. The request then proceeds as anonymous. If
 * the credentials are valid, `run` returns the result of {@link authenticateAs}. If they are invalid, it returns a
 * reply or an error, typically `Unauthorized` with the challenge. The result can also be a promise, a `Task` or a
 * `TaskEither`.
 *
 * If multiple authentication filters apply, they run in order of priority until one of them identifies the caller.
 * Authentication filters have priority 1000 and therefore run before filters with the default priority. They run on the
 * event loop, before the request body is read. Throws a `TypeError` if the challenge has no scheme or contains invalid
 * characters.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { authenticated, authentication, get, handle, authenticateAs, path, produces, routes, text, Unauthorized, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const sessions = new Map([['7f3a', { name: 'ann', roles: [] }]])
 * const challenge = 'Session realm="library"'
 * const session = authentication({ challenge }, ({ request }) => {
 *   const id = request.cookie('session')
 *   if (id === undefined) return undefined
 *   const user = sessions.get(id)
 *   return user === undefined ? new Unauthorized(challenge) : authenticateAs(user)
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
  ) => FilterReturns<
    Unknown | AuthenticationResult | Option<AuthenticationResult>,
    UndeclaredReply | ReplyOf<O>
  >,
): Filter<NeedsOf<O>, unknown, ReplyOf<O>> => {
  const known = ['challenge', 'silent', 'proactive', 'describedAs', 'needs', 'fails'] as const
  const { describedAs, ...others } = checkOptions<AuthenticationOptions>(
    'authentication',
    known,
    options,
  )
  checkFunction('authentication(options, run)', 'run', run)
  const scheme = schemeOf(others.challenge)
  // the filter is called with the values of the slots in `options.needs`
  return makeFilter(
    authenticationFilter(others, run as RequestFilter['run'], {
      schemes: [describedAs ?? httpScheme(scheme)],
      rejectsMalformed: false,
    }),
  )
}

/** The security scheme of a filter without a description. */
const httpScheme = (scheme: string): NamedSecurityScheme =>
  securityScheme(
    `${scheme.charAt(0).toLowerCase()}${scheme.slice(1)}`.replaceAll(/[^\w.-]/g, '_'),
    {
      type: 'http',
      scheme: scheme.toLowerCase(),
    },
  )

/** Creates an authentication filter with a given description. */
export const authenticationFilter = (
  {
    challenge,
    silent = false,
    proactive = true,
    needs = {},
    fails = {},
  }: Omit<AuthenticationOptions, 'describedAs'>,
  find: RequestFilter['run'],
  description: Pick<Authentication, 'schemes' | 'rejectsMalformed'>,
): RequestFilter => {
  const scheme = schemeOf(challenge)
  return {
    _tag: 'RequestFilter',
    ...defaultOrder,
    priority: 1000,
    nonBlocking: true,
    run: (context, filled) =>
      context.security.principal === undefined ? find(context, filled) : undefined,
    needs: new Map(Object.entries(needs)),
    gives: new Map(),
    responses: toResponses(fails),
    authentication: Object.freeze({ challenge, scheme, silent, proactive, ...description }),
  }
}

const schemeOf = (challenge: string): string => {
  const [scheme = ''] = challenge.split(' ', 1)
  if (!Grammar.isToken(scheme) || !Grammar.isHeaderValue(challenge))
    throw new TypeError(`invalid challenge: ${JSON.stringify(challenge)}`)
  return scheme
}

/** The result of a successful authentication. */
export interface AuthenticationResult {
  readonly _tag: 'Identified'
  readonly principal: Principal
  readonly scheme: string | undefined
}

const brandKey = Symbol.for('espalier.Identified')

/**
 * Returns the result of a successful authentication. Return this value from an authentication filter to accept the
 * credentials of a request.
 *
 * `context.security` exposes the principal and the scheme. `scheme` defaults to the scheme of the filter's challenge.
 *
 * Throws a `TypeError`, which results in a 500 response, if the principal has no own member `name`, or if its name is not a string.
 */
export const authenticateAs = (principal: Principal, scheme?: string): AuthenticationResult => {
  if (!isPrincipal(principal)) throw new TypeError(invalidPrincipal)
  return Object.freeze({ _tag: 'Identified', principal, scheme, [brandKey]: true })
}

/** The message for a value that is not a principal. */
export const invalidPrincipal =
  'invalid principal: expected an object with its own member "name", a string. A look-up of a name that a client has sent requires a Map, or Object.hasOwn'

/**
 * Whether a value is a principal. An inherited name is not sufficient: a look-up such as `users[token]` finds the members of
 * `Object.prototype`, too.
 */
export const isPrincipal = (value: unknown): value is Principal =>
  isObject(value) &&
  Object.hasOwn(value, 'name') &&
  'name' in value &&
  typeof value.name === 'string'

/** Whether a value was created by {@link authenticateAs}, in this or another copy of the package. */
export const isAuthenticationResult = (value: unknown): value is AuthenticationResult =>
  isObject(value) && brandKey in value
