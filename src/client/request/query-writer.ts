/** Writes queries and URL-encoded forms. */
import { identity } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as Form from '../../http/form.ts'
import * as Percent from '../../http/percent.ts'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { EncodedParameter, Input } from './parameter-values.ts'
import {
  groupEncoder,
  encodeParameter,
  membersOf,
  encodeSingleParameter,
  parametersOf,
} from './parameter-values.ts'

/**
 * The format of lists in queries:
 *
 * - `repeat`: a pair per value (`p=1&p=2`), which espalier servers read
 * - `comma`: values separated by commas (`p=1,2`)
 * - `brackets`: names with brackets (`p[]=1&p[]=2`), except for a single value
 */
export type Lists = 'repeat' | 'comma' | 'brackets'

/** Returns the query without the question mark; empty if there is none. Adds invalid parameters to `errors`. */
export type WriteQuery = (input: Input, errors: ValidationError[]) => string

/** Prepares writing a query. The pairs of `queryMap` follow the declared parameters. */
export const queryWriter = (codecs: ParameterMap, hasMap: boolean, lists: Lists): WriteQuery => {
  const parameters = parametersOf('query', codecs).map((parameter) => ({
    parameter,
    prefix: `${Percent.encode(parameter.name)}=`,
  }))
  return (input, errors) => {
    const values = membersOf(input, 'query')
    let query = ''
    for (const { parameter, prefix } of parameters) {
      const text = parameter.shape.keepsEscapes
        ? undefined
        : encodeSingleParameter(values, parameter)
      if (text !== undefined) {
        query = append(query, prefix + Percent.encode(text))
        continue
      }
      const encoded = encodeParameter(values, parameter, errors)
      if (encoded === undefined) continue
      const isValid = isJoined(encoded, lists) ? isElement : isQueryText
      if (encoded.shape.keepsEscapes && !encoded.texts.every(isValid))
        errors.push({ in: 'query', name: encoded.name, detail: notEncoded })
      else query = appendParameter(query, encoded, lists)
    }
    return hasMap ? mapPairs(input, errors).reduce(append, query) : query
  }
}

const notEncoded = 'must be percent-encoded'

const append = (query: string, pair: string): string => (query === '' ? pair : `${query}&${pair}`)

/** Appends a parameter to a query. */
const appendParameter = (query: string, parameter: EncodedParameter, lists: Lists): string => {
  const { name, shape, texts } = parameter
  const encode = shape.keepsEscapes ? identity : Percent.encode
  if (isJoined(parameter, lists))
    return append(query, `${Percent.encode(name)}=${texts.map(encode).join(',')}`)
  const isBracketed = lists === 'brackets' && isPlainList(parameter) && texts.length !== 1
  const brackets = isBracketed ? '%5B%5D' : ''
  let result = query
  for (const text of texts)
    result = append(result, `${Percent.encode(name)}${brackets}=${encode(text)}`)
  return result
}

/** Whether a parameter is a list without a separator of its own, which the `lists` option applies to. */
const isPlainList = ({ shape }: EncodedParameter): boolean =>
  shape.isCollection && shape.separator === undefined

const isJoined = (parameter: EncodedParameter, lists: Lists): boolean =>
  lists === 'comma' && isPlainList(parameter)

/** Whether an encoded text neither ends a pair nor is changed by URL normalization. */
const isQueryText = (text: string): boolean =>
  /^(?:[\w\-.~!$()*+,;=:@/?]|%[\dA-Fa-f]{2})*$/.test(text)

/** Whether an encoded text can be an element of a comma-separated list. */
const isElement = (text: string): boolean => isQueryText(text) && !text.includes(',')

/** Returns the encoded pairs of `queryMap`. */
const mapPairs = (input: Input, errors: ValidationError[]): ReadonlyArray<string> => {
  const map = Object.hasOwn(input, 'queryMap') ? input['queryMap'] : undefined
  if (map === undefined || map === null) return []
  const pairs = pairsOf(map)
  if (pairs === undefined) {
    errors.push({ in: 'query', detail: 'must be a map from names to lists of strings' })
    return []
  }
  return pairs.map((pair) => pair.map(Percent.encode).join('='))
}

/** Returns the pairs of a map from names to lists of strings; `undefined` for any other value. */
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

/** Prepares writing a URL-encoded form. */
export const formWriter = (codecs: ParameterMap): WriteQuery => {
  const encodeFields = groupEncoder(parametersOf('form', codecs))
  return (input, errors) => {
    const pairs: string[] = []
    for (const { name, shape, texts } of encodeFields(input, errors)) {
      if (!shape.keepsEscapes) pairs.push(Form.format([[name, texts]]))
      else if (texts.every((text) => /^(?:[^&%]|%[\dA-Fa-f]{2})*$/.test(text)))
        pairs.push(...texts.map((text) => `${Form.format([[name, ['']]])}${text}`))
      else errors.push({ in: 'form', name, detail: notEncoded })
    }
    return pairs.join('&')
  }
}
