/** Reads the parameters of a call from its input, and collects validation errors. */
import * as E from 'fp-ts/lib/Either.js'
import type { ParameterGroup, ParameterMap } from '../../endpoint/endpoint.ts'
import type { ParameterShape } from '../../codec/parameter/parameter-shape.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { OnlyTextOf, TextsOf } from './parameter-text.ts'
import { onlyTextOf, textsOf } from './parameter-text.ts'

/** The input of a call. Not typed here, because JavaScript programs may pass any value. */
export type Input = Readonly<Record<string, unknown>>

/** A declared parameter, prepared for encoding. */
export interface Parameter {
  readonly group: ParameterGroup
  readonly key: string
  /** The name in the request. */
  readonly name: string
  readonly shape: ParameterShape
  readonly onlyText: OnlyTextOf
  readonly texts: TextsOf
}

/** The encoded values of one parameter. */
export interface Given {
  readonly name: string
  readonly shape: ParameterShape
  readonly texts: ReadonlyArray<string>
}

/** Prepares the parameters of a group in the order of their declaration. */
export const parametersOf = (
  group: ParameterGroup,
  codecs: ParameterMap,
  nameOf: (key: string) => string = (key) => key,
): ReadonlyArray<Parameter> =>
  Array.from(codecs, ([key, codec]) => {
    const shape = parameterShape(codec)
    return {
      group,
      key,
      name: nameOf(key),
      shape,
      onlyText: onlyTextOf(codec, shape),
      texts: textsOf(codec, shape),
    }
  })

/** The text of a parameter whose value among those of its group has one; `undefined` for any other, of which {@link givenOf} knows more. */
export const onlyTextIn = (values: Input, { key, onlyText }: Parameter): string | undefined =>
  Object.hasOwn(values, key) ? onlyText(values[key]) : undefined

/** Encodes a parameter. Returns `undefined` for a missing and for an invalid value; the latter is added to `errors`. */
export const givenOf = (
  values: Input,
  { group, key, name, shape, texts: textsOfValue }: Parameter,
  errors: ValidationError[],
): Given | undefined => {
  const texts = textsOfValue(Object.hasOwn(values, key) ? values[key] : undefined)
  if (E.isRight(texts))
    return texts.right.length === 0 ? undefined : { name, shape, texts: texts.right }
  errors.push({ in: group, name, detail: texts.left })
  return undefined
}

/** Encodes all parameters of a group. Adds invalid parameters to `errors` and omits them. */
export type Gather = (input: Input, errors: ValidationError[]) => ReadonlyArray<Given>

/** Prepares encoding the parameters of a group. */
export const gathering = (parameters: ReadonlyArray<Parameter>): Gather => {
  const [first] = parameters
  if (first === undefined) return nothing
  return (input, errors) => {
    const values = membersOf(input, first.group)
    return parameters.flatMap((one) => givenOf(values, one, errors) ?? [])
  }
}

const nothing: Gather = () => none
const none: ReadonlyArray<Given> = Object.freeze([])

/** Returns the members of a group; none if the group is missing. */
export const membersOf = (input: Input, group: string): Input => {
  const values = Object.hasOwn(input, group) ? input[group] : undefined
  return isObject(values) ? values : noMembers
}

const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null

const noMembers: Input = Object.freeze({})
