/**
 * Authentication filters for user names and passwords, bearer tokens and API keys. Also defines the priorities of the
 * built-in filters.
 */
import type { RejectedOptions, RejectedArgument } from '../codec/codec.ts'
import { checkOptions } from '../endpoint/internal/combinator.ts'
import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Principal, Context } from '../endpoint/context.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import { isHttpError, Unauthorized, BadRequest } from '../endpoint/http-error.ts'
import type { AuthenticationOptions, AuthenticationResult } from '../endpoint/authentication.ts'
import {
  authenticateAs,
  authenticationFilter,
  invalidPrincipal,
  isPrincipal,
} from '../endpoint/authentication.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { Authentication, PlainFilter } from '../endpoint/filter.ts'
import { makeFilter } from '../endpoint/filter.ts'
import type { NamedSecurityScheme } from '../endpoint/security-scheme.ts'
import { securityScheme } from '../endpoint/security-scheme.ts'
import * as Authorization from '../http/authorization.ts'
import type { BasicCredentials } from '../http/authorization.ts'
import { checkFunction, isPromise } from '../http/platform-value.ts'
import * as Grammar from '../http/grammar.ts'

/**
 * The result of checking credentials: a principal, or `undefined`, `null`, `none` or a `Left` if the credentials are
 * invalid. If the `Left` contains an `HttpError`, this error determines the response.
 */
export type Verdict = Principal | undefined | null | Option<Principal> | Either<unknown, Principal>

/** A {@link Verdict}, or a promise, `Task` or `TaskEither` that resolves to a verdict. */
export type Verified = Verdict | Promise<Verdict> | (() => Promise<Verdict>)

/** A function that creates the error for invalid credentials. The message and the cause are logged, but are not sent to the client. */
export type Reject = (message: string, cause?: unknown) => HttpError

/**
 * Converts the result of a `verify` function to the result of an authentication filter. A value that is not a principal is rejected
 * like invalid credentials, because it can be the result of a look-up such as `users[token]` with a token that the client has chosen.
 */
export const toAuthenticationResult = (
  verified: Verified | RejectedOptions<string>,
  reject: Reject,
): AuthenticationResult | HttpError | Promise<AuthenticationResult | HttpError> => {
  if (inheritedMembers.has(verified)) return reject(invalidPrincipal)
  const verdict = typeof verified === 'function' ? verified() : verified
  return isPromise(verdict)
    ? verdict.then((settled) => convert(settled, reject))
    : convert(verdict, reject)
}

/** The members that every plain object inherits. Most are functions, and must not be called as a `Task`. */
const inheritedMembers: ReadonlySet<unknown> = new Set(
  Object.getOwnPropertyNames(Object.prototype)
    .map((name): unknown => Reflect.get(Object.prototype, name))
    .filter((member) => member !== null),
)

const convert = (
  verdict: Verdict | RejectedOptions<string>,
  reject: Reject,
): AuthenticationResult | HttpError => {
  if (verdict === undefined || verdict === null) return reject('invalid credentials')
  if (typeof verdict !== 'object') return reject(invalidPrincipal)
  if (isNone(verdict)) return reject('invalid credentials')
  if (isLeft(verdict))
    return isHttpError(verdict.left) ? verdict.left : reject('invalid credentials', verdict.left)
  const principal = isRight(verdict) ? verdict.right : isSome(verdict) ? verdict.value : verdict
  return isPrincipal(principal) ? authenticateAs(principal) : reject(invalidPrincipal)
}

type Tagged<T extends string> = Extract<Verdict, { readonly _tag: T }>

/**
 * Returns a type guard that checks whether `_tag` has a given value. It is not sufficient to check that `_tag` exists,
 * because a principal can also have a `_tag`.
 */
const isTagged =
  <T extends 'None' | 'Some' | 'Left' | 'Right'>(tag: T) =>
  (verdict: object): verdict is Tagged<T> =>
    '_tag' in verdict && verdict._tag === tag

const isNone = isTagged('None')
const isSome = isTagged('Some')
const isLeft = isTagged('Left')
const isRight = isTagged('Right')

/**
 * The priorities of the built-in filters, in the order in which the filters run. All of them run before filters with
 * the default priority (5000). The access log runs first and therefore covers all other filters. The request id is set
 * early, before a filter can reject the request.
 */
export const priorities = {
  accessLog: 100,
  timing: 200,
  requestId: 300,
  securityHeaders: 400,
  cors: 500,
  csrf: 600,
} as const

