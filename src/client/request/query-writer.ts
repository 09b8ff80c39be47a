/** Builds query strings and URL-encoded forms. */
import * as t from 'io-ts'
import * as Percent from '../../http/percent.ts'
import { isFormPart } from '../../endpoint/body.ts'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { EncodedParameter, AnyCallInput } from './parameter-values.ts'
import { groupEncoder, membersOf } from './parameter-values.ts'
import { isMap } from '../../http/platform-value.ts'

/**
 * Format of lists in query strings.
 *
 * - `repeat`: one pair per value (`p=1&p=2`), the format read by espalier servers
 * - `comma`: values separated by commas (`p=1,2`)
 * - `brackets`: names with brackets (`p[]=1&p[]=2`), except for a list with a single value
 */
export type Lists = 'repeat' | 'comma' | 'brackets'

/**
 * Builds a query string without the question mark. The result can be empty. Adds a validation error to `errors` for
 * each invalid parameter.
 */
export type WriteQuery = (input: AnyCallInput, errors: ValidationError[]) => string

/** Creates a writer for query strings. The pairs from `queryMap` follow the declared parameters. */
export const queryWriter = (codecs: ParameterMap, hasMap: boolean, lists: Lists): WriteQuery => {
  const encodeParameters = groupEncoder('query', codecs)
  return (input, errors) => {
    let query = ''
    const append = (pair: string): void => {
      query = query === '' ? pair : `${query}&${pair}`
    }
    for (const parameter of encodeParameters(input, errors)) {
      const isValid = isJoined(parameter, lists) ? isElement : isQueryText
      if (parameter.shape.keepsEscapes && !parameter.values.every(isValid))
        errors.push({ in: 'query', name: parameter.name, detail: notEncoded })
      else pairsOfParameter(parameter, lists).forEach(append)
    }
    if (hasMap) mapPairs(input, errors).forEach(append)
    return query
  }
}

const notEncoded = 'must be percent-encoded'

const pairsOfParameter = (parameter: EncodedParameter, lists: Lists): ReadonlyArray<string> => {
  const { shape, values } = parameter
  const name = Percent.encode(parameter.name)
  const encoded = shape.keepsEscapes ? values : values.map(Percent.encode)
  if (isJoined(parameter, lists)) return [`${name}=${encoded.join(',')}`]
  const isBracketed = lists === 'brackets' && isPlainList(parameter) && values.length !== 1
  return encoded.map((text) => `${name}${isBracketed ? '%5B%5D' : ''}=${text}`)
}

/** Whether the `lists` option applies to a parameter. The option applies to lists without a declared separator. */
const isPlainList = ({ shape }: EncodedParameter): boolean =>
  shape.isCollection && shape.separator === undefined

const isJoined = (parameter: EncodedParameter, lists: Lists): boolean =>
  lists === 'comma' && isPlainList(parameter)

/**
 * Whether an encoded string can be used as a query value. Such a string neither ends the name-value pair nor is changed
 * by URL normalization.
 */
const isQueryText = (text: string): boolean =>
  /^(?:[\w\-.~!$()*+,;=:@/?]|%[\dA-Fa-f]{2})*$/.test(text)

/** Whether an encoded string can be an element of a comma-separated list. */
const isElement = (text: string): boolean => isQueryText(text) && !text.includes(',')

/** Returns the encoded pairs from `queryMap`. Adds a validation error to `errors` if `queryMap` is invalid. */
const mapPairs = (input: AnyCallInput, errors: ValidationError[]): ReadonlyArray<string> => {
  const map = Object.hasOwn(input, 'queryMap') ? input['queryMap'] : undefined
  if (map === undefined || map === null) return []
  const pairs = pairsOf(map)
  if (pairs === undefined) {
    errors.push({ in: 'query', detail: 'must be a map from names to lists of strings' })
    return []
  }
  return pairs.map((pair) => pair.map(Percent.encode).join('='))
}

/**
 * Returns a pair for each string in a map from names to lists of strings. Returns `undefined` if `map` is not such a
 * map or contains strings that are not well-formed.
 */
export const pairsOf = (
  map: unknown,
): ReadonlyArray<readonly [name: string, value: string]> | undefined => {
  if (!isMap(map)) return undefined
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

/** Writes the fields in the maps that `allFields` declares. Adds a validation error to `errors` for each invalid map. */
type WriteFormMaps = (
  input: AnyCallInput,
  errors: ValidationError[],
) => ReadonlyArray<readonly [name: string, value: string]>

/** Creates a writer for the maps that a form declares with `allFields`. */
export const formMapWriter = (declared: ParameterMap): WriteFormMaps => {
  const isFormMap = (name: string): boolean => {
    const codec = declared.get(name)
    return isFormPart(codec) && codec.kind === 'allFields'
  }
  const maps = [...declared.keys()].filter(isFormMap)
  return (input, errors) => {
    const members = membersOf(input, 'form')
    return maps.flatMap((name) => {
      const map = Object.hasOwn(members, name) ? members[name] : undefined
      if (map === undefined || map === null) return []
      const pairs = pairsOf(map)
      const repeated = pairs?.find(([field]) => declared.has(field) && !isFormMap(field))
      if (pairs !== undefined && repeated === undefined) return pairs
      const detail =
        repeated === undefined
          ? 'must be a map from names to lists of strings'
          : `must not contain the declared field ${JSON.stringify(repeated[0])}`
      errors.push({ in: 'form', name, detail })
      return []
    })
  }
}

/** Returns the form fields that are declared with a codec. */
export const textFields = (declared: ParameterMap): ParameterMap =>
  new Map([...declared].filter(([, codec]) => !isFormPart(codec)))

/** Creates a writer for URL-encoded forms. */
export const formWriter = (declared: ParameterMap): WriteQuery => {
  const encodeFields = groupEncoder('form', textFields(declared))
  const writeMaps = formMapWriter(declared)
  return (input, errors) => {
    const pairs: string[] = []
    for (const { name, shape, values } of encodeFields(input, errors)) {
      if (!shape.keepsEscapes) pairs.push(Percent.formatPairs([[name, values]]))
      else if (values.every((text) => /^(?:[^&%]|%[\dA-Fa-f]{2})*$/.test(text)))
        pairs.push(...values.map((text) => `${Percent.formatPairs([[name, ['']]])}${text}`))
      else errors.push({ in: 'form', name, detail: notEncoded })
    }
    pairs.push(
      ...writeMaps(input, errors).map(([name, value]) => Percent.formatPairs([[name, [value]]])),
    )
    return pairs.join('&')
  }
}
