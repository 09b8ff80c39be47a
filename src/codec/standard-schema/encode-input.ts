/**
 * Encodes the values of a Standard Schema.
 *
 * The receiver decodes a value with the schema. The encoded value is therefore always an input of the schema, from which undeclared
 * members have been removed.
 */
import type { StandardSchema } from './schema-types.ts'
import * as t from 'io-ts'
import { validateOrPending } from './asynchronous-results.ts'
import { isPlain, jsonSchemaOf, stripByJsonSchema, tryCall } from './json-schema-of.ts'
import { emptyStructures, hasOtherOutputs, isLoose } from './accepted-types.ts'
import { isDate } from '../../http/platform-value.ts'

/** The functions of a codec that depend on how the outputs of its schema are encoded. */
export interface EncodingFunctions<I, O> {
  /** Whether a value can be encoded. Values are not checked by asynchronous schemas. */
  readonly accepts: (value: unknown) => boolean
  readonly encode: (value: O) => I
  /** Returns the reason why outputs of the schema cannot be encoded, or `undefined` if no reason is known. */
  readonly encodingProblem: () => string | undefined
}

/** Creates the functions for a schema. `customEncode` converts outputs of the schema to inputs. */
export const encodingFunctions = (
  schema: StandardSchema<unknown, unknown>,
  customEncode: ((value: unknown) => unknown) | undefined,
): EncodingFunctions<unknown, unknown> => {
  const { vendor } = schema['~standard']
  const toInput = customEncode ?? t.identity
  const stripOutput = once(() => stripFor(schema, 'output'))
  const stripInput = once(() => stripFor(schema, 'input'))
  const keeps = (value: unknown): boolean => {
    const validated = tryCall(() => validateOrPending(schema, withUndeclared(value)))?.value
    return validated?.issues === undefined && hasUndeclared(validated?.value)
  }
  const isPending = (value: unknown): boolean => {
    const validated = tryCall(() => validateOrPending(schema, value))
    return validated !== undefined && validated.value === undefined
  }
  /** Removes undeclared members from an input that the schema does not reproduce when it parses the input. */
  const strippedInput = (input: unknown): unknown => {
    const strip = stripInput()
    if (strip !== undefined) return strip(input)
    if (customEncode !== undefined || !hasMembers(input)) return input
    throw new TypeError(cannotStrip(vendor))
  }
  return {
    accepts: (value) => {
      const input = tryCall(() => toInput(value))
      if (input === undefined) return false
      return validateOrPending(schema, input.value)?.issues === undefined
    },
    encode: (value) => {
      const input = toInput(value)
      const validated = validateOrPending(schema, input)
      if (validated === undefined) return strippedInput(input)
      if (validated.issues !== undefined)
        throw new TypeError(
          `invalid value for the ${vendor} schema: if the schema does not accept its own output as input, pass an encode function`,
        )
      const output = validated.value
      if (customEncode !== undefined) return customEncode((stripOutput() ?? t.identity)(output))
      if (!isSelection(output, input) && !reproduces(schema, output)) return strippedInput(input)
      const strip = stripOutput()
      if (strip !== undefined) return strip(output)
      if (keeps(input)) throw new TypeError(keepsMembers(vendor))
      return output
    },
    encodingProblem: () => {
      if (customEncode !== undefined) return undefined
      if (stripOutput() === undefined && (isLoose(schema) || emptyStructures.some(keeps)))
        return keepsMembers(vendor)
      if (stripInput() === undefined && emptyStructures.some(isPending)) return cannotStrip(vendor)
      return hasOtherOutputs(schema) ? outputIsNoInput(vendor) : undefined
    },
  }
}

const keepsMembers = (vendor: string): string =>
  `the ${vendor} schema keeps undeclared members: pass an encode function that returns only the declared ones`

const cannotStrip = (vendor: string): string =>
  `the ${vendor} schema has no JSON Schema with which undeclared members can be stripped: pass an encode function that returns only the declared ones`

const outputIsNoInput = (vendor: string): string =>
  `the output of the ${vendor} schema is not an input: pass an encode function, as in fromStandardSchema(schema, encode)`

const once = <A>(create: () => A): (() => A) => {
  let created: { readonly value: A } | undefined
  return () => (created ??= { value: create() }).value
}

/** Returns a function that removes undeclared members. Returns `undefined` if the schema cannot be converted to JSON Schema. */
const stripFor = (
  schema: StandardSchema<unknown, unknown>,
  direction: 'input' | 'output',
): ((value: unknown) => unknown) | undefined => {
  const described = jsonSchemaOf(schema, direction)
  return described === undefined
    ? undefined
    : stripByJsonSchema(described, schema['~standard'].vendor === 'effect')
}

/** Whether a schema returns an output unchanged if it is an input. This does not apply to outputs with another type. */
const reproduces = (schema: StandardSchema<unknown, unknown>, output: unknown): boolean => {
  const validated = tryCall(() => validateOrPending(schema, output))?.value
  return (
    validated !== undefined &&
    validated.issues === undefined &&
    isSelection(validated.value, output)
  )
}

/** Whether `part` has the same values as `whole`, except for members that it lacks. */
const isSelection = (part: unknown, whole: unknown): boolean => {
  if (Object.is(part, whole)) return true
  if (isDate(part) && isDate(whole)) return Number(part) === Number(whole)
  if (Array.isArray(part) && Array.isArray(whole))
    return part.length === whole.length && part.every((one, at) => isSelection(one, whole[at]))
  return (
    isPlain(part) &&
    isPlain(whole) &&
    Object.entries(part).every(
      ([name, member]) => Object.hasOwn(whole, name) && isSelection(member, whole[name]),
    )
  )
}

/** Whether a value contains objects whose members could be undeclared. */
const hasMembers = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasMembers) : typeof value === 'object' && value !== null

const name = 'espalier:undeclared'

/** The value of members added by {@link withUndeclared}. Only schemas that allow arbitrary values accept a symbol. */
const undeclared = Symbol(name)

/** Returns a copy of a value. An undeclared member is added to each object in the copy. */
const withUndeclared = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withUndeclared)
  if (!isPlain(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, withUndeclared(member)])
  return { ...Object.fromEntries(members), [name]: undeclared }
}

/** Whether a value contains a member added by {@link withUndeclared}. */
const hasUndeclared = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasUndeclared)
    : isPlain(value) && (value[name] === undeclared || Object.values(value).some(hasUndeclared))