/** Options for {@link basic}. */
export interface BasicOptions {
  /**
   * The realm (protection space) in the challenge. Browsers can display the realm, and store credentials separately for
   * each realm.
   */
  readonly realm: string
  /**
   * Returns the principal identified by the credentials. Compare secrets with `constantTimeEqual` from `espalier/node`.
   */
  readonly verify: (
    credentials: BasicCredentials,
    context: Context,
  ) => Verified | RejectedOptions<'return a principal, { name, roles }, or undefined'>
  /**
   * Whether the challenge is omitted from 401 responses to requests without credentials. Browsers then do not open a
   * login dialog. Default: `false`.
   */
  readonly silent?: boolean
  /**
   * Whether requests with invalid credentials are rejected even if the operation does not require authentication.
   * Default: `true`.
   */
  readonly proactive?: boolean
  /** How OpenAPI documents describe the filter, such as `oauth2({ flows })`. Default: HTTP Basic authentication with the name `basic`. */
  readonly describedAs?: NamedSecurityScheme
}

/**
 * Creates a filter that authenticates requests with a user name and password in UTF-8 (Basic authentication, RFC 7617).
 * The response is 401 if the credentials are malformed, or if `verify` rejects them.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { basic, get, handle, path, produces, rolesAllowed, routes, text, withFilter } from 'espalier'
 * import { constantTimeEqual } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const staff = basic({
 *   realm: 'library',
 *   verify: ({ user, password }) =>
 *     user === 'ann' && constantTimeEqual(password, 'plum') ? { name: user, roles: ['librarian'] } : undefined,
 * })
 * const loans = pipe(
 *   path('/loans'),
 *   get(),
 *   rolesAllowed('librarian'),
 *   produces(text),
 *   handle((_, { security }) => `Loans, for ${security.principal?.name}`),
 * )
 * const call = inMemory(pipe(routes({ loans }), withFilter(staff)))
 * const send = (headers: Record<string, string>) => call(new Request('http://localhost/loans', { headers }))
 *
 * assert.equal(await (await send({ Authorization: `Basic ${btoa('ann:plum')}` })).text(), 'Loans, for ann')
 * assert.equal((await send({ Authorization: `Basic ${btoa('ann:pear')}` })).status, 401)
 * assert.equal((await send({})).headers.get('WWW-Authenticate'), 'Basic realm="library", charset="UTF-8"')
 * ```
 */
export const basic = (options: BasicOptions): PlainFilter => {
  const {
    realm,
    verify,
    silent = false,
    proactive = true,
    describedAs = securityScheme('basic', { type: 'http', scheme: 'basic' }),
  } = checkOptions('basic', ['realm', 'verify', 'silent', 'proactive', 'describedAs'], options)
  checkFunction('basic({ realm, verify })', 'verify', verify)
  const challenge = Authorization.formatChallenge('Basic', [
    ['realm', realm],
    ['charset', 'UTF-8'],
  ])
  const reject: Reject = (message, cause) =>
    new Unauthorized(challenge, message, { cause, expose: false })
  const description = { schemes: [describedAs], rejectsMalformed: false }
  return authenticate({ challenge, silent, proactive }, description, (context) => {
    const sent = Authorization.credentials(context.request.header('Authorization'), 'Basic')
    if (sent === undefined) return undefined
    const credentials = Authorization.parseBasic(sent)
    return O.isNone(credentials)
      ? reject('malformed credentials')
      : toAuthenticationResult(verify(credentials.value, context), reject)
  })
}

/** Options for {@link bearer}. */
export interface BearerOptions {
  /** The realm in the challenge. A bearer challenge must have at least one parameter (RFC 6750, 3). Default: `api`. */
  readonly realm?: string
  /** Returns the principal identified by a token. */
  readonly verify: (
    token: string,
    context: Context,
  ) => Verified | RejectedOptions<'return a principal, { name, roles }, or undefined'>
  /**
   * Name of a cookie that contains the token if the request has no bearer token in the `Authorization` header. An empty
   * cookie is ignored. Default: cookies are ignored.
   *
   * Browsers send cookies with requests from other sites as well. Set the cookie with `sameSite`, so that other sites cannot
   * act on behalf of the user. Browsers also send expired tokens. With `proactive: false`, operations without access rules,
   * such as a login, accept these requests.
   */
  readonly cookie?: string
  /**
   * Whether requests with invalid tokens are rejected even if the operation does not require authentication. Default:
   * `true`.
   */
  readonly proactive?: boolean
  /** How OpenAPI documents describe the filter, such as `oauth2({ flows })`. Default: a bearer token with the name `bearer`. */
  readonly describedAs?: NamedSecurityScheme
}

