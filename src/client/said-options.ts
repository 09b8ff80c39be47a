/** The options of a call as they are used. Programs in JavaScript give what they like: what is wrong with one is a fault of it. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../http/media-type.ts'
import type { Base } from './request/base-url.ts'
import { baseOf } from './request/base-url.ts'
import type { CallOptions } from './call-options.ts'
import type { OptionFault } from './client-error.ts'
import { parseTimeout } from './policy/timer.ts'
import { isPolicy } from './policy/policy.ts'
import { parseReconnectDelay } from './stream/reconnect.ts'

/** `undefined` for what is left out, and for what is wrong. */
export type SaidOptions = {
  readonly [K in Exclude<keyof CallOptions, 'baseUrl'>]-?: CallOptions[K] | undefined
} & { readonly base: Base | undefined; readonly faults: ReadonlyArray<OptionFault> }

/** Those of a call that were given, or none where it says none; `null` is none too, and so it is for each of them. */
export const saidOptions = (given: CallOptions | null | undefined): SaidOptions => {
  if (given === undefined || given === null) return nothing
  const faults: OptionFault[] = []
  const wrong = (name: string, detail: string): undefined =>
    void faults.push({ in: 'option', name, detail })
  if (typeof given !== 'object') wrong('options', 'have to be an object')
  /** The value of an option, where a test finds nothing wrong with it. */
  const said = <A>(
    name: keyof CallOptions,
    value: A | null | undefined,
    faultOf: (value: A) => string | undefined,
  ): A | undefined => {
    if (value === undefined || value === null) return undefined
    const detail = faultOf(value)
    return detail === undefined ? value : wrong(name, detail)
  }
  const baseUrl = said('baseUrl', given.baseUrl, textFault)
  const at = baseUrl === undefined ? undefined : baseOf(baseUrl)
  return {
    signal: said('signal', given.signal, signalFault),
    timeout: said('timeout', given.timeout, (timeout) => leftOf(parseTimeout(timeout))),
    headers: said('headers', given.headers, headersFault),
    as: said('as', given.as, mediaTypeFault),
    reconnect: said('reconnect', given.reconnect, (reconnect) =>
      leftOf(parseReconnectDelay(reconnect)),
    ),
    policies: said('policies', given.policies, policiesFault),
    base: at === undefined || E.isRight(at) ? at?.right : wrong('baseUrl', at.left),
    faults,
  }
}

const nothing: SaidOptions = Object.freeze({
  signal: undefined,
  timeout: undefined,
  headers: undefined,
  as: undefined,
  reconnect: undefined,
  policies: undefined,
  base: undefined,
  faults: Object.freeze([]),
})

const leftOf = (read: E.Either<string, unknown>): string | undefined =>
  E.isLeft(read) ? read.left : undefined

const textFault = (text: unknown): string | undefined =>
  typeof text === 'string' ? undefined : 'has to be a text'

/** A signal need not be one of this realm. */
const signalFault = (signal: unknown): string | undefined =>
  typeof signal === 'object' &&
  signal !== null &&
  'aborted' in signal &&
  'addEventListener' in signal
    ? undefined
    : 'has to be an AbortSignal'

/** `Headers` and maps have no members that could be taken for fields. */
const headersFault = (headers: unknown): string | undefined =>
  typeof headers === 'object' && headers !== null && !(Symbol.iterator in headers)
    ? undefined
    : 'have to be a plain object of names and values'

const mediaTypeFault = (as: unknown): string | undefined =>
  typeof as === 'string' && O.isSome(MediaType.parse(as)) ? undefined : 'has to be a media type'

/** What is wrong with policies, in words. */
export const policiesFault = (policies: unknown): string | undefined =>
  Array.isArray(policies) && policies.every(isPolicy)
    ? undefined
    : 'have to be an array of policies'
