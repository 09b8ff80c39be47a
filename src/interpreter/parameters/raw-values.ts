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

/** Finds the raw values of a group of parameters, which are all in the same part of a request. */
export interface ParameterFinder<A, Part> {
  /** Returns the part that contains the parameters, or `undefined` if it contains too many of them. */
  readonly locate: (from: A) => Part | undefined
  /** Returns a function that finds the raw values of the parameter at an index of the group. */
  readonly find: (parameter: ParameterPlan, index: number) => (part: Part) => RawValues
  /** The validation error for too many parameters. */
  readonly tooMany?: ValidationError
}

type Parameters = ReadonlyArray<ParameterPlan>

/** The raw values of a missing parameter. The array is shared and must not be modified. */
export const noValues: string[] = []

/** Returns the finder for the path parameters. */
export const inPath = ({
  names,
}: Pattern): ParameterFinder<ParameterSource, ReadonlyArray<PathCapture>> => ({
  locate: ({ captures }) => captures,
  find: ({ name, codec }) => {
    const position = names.indexOf(name)
    const { isCollection, keepsEscapes } = parameterShape(codec)
    return (captures) => {
      const capture = captures[position]
      if (capture === undefined) return noValues
      if (isCollection) return keepsEscapes ? capture.rawSegments : capture.segments
      return [keepsEscapes ? capture.raw : capture.text]
    }
  },
})

/** Returns the finder for the query parameters. The limit includes undeclared parameters. */
export const inQuery = (
  parameters: Parameters,
  limit: ParameterLimit,
): ParameterFinder<ParameterSource, CollectedValues> => {
  const { maximum } = limit
  const { locate, find } = inForm(parameters)
  return {
    // a query with more than `maximum` parameters has at least `maximum` characters
    locate: ({ exchange: { query = '' } }) =>
      query.length >= maximum && Form.count(query, maximum) > maximum ? undefined : locate(query),
    find,
    tooMany: tooManyParameters('query', limit),
  }
}

/** Returns the finder for the declared fields in a URL-encoded form. */
export const inForm = (parameters: Parameters): ParameterFinder<string, CollectedValues> => {
  const collect = valueCollector(parameters, Percent.decodeForm)
  return {
    locate: (text) => {
      const values: CollectedValues = parameters.map(() => noValues)
      Form.forEach(text, (name, value) => collect(values, name, value))
      return values
    },
    find: valueAt,
  }
}

const valueAt =
  (_: ParameterPlan, index: number) =>
  (values: CollectedValues): RawValues =>
    values[index]

/** Returns the finder for the matrix parameters in all path segments. The limit includes undeclared parameters. */
export const inMatrix = (
  parameters: Parameters,
  limit: ParameterLimit,
): ParameterFinder<ParameterSource, CollectedValues> => {
  const collect = valueCollector(parameters, Percent.decode)
  return {
    locate: ({ exchange: { path } }) => {
      const pairs = path.includes(';') ? Path.matrix(Path.split(path) ?? []) : []
      if (pairs.length > limit.maximum) return undefined
      const values: CollectedValues = parameters.map(() => noValues)
      for (const [name, value] of pairs) collect(values, name, value)
      return values
    },
    find: valueAt,
    tooMany: tooManyParameters('matrix', limit),
  }
}

/** The finder for header parameters. */
export const inHeaders: ParameterFinder<ParameterSource, Headers.RequestHeaders> = {
  locate: ({ exchange: { headers } }) => headers,
  find: ({ name, codec }) =>
    parameterShape(codec).isCombined
      ? (headers) => {
          const value = Headers.combined(headers, name)
          return value === undefined ? noValues : [value]
        }
      : (headers) => Headers.all(headers, name),
}

/** Returns the finder for cookies. A request may have up to `maximum` cookies with different names, including undeclared cookies. */
export const inCookies = (limit: ParameterLimit): ParameterFinder<ParameterSource, string> => ({
  locate: ({ exchange: { headers } }) => {
    const header = Headers.combined(headers, 'cookie') ?? ''
    return header.length > limit.maximum && Cookie.parse(header).size > limit.maximum
      ? undefined
      : header
  },
  find:
    ({ name }) =>
    (header) =>
      Cookie.values(header, name),
  tooMany: tooManyParameters('cookie', limit),
})

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
