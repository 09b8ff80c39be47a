/**
 * Finds the texts of declared parameters in the head of a request. Nothing else is looked for, nothing is put into a map:
 * one pass over a query or a header field finds all that are declared.
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

/** Where parameters come from. */
export interface ParameterSource {
  readonly exchange: Pick<Exchange, 'path' | 'query' | 'headers'>
  readonly captures: ReadonlyArray<PathCapture>
}

/** The texts of a parameter, in order of appearance; `undefined` when one of them cannot be percent-decoded. */
export type RawValues = ReadonlyArray<string> | undefined

/** Finds the texts of a group's parameters, in their order, or says what is wrong with the whole group. */
export type FindValues<A> = (from: A) => ReadonlyArray<RawValues> | ValidationError

type Parameters = ReadonlyArray<ParameterPlan>

/** What is there of a parameter that is not given; it is shared and stays empty. */
export const noValues: string[] = []

export const inPath = (parameters: Parameters, { names }: Pattern): FindValues<ParameterSource> => {
  const places = parameters.map(({ key, codec }) => ({
    ...parameterShape(codec),
    position: names.indexOf(key),
  }))
  return ({ captures }) =>
    places.map(({ position, isCollection, keepsEscapes }) => {
      const capture = captures[position]
      if (capture === undefined) return noValues
      if (isCollection) return keepsEscapes ? capture.rawSegments : capture.segments
      return [keepsEscapes ? capture.raw : capture.text]
    })
}

/** At most `most` parameters may be given, declared or not. */
export const inQuery = (parameters: Parameters, most: number): FindValues<ParameterSource> => {
  const find = inForm(parameters)
  return ({ exchange: { query } }) => {
    if (query === undefined || query === '') return parameters.map(() => noValues)
    // as many parameters take at least as many bytes
    return query.length >= most && Form.count(query, most) > most
      ? tooManyParameters('query', most)
      : find(query)
  }
}

/** The fields of a text that is written as a URL-encoded form is. */
export const inForm = (parameters: Parameters): ((text: string) => ReadonlyArray<RawValues>) => {
  const gather = gathering(parameters, Form.decode)
  return (text) => {
    const texts: Gathered = parameters.map(() => noValues)
    Form.forEach(text, (name, value) => gather(texts, name, value))
    return texts
  }
}

export const inMatrix = (parameters: Parameters, most: number): FindValues<ParameterSource> => {
  const gather = gathering(parameters, Percent.decode)
  return ({ exchange: { path } }) => {
    const pairs = path.includes(';') ? Path.matrix(Path.split(path) ?? []) : []
    if (pairs.length > most) return tooManyParameters('matrix', most)
    const texts: Gathered = parameters.map(() => noValues)
    for (const [name, value] of pairs) gather(texts, name, value)
    return texts
  }
}

export const inHeaders =
  (parameters: Parameters): FindValues<ParameterSource> =>
  ({ exchange: { headers } }) =>
    parameters.map(({ name }) => Headers.all(headers, name))

/** At most `most` cookies of different names may be given, declared or not. */
export const inCookies =
  (parameters: Parameters, most: number): FindValues<ParameterSource> =>
  ({ exchange: { headers } }) => {
    const header = cookieOf(headers)
    return header.length > most && Cookie.parse(header).size > most
      ? tooManyParameters('cookie', most)
      : parameters.map(({ name }) => Cookie.values(header, name))
  }

/** The cookies of a request; of several fields, which only HTTP/2 allows, all. */
export const cookieOf = (headers: Headers.Headers): string => {
  const all = Headers.all(headers, 'cookie')
  return all.length === 1 ? (all[0] ?? '') : all.join('; ')
}

/** Whether a pair of a query, which begins with no declared name, has one all the same: escaped, or without a value. */
export const isUndeclared = (query: string, at: number, end: number): boolean => {
  const equals = query.indexOf('=', at)
  if (equals < 0 || equals > end) return at === end
  const name = query.slice(at, equals)
  return !name.includes('%') && !name.includes('+')
}

export const tooManyParameters = (group: ValidationError['in'], most: number): ValidationError => ({
  in: group,
  detail: `has more than ${most} parameters (fw.http.limits.max-parameters)`,
})

type Gathered = Array<string[] | undefined>

type Gather = (texts: Gathered, rawName: string, rawValue: string | undefined) => void

/** Puts the value of a name, both as received, where the parameter of that name stands; `undefined` for a name alone. */
const gathering = (
  parameters: Parameters,
  decode: (text: string) => string | undefined,
): Gather => {
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