/**
 * Creates a filter that authenticates requests with a bearer token in the `Authorization` header (RFC 6750, 2.1).
 *
 * A token rejected by `verify` results in a 401 response, and the challenge contains `error="invalid_token"`. If the header does
 * not contain exactly one token, the response is 400, and the challenge contains `error="invalid_request"` (RFC 6750,
 * 3.1). Tokens in forms and URIs are ignored. Throws a `TypeError` if `cookie` is not a valid name.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { authenticated, bearer, get, handle, path, produces, routes, text, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const tokens = new Map([['mF_9.B5f-4.1JqM', { name: 'ann', roles: [] }]])
 * const me = pipe(
 *   path('/me'),
 *   get(),
 *   authenticated,
 *   produces(text),
 *   handle((_, { security }) => security.principal?.name ?? ''),
 * )
 * const call = inMemory(pipe(routes({ me }), withFilter(bearer({ verify: (token) => tokens.get(token) }))))
 * const send = (Authorization: string) => call(new Request('http://localhost/me', { headers: { Authorization } }))
 *
 * assert.equal(await (await send('Bearer mF_9.B5f-4.1JqM')).text(), 'ann')
 * assert.equal((await send('Bearer guessed')).headers.get('WWW-Authenticate'), 'Bearer realm="api", error="invalid_token"')
 * assert.equal((await send('Bearer two tokens')).status, 400)
 * ```
 */
export const bearer = (options: BearerOptions): PlainFilter => {
  const {
    realm = 'api',
    verify,
    cookie,
    proactive = true,
    describedAs = securityScheme('bearer', { type: 'http', scheme: 'bearer' }),
  } = checkOptions('bearer', ['realm', 'verify', 'cookie', 'proactive', 'describedAs'], options)
  checkFunction('bearer({ verify })', 'verify', verify)
  const cookieName = cookie === undefined ? undefined : validateName('bearer', cookie)
  const schemes = [
    describedAs,
    ...(cookieName === undefined ? [] : [cookieScheme(describedAs, cookieName)]),
  ]
  const challenge = (...errors: ReadonlyArray<readonly [string, string]>): string =>
    Authorization.formatChallenge('Bearer', [['realm', realm], ...errors])
  const invalidToken = challenge(['error', 'invalid_token'])
  const invalidRequest = challenge(['error', 'invalid_request'])
  const reject: Reject = (message, cause) =>
    new Unauthorized(invalidToken, message, { cause, expose: false })
  const description = { schemes, rejectsMalformed: true }
  return authenticate({ challenge: challenge(), proactive }, description, (context) => {
    const token = Authorization.credentials(context.request.header('Authorization'), 'Bearer')
    if (token === undefined) {
      const stored = cookieName === undefined ? undefined : context.request.cookie(cookieName)
      return stored === undefined || stored === ''
        ? undefined
        : toAuthenticationResult(verify(stored, context), reject)
    }
    return Authorization.isToken68(token)
      ? toAuthenticationResult(verify(token, context), reject)
      : new BadRequest('expected one token after Bearer', {
          detail: 'The Authorization header must contain one token after Bearer.',
          headers: { 'WWW-Authenticate': invalidRequest },
        })
  })
}

/**
 * The location of the API key in a request: a header, a cookie or a query parameter. Prefer a header or a cookie,
 * because queries appear in logs and browser histories.
 */
export type ApiKeyLocation =
  | { readonly header: string; readonly query?: never; readonly cookie?: never }
  | { readonly query: string; readonly header?: never; readonly cookie?: never }
  | { readonly cookie: string; readonly header?: never; readonly query?: never }

/** Options for {@link apiKey}. */
export type ApiKeyOptions = ApiKeyLocation & {
  /**
   * Returns the principal that a key identifies. The key is never empty. Compare keys with `constantTimeEqual` from
   * `espalier/node`.
   */
  readonly verify: (
    key: string,
    context: Context,
  ) => Verified | RejectedOptions<'return a principal, { name, roles }, or undefined'>
  /**
   * Whether requests with invalid keys are rejected even if the operation does not require authentication. Default:
   * `true`.
   */
  readonly proactive?: boolean
  /** How OpenAPI documents describe the filter, such as `oauth2({ flows })`. Default: an API key with the name `apiKey`. */
  readonly describedAs?: NamedSecurityScheme
}

