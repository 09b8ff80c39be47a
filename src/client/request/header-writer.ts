/** Writes header parameters and cookies. */
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Percent from '../../http/percent.ts'
import type { Input } from './call-input.ts'
import { gathering, givenOf, membersOf, onlyTextIn, parametersOf } from './call-input.ts'

/** Returns alternating header names and values. */
export type WriteFields = (input: Input, errors: ValidationError[]) => ReadonlyArray<string>

/** Prepares writing header parameters. */
export const headerWriter = (
  codecs: ParameterMap,
  nameOf: (key: string) => string,
): WriteFields => {
  if (codecs.size === 0) return () => none
  const parameters = parametersOf('header', codecs, nameOf)
  return (input, errors) => {
    const values = membersOf(input, 'header')
    const fields: string[] = []
    for (const parameter of parameters) {
      const { name } = parameter
      const text = onlyTextIn(values, parameter)
      if (text !== undefined && Grammar.isHeaderValue(text)) {
        fields.push(name, text)
        continue
      }
      const { texts } = givenOf(values, parameter, errors) ?? nothing
      // fetch joins values with commas, which are indistinguishable from commas in a value
      const detail =
        texts.length > 1
          ? 'has several values, which are sent as one: declare it separated(",")'
          : texts.every(Grammar.isHeaderValue)
            ? undefined
            : 'has a character that no header field can have, or a blank at an end'
      if (detail !== undefined) errors.push({ in: 'header', name, detail })
      else for (const one of texts) fields.push(name, one)
    }
    return fields
  }
}

/** Prepares writing all cookies in one header (RFC 6265, 5.4). Their values are percent-encoded. */
export const cookieWriter = (codecs: ParameterMap): WriteFields => {
  const gather = gathering(parametersOf('cookie', codecs))
  return (input, errors) => {
    const given = gather(input, errors)
    if (given.length === 0) return none
    const pairs = given.flatMap(({ name, texts }) =>
      texts.map((text) => `${name}=${Percent.encode(text)}`),
    )
    return ['cookie', pairs.join('; ')]
  }
}

const none: ReadonlyArray<string> = []
const nothing = { texts: none }
