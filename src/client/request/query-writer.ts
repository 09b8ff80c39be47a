/** Writes queries and URL-encoded forms. */
import * as t from 'io-ts'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Form from '../../http/form.ts'
import * as Percent from '../../http/percent.ts'
import type { Given, Input } from './call-input.ts'
import { gathering, givenOf, membersOf, onlyTextIn, parametersOf } from './call-input.ts'

/**
 * The format of lists in queries:
 *
 * - `repeat`: a pair per value (`p=1&p=2`), which espalier servers read
 * - `comma`: values separated by commas (`p=1,2`)
 * - `brackets`: names with brackets (`p[]=1&p[]=2`), except for a single value
 */
export type Lists = 'repeat' | 'comma' | 'brackets'

/** Returns the query without the question mark; empty if there is none. */
export type WriteQuery = (input: Input, errors: ValidationError[]) => string

/** Prepares writing a query. The pairs of `queryMap` follow the declared parameters. */
export const queryWriter = (codecs: ParameterMap, takesMap: boolean, lists: Lists): WriteQuery => {
  const parameters = parametersOf('query', codecs).map((parameter) => ({
    parameter,
    begin: `${Percent.encode(parameter.name)}=`,
  }))
  return (input, errors) => {
    const values = membersOf(input, 'query')
    let query = ''
    for (const { parameter, begin } of parameters) {
      const text = parameter.shape.keepsEscapes ? undefined : onlyTextIn(values, parameter)
      if (text !== undefined) {
        query = behind(query, begin + Percent.encode(text))
        continue
      }
      const given = givenOf(values, parameter, errors)
      if (given === undefined) continue
      const isFit = isJoined(given, lists) ? isElement : isQueryText
      if (given.shape.keepsEscapes && !given.texts.every(isFit))
        errors.push({ in: 'query', name: given.name, detail: unfit })
      else query = written(query, given, lists)
    }
    return takesMap ? ofMap(input, errors).reduce(behind, query) : query
  }
}

const unfit = 'has a character that cannot stand there as it is'

const behind = (query: string, pair: string): string => (query === '' ? pair : `${query}&${pair}`)

/** Appends a parameter to a query. */
const written = (query: string, given: Given, lists: Lists): string => {
  const { name, shape, texts } = given
  const write = shape.keepsEscapes ? same : Percent.encode
  if (isJoined(given, lists))
    return behind(query, `${Percent.encode(name)}=${texts.map(write).join(',')}`)
  const isBracketed = lists === 'brackets' && isPlainList(given) && texts.length !== 1
  const brackets = isBracketed ? '%5B%5D' : ''
  let all = query
  for (const text of texts) all = behind(all, `${Percent.encode(name)}${brackets}=${write(text)}`)
  return all
}

/** Whether a parameter is a list that travels as the client says, and not as its codec does. */
const isPlainList = ({ shape }: Given): boolean =>
  shape.isCollection && shape.separator === undefined

const isJoined = (given: Given, lists: Lists): boolean => lists === 'comma' && isPlainList(given)

const same = (text: string): string => text

/** A text that neither ends a pair nor is changed where URLs are brought into their normal form. */
const isQueryText = (text: string): boolean =>
  /^(?:[\w\-.~!$()*+,;=:@/?]|%[\dA-Fa-f]{2})*$/.test(text)

/** As above, between commas. */
const isElement = (text: string): boolean => isQueryText(text) && !text.includes(',')

const ofMap = (input: Input, errors: ValidationError[]): ReadonlyArray<string> => {
  const map = Object.hasOwn(input, 'queryMap') ? input['queryMap'] : undefined
  if (map === undefined || map === null) return []
  const pairs = pairsOf(map)
  if (pairs === undefined) {
    errors.push({ in: 'query', detail: 'must be a map from names to lists of strings' })
    return []
  }
  return pairs.map((pair) => pair.map(Percent.encode).join('='))
}

/** The pairs of a map from names to texts; `undefined` for what is no such map. */
export const pairsOf = (
  map: unknown,
): ReadonlyArray<readonly [name: string, value: string]> | undefined => {
  if (!(map instanceof Map)) return undefined
  const entries: Iterable<readonly [unknown, unknown]> = map
  const pairs: Array<readonly [string, string]> = []
  for (const [name, values] of entries) {
    if (typeof name !== 'string' || !t.UnknownArray.is(values)) return undefined
    for (const value of values) {
      if (typeof value !== 'string' || !value.isWellFormed() || !name.isWellFormed())
        return undefined
      pairs.push([name, value])
    }
  }
  return pairs
}

/** Prepares writing the fields of a form. */
export const formWriter = (codecs: ParameterMap): WriteQuery => {
  const gather = gathering(parametersOf('form', codecs))
  return (input, errors) => {
    const pairs: string[] = []
    for (const given of gather(input, errors)) {
      const { name, shape, texts } = given
      if (!shape.keepsEscapes) pairs.push(Form.format([[name, texts]]))
      else if (texts.every((text) => /^(?:[^&%]|%[\dA-Fa-f]{2})*$/.test(text)))
        pairs.push(...texts.map((text) => `${Form.format([[name, ['']]])}${text}`))
      else errors.push({ in: 'form', name, detail: unfit })
    }
    return pairs.join('&')
  }
}
