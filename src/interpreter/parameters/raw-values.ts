/**
 * Finds the raw values of declared parameters in the request head. Undeclared parameters are skipped. All parameters in the query
 * are found in one pass.
 */
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import * as Cookie from '../../http/cookie.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Form from '../../http/form.ts'
import * as Headers from '../../http/headers.ts'
import * as Path from '../../http/path.ts'
import * as Percent from '../../http/percent.ts'
import type { Exchange } from '../exchange.ts'
import type { PathCapture } from '../routing/path-matcher.ts'
import type { ParameterPlan } from '../../compiler/plan.ts'
import type { Pattern } from '../../endpoint/definition/path-pattern.ts'

/** The parts of a request that contain parameters. */
export interface ParameterSource {
  readonly exchange: Pick<Exchange, 'path' | 'query' | 'headers'>
  readonly captures: ReadonlyArray<PathCapture>
}

/** The raw values of a parameter, in order of appearance. `undefined` if at least one value has malformed percent-encoding. */
export type RawValues = ReadonlyArray<string> | undefined

/**
 * Returns the raw values of each parameter in a group, in declaration order. Returns a validation error if the group as a whole
 * is invalid, for example, if it contains too many parameters.
 */
export type FindValues<A> = (from: A) => ReadonlyArray<RawValues> | ValidationError

type Parameters = ReadonlyArray<ParameterPlan>

/** The raw values of a missing parameter. The array is shared and must not be modified. */
export const noValues: string[] = []

/** Returns a function that finds the values of path parameters. */
export const inPath = (parameters: Parameters, { names }: Pattern): FindValues<ParameterSource> => {
  const captured = parameters.map(({ name, codec }) => ({
    ...parameterShape(codec),
    position: names.indexOf(name),
  }))
  return ({ captures }) =>
    captured.map(({ position, isCollection, keepsEscapes }) => {
      const capture = captures[position]
      if (capture === undefined) return noValues
      if (isCollection) return keepsEscapes ? capture.rawSegments : capture.segments
      return [keepsEscapes ? capture.raw : capture.text]
    })
}

/**
 * Returns a function that finds query parameters. The function returns a validation error if the query contains more than
 * `maximum` parameters, including undeclared parameters.
 */
export const inQuery = (
  parameters: Parameters,
  limit: ParameterLimit,
): FindValues<ParameterSource> => {
  const { maximum } = limit
  const find = inForm(parameters)
  return ({ exchange: { query } }) => {
    if (query === undefined || query === '') return parameters.map(() => noValues)
    // a query with more than `maximum` parameters has at least `maximum` characters
    return query.length >= maximum && Form.count(query, maximum) > maximum
      ? tooManyParameters('query', limit)
      : find(query)
  }
}

/** Returns a function that finds the declared fields in a URL-encoded form. */
export const inForm = (parameters: Parameters): ((text: string) => ReadonlyArray<RawValues>) => {
  const collect = valueCollector(parameters, Percent.decodeForm)
  return (text) => {
    const values: CollectedValues = parameters.map(() => noValues)
    Form.forEach(text, (name, value) => collect(values, name, value))
    return values
  }
}

/**
 * Returns a function that finds matrix parameters in all path segments. The function returns a validation error if the path
 * contains more than `maximum` matrix parameters, including undeclared parameters.
 */
export const inMatrix = (
  parameters: Parameters,
  limit: ParameterLimit,
): FindValues<ParameterSource> => {
  const collect = valueCollector(parameters, Percent.decode)
  return ({ exchange: { path } }) => {
    const pairs = path.includes(';') ? Path.matrix(Path.split(path) ?? []) : []
    if (pairs.length > limit.maximum) return tooManyParameters('matrix', limit)
    const values: CollectedValues = parameters.map(() => noValues)
    for (const [name, value] of pairs) collect(values, name, value)
    return values
  }
}

/** Returns a function that finds header parameters. */
export const inHeaders = (parameters: Parameters): FindValues<ParameterSource> => {
  const found = parameters.map(({ name, codec }) => ({ name, ...parameterShape(codec) }))
  return ({ exchange: { headers } }) =>
    found.map(({ name, isCombined }) => {
      if (!isCombined) return Headers.all(headers, name)
      const value = combinedValue(headers, name)
      return value === undefined ? noValues : [value]
    })
}

/** Returns the combined value of a header (RFC 9110, 5.3; RFC 9113, 8.2.3). The name must be in lower case. */
const combinedValue = (
  headers: Headers.RequestHeaders,
  lowerCaseName: string,
): string | undefined =>
  lowerCaseName === 'cookie' && Headers.first(headers, lowerCaseName) !== undefined
    ? cookieOf(headers)
    : Headers.combined(headers, lowerCaseName)

/**
 * Returns a function that finds cookies. A request may have up to `maximum` cookies with different names, including undeclared
 * cookies.
 */
export const inCookies =
  (parameters: Parameters, limit: ParameterLimit): FindValues<ParameterSource> =>
  ({ exchange: { headers } }) => {
    const { maximum } = limit
    const header = cookieOf(headers)
    return header.length > maximum && Cookie.parse(header).size > maximum
      ? tooManyParameters('cookie', limit)
      : parameters.map(({ name }) => Cookie.values(header, name))
  }

/**
 * Returns the `Cookie` header of a request, or an empty string if there is no such header. If there are multiple `Cookie` headers,
 * which HTTP/2 allows, they are joined.
 */
export const cookieOf = (headers: Headers.RequestHeaders): string => {
  const all = Headers.all(headers, 'cookie')
  return all.length === 1 ? (all[0] ?? '') : all.join('; ')
}

/** The maximum number of parameters in a group, and the name of this limit in error messages. */
export interface ParameterLimit {
  readonly maximum: number
  readonly name: string
}

/** Creates the validation error for a group with more than `maximum` parameters. */
export const tooManyParameters = (
  group: ValidationError['in'],
  { maximum, name }: ParameterLimit,
): ValidationError => ({
  in: group,
  detail: `must have at most ${maximum} parameters (${name})`,
})

type CollectedValues = Array<string[] | undefined>

type CollectValue = (values: CollectedValues, rawName: string, rawValue: string | undefined) => void

/**
 * Returns a function that decodes a name-value pair and adds the value to `values`, at the index of the parameter with that name.
 * Undeclared names are ignored. `rawValue` is `undefined` if the pair does not contain `=`.
 */
const valueCollector = (
  parameters: Parameters,
  decode: (text: string) => string | undefined,
): CollectValue => {
  const positions = new Map(parameters.map(({ name }, at) => [name, at]))
  const shapes = parameters.map(({ codec }) => parameterShape(codec))
  const positionOf = (rawName: string): number | undefined =>
    positions.get(rawName) ?? positions.get(decode(rawName) ?? '')
  return (values, rawName, rawValue) => {
    const at = positionOf(rawName) ?? -1
    const shape = shapes[at]
    const existing = values[at]
    if (shape === undefined || existing === undefined) return
    const text =
      rawValue === undefined ? shape.valueIfBare : shape.keepsEscapes ? rawValue : decode(rawValue)
    if (text === undefined) values[at] = undefined
    else if (existing === noValues) values[at] = [text]
    else existing.push(text)
  }
}