/**
 * Creates a filter that authenticates requests with an API key in a header, a cookie or a query parameter.
 *
 * If the key is empty, or if `verify` rejects the key, the response is 401. No authentication scheme is registered for
 * API keys. Therefore, the challenge consists of `ApiKey` and the location of the key. Throws a `TypeError` for an
 * invalid header or cookie name.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { apiKey, authenticated, get, handle, path, produces, routes, text, withFilter } from 'espalier'
 * import { constantTimeEqual } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const partners = apiKey({
 *   header: 'X-Api-Key',
 *   verify: (key) => (constantTimeEqual(key, '9f2c') ? { name: 'kew', roles: ['partner'] } : undefined),
 * })
 * const me = pipe(
 *   path('/me'),
 *   get(),
 *   authenticated,
 *   produces(text),
 *   handle((_, { security }) => security.principal?.name ?? ''),
 * )
 * const call = inMemory(pipe(routes({ me }), withFilter(partners)))
 * const send = (headers: Record<string, string>) => call(new Request('http://localhost/me', { headers }))
 *
 * assert.equal(await (await send({ 'X-Api-Key': '9f2c' })).text(), 'kew')
 * assert.equal((await send({})).headers.get('WWW-Authenticate'), 'ApiKey header="X-Api-Key"')
 * ```
 */
export function apiKey(options: ApiKeyOptions): PlainFilter
// the type of an error
export function apiKey(
  name: RejectedArgument<"pass options: apiKey({ header: 'X-Api-Key', verify })"> & ApiKeyOptions,
  verify: unknown,
): never
export function apiKey(options: ApiKeyOptions): PlainFilter {
  const known = ['header', 'query', 'cookie', 'verify', 'proactive', 'describedAs'] as const
  const {
    verify,
    proactive = true,
    describedAs,
    ...location
  } = checkOptions('apiKey', known, options)
  checkFunction('apiKey({ header, verify })', 'verify', verify)
  const [kind, name, find] = finderOf(location)
  const scheme = describedAs ?? securityScheme('apiKey', { type: 'apiKey', in: kind, name })
  const description = { schemes: [scheme], rejectsMalformed: false }
  const challenge = Authorization.formatChallenge('ApiKey', [[kind, name]])
  const reject: Reject = (message, cause) =>
    new Unauthorized(challenge, message, { cause, expose: false })
  return authenticate({ challenge, proactive }, description, (context) => {
    const key = find(context)
    if (key === undefined) return undefined
    return key === ''
      ? reject('empty API key')
      : toAuthenticationResult(verify(key, context), reject)
  })
}

/** Creates an authentication filter. It needs and provides no slots, and declares no replies. */
const authenticate = (
  options: AuthenticationOptions,
  description: Pick<Authentication, 'schemes' | 'rejectsMalformed'>,
  run: (
    context: Context,
  ) => undefined | AuthenticationResult | HttpError | Promise<AuthenticationResult | HttpError>,
): PlainFilter => makeFilter(authenticationFilter(options, run, description))

/** The security scheme of a cookie that contains the token of another scheme. */
const cookieScheme = ({ name }: NamedSecurityScheme, cookie: string): NamedSecurityScheme =>
  securityScheme(`${name}Cookie`, { type: 'apiKey', in: 'cookie', name: cookie })

type Find = (context: Context) => string | undefined

const finderOf = (
  location: ApiKeyLocation,
): readonly [kind: 'header' | 'query' | 'cookie', name: string, find: Find] => {
  if (location.header !== undefined) {
    const header = validateName('apiKey', location.header)
    return ['header', header, ({ request }) => request.header(header)]
  }
  if (location.query !== undefined) {
    const { query } = location
    return ['query', query, ({ uri }) => uri.queryParameters.get(query)?.[0]]
  }
  const cookie = validateName('apiKey', location.cookie)
  return ['cookie', cookie, ({ request }) => request.cookie(cookie)]
}

const validateName = (filter: string, name: string): string => {
  if (Grammar.isToken(name)) return name
  throw new TypeError(`${filter}: invalid header or cookie name ${JSON.stringify(name)}`)
}
