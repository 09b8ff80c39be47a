/** Reads parameters from the input of a call, and encodes their values as strings. */
import * as E from 'fp-ts/lib/Either.js'
import { valuesEncoder } from '../../body/text-values.ts'
import type { ParameterShape } from '../../codec/schema/parameter-shape.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import type { ParameterGroup, ParameterMap } from '../../endpoint/endpoint.ts'
import type { ValidationError } from '../../http/failure.ts'

/** Untyped input for a call. JavaScript programs can pass any value. */
export type AnyCallInput = Readonly<Record<string, unknown>>

/** A parameter that is present in the input, with its encoded values. */
export interface EncodedParameter {
  readonly name: string
  readonly shape: ParameterShape
  readonly values: ReadonlyArray<string>
}

/**
 * Encodes all parameters of a group. Omits invalid parameters, and adds a validation error to `errors` for each of
 * them.
 */
export type EncodeGroup = (
  input: AnyCallInput,
  errors: ValidationError[],
) => ReadonlyArray<EncodedParameter>

/** Creates an encoder for the parameters of a group, in declaration order. `nameOf` returns the name in the request. */
export const groupEncoder = (
  group: ParameterGroup,
  codecs: ParameterMap,
  nameOf: (key: string) => string = (key) => key,
): EncodeGroup => {
  if (codecs.size === 0) return encodeNothing
  const parameters = Array.from(codecs, ([key, codec]) => {
    const shape = parameterShape(codec)
    return { key, name: nameOf(key), shape, encodeValues: valuesEncoder(codec, shape) }
  })
  return (input, errors) => {
    const members = membersOf(input, group)
    const encoded: EncodedParameter[] = []
    for (const { key, name, shape, encodeValues } of parameters) {
      const values = encodeValues(Object.hasOwn(members, key) ? members[key] : undefined)
      if (E.isLeft(values)) errors.push({ in: group, name, detail: values.left })
      else if (values.right.length > 0) encoded.push({ name, shape, values: values.right })
    }
    return encoded
  }
}

const noParameters: ReadonlyArray<EncodedParameter> = Object.freeze([])
const encodeNothing: EncodeGroup = () => noParameters

/** Returns the values in a group of the input, such as `query`, or an empty object if the group is missing. */
export const membersOf = (input: AnyCallInput, group: string): AnyCallInput => {
  const members = Object.hasOwn(input, group) ? input[group] : undefined
  return isObject(members) ? members : noMembers
}

const isObject = (value: unknown): value is AnyCallInput =>
  typeof value === 'object' && value !== null

const noMembers: AnyCallInput = Object.freeze({})
