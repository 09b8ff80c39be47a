/**
 * Finds the raw values of declared parameters in the request head. One pass over a query or header finds all of them; undeclared
 * parameters are skipped.
 */
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import * as Cookie from '../../http/cookie.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Form from '../../http/form.ts'
import * as Headers from '../../http/headers.ts'
import * as Path from '../../http/path.ts'
import * as Percent from '../../http/percent.ts'
import type { Exchange } from '../exchange.ts'
import type { PathCapture } from '../routing/path-matcher.ts'
import type { ParameterPlan } from '../../compiler/plan.ts'
import type { Pattern } from '../../endpoint/internal/path-pattern.ts'

/** The parts of a request that contain parameters. */
export interface ParameterSource {
  readonly exchange: Pick<Exchange, 'path' | 'query' | 'headers'>
  readonly captures: ReadonlyArray<PathCapture>
}

/** The raw values of a parameter, in order of appearance; `undefined` if one of them has a malformed percent-escape. */
export type RawValues = ReadonlyArray<string> | undefined

/** Returns the raw values of the parameters of a group, in order of declaration, or a validation error for the whole group. */
export type FindValues<A> = (from: A) => ReadonlyArray<RawValues> | ValidationError

type Parameters = ReadonlyArray<ParameterPlan>

/** The raw values of a missing parameter. Shared, and never changed. */
export const noValues: string[] = []

export const inPath = (parameters: Parameters, { names }: Pattern): FindValues<ParameterSource> => {
  const captured = parameters.map(({ key, codec }) => ({
    ...parameterShape(codec),
    position: names.indexOf(key),
  }))
  return ({ captures }) =>
    captured.map(({ position, isCollection, keepsEscapes }) => {
      const capture = captures[position]
      if (capture === undefined) return noValues
      if (isCollection) return keepsEscapes ? capture.rawSegments : capture.segments
      return [keepsEscapes ? capture.raw : capture.text]
    })
}

/** Reads query parameters. The query may contain up to `most` parameters, including undeclared ones. */
export const inQuery = (parameters: Parameters, most: number): FindValues<ParameterSource> => {
  const find = inForm(parameters)
  return ({ exchange: { query } }) => {
    if (query === undefined || query === '') return parameters.map(() => noValues)
    // `most` parameters need at least as many characters
    return query.length >= most && Form.count(query, most) > most
      ? tooManyParameters('query', most)
      : find(query)
  }
}

/** Reads the fields of a URL-encoded form. */
export const inForm = (parameters: Parameters): ((text: string) => ReadonlyArray<RawValues>) => {
  const collect = valueCollector(parameters, Form.decode)
  return (text) => {
    const texts: CollectedValues = parameters.map(() => noValues)
    Form.forEach(text, (name, value) => collect(texts, name, value))
    return texts
  }
}

export const inMatrix = (parameters: Parameters, most: number): FindValues<ParameterSource> => {
  const collect = valueCollector(parameters, Percent.decode)
  return ({ exchange: { path } }) => {
    const pairs = path.includes(';') ? Path.matrix(Path.split(path) ?? []) : []
    if (pairs.length > most) return tooManyParameters('matrix', most)
    const texts: CollectedValues = parameters.map(() => noValues)
    for (const [name, value] of pairs) collect(texts, name, value)
    return texts
  }
}

export const inHeaders =
  (parameters: Parameters): FindValues<ParameterSource> =>
  ({ exchange: { headers } }) =>
    parameters.map(({ name }) => Headers.all(headers, name))

/** Reads cookies. A request may have up to `most` cookies of different names, including undeclared ones. */
export const inCookies =
  (parameters: Parameters, most: number): FindValues<ParameterSource> =>
  ({ exchange: { headers } }) => {
    const header = cookieOf(headers)
    return header.length > most && Cookie.parse(header).size > most
      ? tooManyParameters('cookie', most)
      : parameters.map(({ name }) => Cookie.values(header, name))
  }

/** Returns the `Cookie` header of a request. HTTP/2 requests may have several, which are joined. */
export const cookieOf = (headers: Headers.Headers): string => {
  const all = Headers.all(headers, 'cookie')
  return all.length === 1 ? (all[0] ?? '') : all.join('; ')
}

/** Whether a query parameter that starts with no declared name is undeclared. It may be declared if its name is escaped or it has no value. */
export const isUndeclared = (query: string, at: number, end: number): boolean => {
  const equals = query.indexOf('=', at)
  if (equals < 0 || equals > end) return at === end
  const name = query.slice(at, equals)
  return !name.includes('%') && !name.includes('+')
}

export const tooManyParameters = (group: ValidationError['in'], most: number): ValidationError => ({
  in: group,
  detail: `must have at most ${most} parameters (fw.http.limits.max-parameters)`,
})

type CollectedValues = Array<string[] | undefined>

type CollectValue = (texts: CollectedValues, rawName: string, rawValue: string | undefined) => void

/** Returns a function that adds a raw name-value pair to the raw values of the parameter. The value is `undefined` without `=`. */
const valueCollector = (
  parameters: Parameters,
  decode: (text: string) => string | undefined,
): CollectValue => {
  const positions = new Map(parameters.map(({ name }, at) => [name, at]))
  const shapes = parameters.map(({ codec }) => parameterShape(codec))
  const positionOf = (rawName: string): number | undefined =>
    positions.get(rawName) ?? positions.get(decode(rawName) ?? '')
  return (texts, rawName, rawValue) => {
    const at = positionOf(rawName) ?? -1
    const shape = shapes[at]
    const before = texts[at]
    if (shape === undefined || before === undefined) return
    const text =
      rawValue === undefined ? shape.valueIfBare : shape.keepsEscapes ? rawValue : decode(rawValue)
    if (text === undefined) texts[at] = undefined
    else if (before === noValues) texts[at] = [text]
    else before.push(text)
  }
}
