/** Defines and validates the options of a single call, and parses the base URLs of calls and clients. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Duration } from '../endpoint/limits.ts'
import * as MediaType from '../http/media-type.ts'
import type { OptionError } from './client-error.ts'
import type { Policy } from './exchange.ts'
import { parseDuration, parseTimeout } from './timer.ts'
import { isPolicy } from './policy/policy.ts'
import * as Authorization from '../http/authorization.ts'
import { parseUrl } from '../http/host.ts'

/**
 * Options for a single call.
 *
 * If an option is invalid, nothing is sent and the call fails with an `EncodeError` that names the option.
 */
export interface CallOptions {
  /** Signal that aborts the call, even while the call is waiting in a policy or its response body is being read. */
  readonly signal?: AbortSignal | undefined
  /**
   * Overrides the `timeout` option of the client. `false` disables the limit.
   *
   * The limit applies to the time that each attempt waits for the response headers, and to each pause in a buffered
   * response body.
   */
  readonly timeout?: Duration | false | undefined
  /**
   * Request headers. They replace headers with the same names from the client options and from header parameters. Set
   * `Accept` to select one of several representations.
   */
  readonly headers?: HeaderRecord | undefined
  /** Overrides the `baseUrl` option of the client. */
  readonly baseUrl?: string | undefined
  /**
   * Media type of the request body. Must be a media type accepted by the operation. Default: the first declared media
   * type.
   */
  readonly as?: string | undefined
  /** Overrides the `reconnect` option of the client. */
  readonly reconnect?: Reconnect | undefined
  /**
   * Additional policies for this call only. They wrap the policies of the client, and their state is discarded after
   * the call.
   */
  readonly policies?: ReadonlyArray<Policy> | undefined
}

/** Object that maps case-insensitive header names to values. */
export type HeaderRecord = Readonly<Record<string, string>>

/**
 * An alternative to a record of headers that no value has. TypeScript selects it for lists and for `Headers`, so that the error message
 * ends in `Remedy`.
 */
export interface RejectedHeaders<Remedy extends string> {
  readonly [Symbol.iterator]: unknown
  readonly [name: string]: unknown
  readonly record: Remedy
}

/** Parsed call options. A missing or invalid option is `undefined`. */
export type ParsedCallOptions = {
  readonly [K in Exclude<keyof CallOptions, 'baseUrl'>]-?: CallOptions[K] | undefined
} & { readonly base: Base | undefined; readonly errors: ReadonlyArray<OptionError> }

/** Parses the options of a call. `null` is treated as missing, both for `options` itself and for each option. */
export const parseCallOptions = (options: CallOptions | null | undefined): ParsedCallOptions => {
  if (options === undefined || options === null) return noOptions
  const errors: OptionError[] = []
  const fail = (name: string, detail: string): undefined =>
    void errors.push({ in: 'option', name, detail })
  if (typeof options !== 'object') fail('options', 'must be an object')
  const checked = <A>(
    name: keyof CallOptions,
    value: A | null | undefined,
    check: (value: A) => string | undefined,
  ): A | undefined => {
    if (value === undefined || value === null) return undefined
    const detail = check(value)
    return detail === undefined ? value : fail(name, detail)
  }
  const baseUrl = checked('baseUrl', options.baseUrl, checkString)
  const base = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl)
  return {
    signal: checked('signal', options.signal, checkSignal),
    timeout: checked('timeout', options.timeout, (timeout) => leftOf(parseTimeout(timeout))),
    headers: checked('headers', options.headers, (headers) =>
      isHeaderRecord(headers) ? undefined : invalidHeaders,
    ),
    as: checked('as', options.as, checkMediaType),
    reconnect: checked('reconnect', options.reconnect, (reconnect) =>
      leftOf(parseReconnectDelay(reconnect)),
    ),
    policies: checked('policies', options.policies, checkPolicies),
    base: base === undefined || E.isRight(base) ? base?.right : fail('baseUrl', base.left),
    errors,
  }
}

const noOptions: ParsedCallOptions = Object.freeze({
  signal: undefined,
  timeout: undefined,
  headers: undefined,
  as: undefined,
  reconnect: undefined,
  policies: undefined,
  base: undefined,
  errors: Object.freeze([]),
})

