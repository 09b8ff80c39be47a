/** Creates request headers, including header parameters and cookies. */
import * as Headers from '../../http/headers.ts'
import * as IdempotencyKey from '../../http/idempotency-key.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Percent from '../../http/percent.ts'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import type { Base } from '../call-options.ts'
import type { RequestBody } from './plain-body.ts'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { AnyCallInput } from './parameter-values.ts'
import { groupEncoder } from './parameter-values.ts'

/**
 * Headers that can differ between calls. `options` takes precedence over `parameters`, which takes precedence over
 * `body` and `base`.
 */
export interface HeaderSources {
  /** Whether to add an `Idempotency-Key`. */
  readonly isKeyed: boolean
  readonly body: RequestBody | undefined
  readonly base: Base
  readonly parameters: Headers.Headers
  readonly options: Headers.Headers
}

/**
 * Creates a function that combines the request headers of an operation. `clientHeaders` contains the headers from the
 * client options.
 */
export const requestHeaders = (
  accept: string,
  clientHeaders: Headers.Headers,
): ((sources: HeaderSources) => Headers.Headers) => {
  const agent = userAgent()
  const agentHeader = agent === undefined ? [] : ['user-agent', agent]
  return ({ isKeyed, body, base: { authorization }, parameters, options }) => {
    const defaults = [
      'accept',
      accept,
      ...(body === undefined ? [] : ['content-type', body.contentType, ...body.headers]),
      ...(isKeyed ? [IdempotencyKey.headerName, IdempotencyKey.format(newKey())] : []),
      ...agentHeader,
      ...(authorization === undefined ? [] : ['authorization', authorization]),
    ]
    return [clientHeaders, parameters, options].reduce(overrideHeaders, lowerCased(defaults))
  }
}

/** Adds headers. They replace headers with the same names. Names are converted to lowercase. */
const overrideHeaders = (earlier: Headers.Headers, later: Headers.Headers): Headers.Headers => {
  if (later.length === 0) return earlier
  const isKept = (name: string): boolean => Headers.first(later, name) === undefined
  return [
    ...earlier.filter((_, index) => isKept(earlier[index - (index % 2)] ?? '')),
    ...lowerCased(later),
  ]
}

const lowerCased = (headers: Headers.Headers): Headers.Headers =>
  headers.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text))

/** Returns a random key. In pages that are not secure, there is no `crypto.randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

const problemType = 'application/problem+json'

/**
 * Returns the value of the `Accept` header.
 *
 * The value lists the media types of all declared responses, with weights that decrease from 1 to 0.2. Media types of
 * successful responses precede those of failures. `application/problem+json` always has weight 1, so that services do not
 * prefer text for errors.
 */
export const acceptHeader = (responses: Iterable<ResponsePlan>): string => {
  const plans = [...responses]
  const ordered = [
    ...plans.filter(({ failure }) => !failure),
    ...plans.filter(({ failure }) => failure),
  ]
  const types = [
    ...new Set(
      ordered
        .flatMap(({ alternatives }) => byQuality(alternatives))
        .map(({ mediaType }) => MediaType.format(mediaType))
        .filter((type) => type !== problemType),
    ),
  ]
  if (types.length === 0) return `${problemType}, */*;q=0.1`
  return [...types.map((type, index) => `${type}${weightOf(index)}`), problemType].join(', ')
}

const byQuality = (alternatives: ReadonlyArray<BodyPlan>): ReadonlyArray<BodyPlan> =>
  alternatives.toSorted((a, b) => b.quality - a.quality)

const weightOf = (index: number): string =>
  index === 0 ? '' : `;q=0.${Math.max(9 - index + 1, 2)}`

/** Version of this package. */
const version = '0.1.0'

/**
 * Returns the value of the `User-Agent` header, or `undefined` in browsers. Browsers set their own value, and send a
 * preflight request if a script sets a different value.
 */
export const userAgent = (): string | undefined =>
  'document' in globalThis || 'WorkerGlobalScope' in globalThis ? undefined : `espalier/${version}`

/** Returns alternating header names and values. Adds a validation error to `errors` for each invalid parameter. */
export type WriteHeaders = (input: AnyCallInput, errors: ValidationError[]) => ReadonlyArray<string>

/** Creates a writer for header parameters. */
export const headerWriter = (
  codecs: ParameterMap,
  nameOf: (key: string) => string,
): WriteHeaders => {
  const encodeHeaders = groupEncoder('header', codecs, nameOf)
  return (input, errors) => {
    const headers: string[] = []
    for (const { name, values } of encodeHeaders(input, errors)) {
      // fetch joins values with commas, which are indistinguishable from commas in a value
      const detail =
        values.length > 1
          ? 'must not have more than one value: declare it with separated(",")'
          : values.map(Grammar.headerValueError).find((error) => error !== undefined)
      if (detail === undefined) for (const value of values) headers.push(name, value)
      else errors.push({ in: 'header', name, detail })
    }
    return headers
  }
}

/** Creates a writer for cookies. Values are percent-encoded, and all cookies are sent in one header (RFC 6265, 5.4). */
export const cookieWriter = (codecs: ParameterMap): WriteHeaders => {
  const encodeCookies = groupEncoder('cookie', codecs)
  return (input, errors) => {
    const cookies = encodeCookies(input, errors)
    if (cookies.length === 0) return noHeaders
    const pairs = cookies.flatMap(({ name, values }) =>
      values.map((text) => `${name}=${Percent.encode(text)}`),
    )
    return ['cookie', pairs.join('; ')]
  }
}

const noHeaders: ReadonlyArray<string> = []
