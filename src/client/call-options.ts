/** Options of a single call. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Duration } from '../endpoint/limits.ts'
import * as MediaType from '../http/media-type.ts'
import type { OptionFault } from './client-error.ts'
import type { Policy } from './exchange.ts'
import { parseTimeout } from './policy/timer.ts'
import { isPolicy } from './policy/policy.ts'
import type { Base } from './base-url.ts'
import { baseOf } from './base-url.ts'
import type { Reconnect } from './stream/reconnect.ts'
import { parseReconnectDelay } from './stream/reconnect.ts'

/** Options of a call. An invalid option results in an `EncodeError` that names it, and nothing is sent. */
export interface CallOptions {
  /** Aborts the call, also while it waits in a policy and while its response body is read. */
  readonly signal?: AbortSignal | undefined
  /**
   * Overrides `timeout` of the client: how long each attempt waits for the head of the response, and how long a buffered
   * response body may pause. `false` disables the limit.
   */
  readonly timeout?: Duration | false | undefined
  /**
   * Headers that replace those of the client and of parameters with the same names. `Accept` selects one of several
   * representations.
   */
  readonly headers?: HeaderFields | undefined
  /** Overrides `baseUrl` of the client. */
  readonly baseUrl?: string | undefined
  /** The media type of the request body: one that the operation reads. Default: the first declared one. */
  readonly as?: string | undefined
  /** Overrides `reconnect` of the client. */
  readonly reconnect?: Reconnect | undefined
  /** Policies that wrap those of the client, for this call only. Their state is discarded after the call. */
  readonly policies?: ReadonlyArray<Policy> | undefined
}

/** Header values by case-insensitive header name. */
export type HeaderFields = Readonly<Record<string, string>>

/** Parsed options. A missing or invalid option is `undefined`. */
export type ParsedCallOptions = {
  readonly [K in Exclude<keyof CallOptions, 'baseUrl'>]-?: CallOptions[K] | undefined
} & { readonly base: Base | undefined; readonly errors: ReadonlyArray<OptionFault> }

/** Parses the options of a call. `null` counts as missing, both for all options and for each of them. */
export const parseCallOptions = (options: CallOptions | null | undefined): ParsedCallOptions => {
  if (options === undefined || options === null) return noOptions
  const errors: OptionFault[] = []
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
  const base = baseUrl === undefined ? undefined : baseOf(baseUrl)
  return {
    signal: checked('signal', options.signal, checkSignal),
    timeout: checked('timeout', options.timeout, (timeout) => leftOf(parseTimeout(timeout))),
    headers: checked('headers', options.headers, checkHeaders),
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

/** Checks members instead of the class, because a signal may come from another realm. */
const checkSignal = (signal: unknown): string | undefined =>
  typeof signal === 'object' &&
  signal !== null &&
  'aborted' in signal &&
  'addEventListener' in signal
    ? undefined
    : 'must be an AbortSignal'

/** Rejects `Headers` and `Map`, which have no members that are headers. */
const checkHeaders = (headers: unknown): string | undefined =>
  typeof headers === 'object' && headers !== null && !(Symbol.iterator in headers)
    ? undefined
    : 'must be a plain object of header names and values'

const checkMediaType = (as: unknown): string | undefined =>
  typeof as === 'string' && O.isSome(MediaType.parse(as)) ? undefined : 'must be a media type'

/** Returns a description of the expected value, unless `policies` is an array of policies. */
export const checkPolicies = (policies: unknown): string | undefined =>
  Array.isArray(policies) && policies.every(isPolicy) ? undefined : 'must be an array of policies'