const leftOf = (parsed: E.Either<string, unknown>): string | undefined =>
  E.isLeft(parsed) ? parsed.left : undefined

const checkString = (value: unknown): string | undefined =>
  typeof value === 'string' ? undefined : 'must be a string'

/**
 * Returns an error message if `signal` is not an `AbortSignal`. `instanceof` is not used, because the signal might come
 * from another realm.
 */
const checkSignal = (signal: unknown): string | undefined =>
  typeof signal === 'object' &&
  signal !== null &&
  'aborted' in signal &&
  'addEventListener' in signal
    ? undefined
    : 'must be an AbortSignal'

/**
 * Whether a value is a plain object. `Headers` and `Map` objects do not store headers as properties. The values of the headers are
 * checked later.
 */
export const isHeaderRecord = (headers: unknown): headers is HeaderRecord =>
  typeof headers === 'object' && headers !== null && !(Symbol.iterator in headers)

export const invalidHeaders = 'must be a plain object of header names and values'

const checkMediaType = (as: unknown): string | undefined =>
  typeof as === 'string' && O.isSome(MediaType.parse(as)) ? undefined : 'must be a media type'

/** Returns an error message if `policies` is not an array of policies, and `undefined` otherwise. */
export const checkPolicies = (policies: unknown): string | undefined =>
  Array.isArray(policies) && policies.every(isPolicy) ? undefined : 'must be an array of policies'

/** Options for reconnecting to an event stream. */
export interface Reconnect {
  /** Maximum number of consecutive attempts that receive no event. Default: no limit. */
  readonly times?: number
  /**
   * Delay before an attempt, unless the stream has set a different delay with a `retry` field. A delay set by the stream is at least
   * 500 ms, as in Firefox, and at most one hour. Default: `3s`.
   *
   * After each connection that ended within 30 seconds without an event, the delay doubles, up to 30 seconds. Up to half of the delay
   * is added at random, so that clients do not reconnect at the same time.
   */
  readonly delay?: Duration
}

/**
 * Returns the delay in milliseconds before the first attempt. If an option is invalid, returns a `Left` that describes
 * the error.
 */
export const parseReconnectDelay = (reconnect: Reconnect | undefined): E.Either<string, number> => {
  if (reconnect === undefined) return defaultDelay
  if (typeof reconnect !== 'object') return E.left('must be an object')
  const { times = Infinity, delay } = reconnect
  if (!(times >= 0)) return E.left(`reconnect.times must be at least 0, got ${times}`)
  if (delay === undefined) return defaultDelay
  return E.mapLeft((error: string) => `reconnect.delay ${error}`)(parseDuration(delay))
}

const defaultDelay: E.Either<string, number> = E.right(3000)

/** A parsed base URL. */
export interface Base {
  /** URL without user information and without a trailing slash. */
  readonly url: string
  /**
   * `Authorization` header for the user information in the base URL, or `undefined` if the base URL contains none. User
   * information is never sent in a URL (RFC 9110, 4.2.4).
   */
  readonly authorization: string | undefined
}

/**
 * Parses a base URL. If it is invalid, returns a `Left` that describes the expected value. Credentials in the
 * description are masked.
 */
export const parseBaseUrl = (text: string): E.Either<string, Base> => {
  const masked = JSON.stringify(text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@'))
  const parsed = parseUrl(text)
  if (parsed === undefined)
    return E.left(`must be an absolute URL such as https://library.example/v1, got ${masked}`)
  const { protocol, origin, pathname, search, hash, username, password } = parsed
  if (protocol !== 'http:' && protocol !== 'https:')
    return E.left(`must be an http or https URL, got ${masked}`)
  if (search !== '' || hash !== '')
    return E.left(
      `must not have a query or a fragment, got ${JSON.stringify(`${origin}${pathname}${search}${hash}`)}`,
    )
  const url = `${origin}${pathname.replace(/\/+$/, '')}`
  if (username === '' && password === '') return E.right({ url, authorization: undefined })
  try {
    const user = decodeURIComponent(username)
    const credentials = Authorization.formatBasic({ user, password: decodeURIComponent(password) })
    return E.right({ url, authorization: `Basic ${credentials}` })
  } catch {
    return E.left(`invalid user information in ${JSON.stringify(url)}`)
  }
}
