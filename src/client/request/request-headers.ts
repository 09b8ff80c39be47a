/** Creates the headers of requests, including header parameters and cookies. */
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Percent from '../../http/percent.ts'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import type { Base } from '../base-url.ts'
import type { RequestBody } from './written-body.ts'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { Input } from './parameter-values.ts'
import {
  groupEncoder,
  encodeParameter,
  membersOf,
  encodeSingleParameter,
  parametersOf,
} from './parameter-values.ts'

/** The parts of a request that set headers. Later ones take precedence. */
export interface HeaderSources {
  readonly body: RequestBody | undefined
  readonly base: Base
  readonly parameters: Headers.Headers
  readonly options: Headers.Headers
}

/**
 * Prepares the headers of an operation. `clientHeaders` are those of the client, `parameterNames` those of header parameters.
 *
 * If no two sources can set the same header, which is common and known in advance, names are not compared. That saves 1 µs
 * and 1 KB per call.
 */
export const requestHeaders = (
  accept: string,
  defaultBase: Base,
  clientHeaders: Headers.Headers,
  parameterNames: ReadonlyArray<string>,
): ((sources: HeaderSources) => Headers.Headers) => {
  const agent = userAgent()
  const baseHeaders = ({ authorization }: Base): ReadonlyArray<string> => [
    ...(agent === undefined ? [] : ['user-agent', agent]),
    ...(authorization === undefined ? [] : ['authorization', authorization]),
  ]
  const lowerCased = clientHeaders.map((text, index) =>
    index % 2 === 0 ? text.toLowerCase() : text,
  )
  const hasDistinctNames = areDistinct([
    'accept',
    'content-type',
    'user-agent',
    'authorization',
    ...lowerCased.filter((_, index) => index % 2 === 0),
    ...parameterNames,
  ])
  const constant = [...baseHeaders(defaultBase), ...lowerCased]
  const withoutBody = ['accept', accept, ...constant]
  return ({ body, base, parameters, options }) => {
    if (hasDistinctNames && base === defaultBase && options.length === 0) {
      if (body === undefined) return [...withoutBody, ...parameters]
      if (body.headers.length === 0)
        return ['accept', accept, 'content-type', body.contentType, ...constant, ...parameters]
    }
    const own = [
      'accept',
      accept,
      ...(body === undefined ? [] : ['content-type', body.contentType, ...body.headers]),
      ...baseHeaders(base),
    ]
    return overrideHeaders([own, clientHeaders, parameters, options])
  }
}

const areDistinct = (names: ReadonlyArray<string>): boolean => new Set(names).size === names.length

/** Combines headers. A header of a later source replaces all headers with the same name of earlier ones. Names become lower case. */
export const overrideHeaders = (sources: ReadonlyArray<Headers.Headers>): Headers.Headers => {
  const combined: string[] = []
  for (let position = 0; position < sources.length; position++) {
    const source = sources[position] ?? Headers.empty
    for (let index = 0; index < source.length; index += 2) {
      const name = (source[index] ?? '').toLowerCase()
      if (!isOverridden(sources, position, name)) combined.push(name, source[index + 1] ?? '')
    }
  }
  return combined
}

const isOverridden = (
  sources: ReadonlyArray<Headers.Headers>,
  position: number,
  lowerCaseName: string,
): boolean => {
  for (let later = position + 1; later < sources.length; later++)
    if (Headers.first(sources[later] ?? Headers.empty, lowerCaseName) !== undefined) return true
  return false
}

const problemType = 'application/problem+json'

/**
 * Returns the value of `Accept`: the media types of all declared responses, successes before failures, with decreasing
 * weights. Problem documents, which services use for undeclared errors, are always accepted with weight 1.
 */
export const acceptHeader = (responses: Iterable<ResponsePlan>): string => {
  const all = [...responses]
  const ordered = [
    ...all.filter(({ failure }) => !failure),
    ...all.filter(({ failure }) => failure),
  ]
  const types = [
    ...new Set(
      ordered
        .flatMap(({ alternatives }) => byQuality(alternatives))
        .map(({ mediaType }) => MediaType.format(mediaType)),
    ),
  ]
  if (types.length === 0) return `${problemType}, */*;q=0.1`
  const weighted = types.map((type, index) => `${type}${weightAt(index)}`)
  return types.includes(problemType) ? weighted.join(', ') : [...weighted, problemType].join(', ')
}

const byQuality = (alternatives: ReadonlyArray<BodyPlan>): ReadonlyArray<BodyPlan> =>
  alternatives.toSorted((a, b) => b.quality - a.quality)

const weightAt = (index: number): string =>
  index === 0 ? '' : `;q=0.${Math.max(9 - index + 1, 2)}`

/** The version of this package. */
const version = '0.1.0'

/** Returns the value of `User-Agent`; `undefined` in browsers, which set their own and require a preflight for another one. */
export const userAgent = (): string | undefined =>
  'document' in globalThis || 'WorkerGlobalScope' in globalThis ? undefined : `espalier/${version}`

/** Returns alternating header names and values. Adds invalid parameters to `errors`. */
export type WriteHeaders = (input: Input, errors: ValidationError[]) => ReadonlyArray<string>

/** Prepares writing header parameters. */
export const headerWriter = (
  codecs: ParameterMap,
  nameOf: (key: string) => string,
): WriteHeaders => {
  if (codecs.size === 0) return () => noHeaders
  const parameters = parametersOf('header', codecs, nameOf)
  return (input, errors) => {
    const values = membersOf(input, 'header')
    const headers: string[] = []
    for (const parameter of parameters) {
      const { name } = parameter
      const text = encodeSingleParameter(values, parameter)
      if (text !== undefined && Grammar.isHeaderValue(text)) {
        headers.push(name, text)
        continue
      }
      const { texts } = encodeParameter(values, parameter, errors) ?? noTexts
      // fetch joins values with commas, which are indistinguishable from commas in a value
      const detail =
        texts.length > 1
          ? 'must not have several values: declare it separated(",")'
          : texts.every(Grammar.isHeaderValue)
            ? undefined
            : 'must not have control characters, or whitespace at its start or end'
      if (detail !== undefined) errors.push({ in: 'header', name, detail })
      else for (const value of texts) headers.push(name, value)
    }
    return headers
  }
}

/** Prepares writing all cookies in one header (RFC 6265, 5.4). Their values are percent-encoded. */
export const cookieWriter = (codecs: ParameterMap): WriteHeaders => {
  const encodeCookies = groupEncoder(parametersOf('cookie', codecs))
  return (input, errors) => {
    const cookies = encodeCookies(input, errors)
    if (cookies.length === 0) return noHeaders
    const pairs = cookies.flatMap(({ name, texts }) =>
      texts.map((text) => `${name}=${Percent.encode(text)}`),
    )
    return ['cookie', pairs.join('; ')]
  }
}

const noHeaders: ReadonlyArray<string> = []
const noTexts = { texts: noHeaders }
