/** Describes values in the messages of configuration errors, and checks arguments. */
import type { RejectedOptions } from '../../codec/codec.ts'
import { isStandardSchema } from '../../codec/standard-schema/standard-schema.ts'
import { isCodec } from '../../codec/codec-structure.ts'

/** Noun phrases for the values that this package creates, by tag. */
const phrases: ReadonlyMap<unknown, string> = new Map([
  ['Endpoint', 'an endpoint'],
  ['Routes', 'a route tree'],
  ['Representation', 'a representation'],
  ['FormPart', 'a form part'],
])

/** Returns a noun phrase that describes a value, such as `a function`. The value itself is not included. */
export const describeValue = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (isStandardSchema(value)) return 'a Standard Schema'
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'an array'
  if (isCodec(value)) return `the codec ${value.name}`
  return ('_tag' in value ? phrases.get(value._tag) : undefined) ?? 'an object'
}

/** Returns an argument unchanged. Throws a `TypeError` unless it is one of the allowed values. */
export const checkOneOf = <A extends string | boolean>(
  name: string,
  argument: string,
  allowed: ReadonlyArray<A>,
  value: A | RejectedOptions<string>,
): A => {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  const actual = typeof value === 'string' ? JSON.stringify(value) : describeValue(value)
  throw new TypeError(
    `${name}: invalid ${argument}: expected ${allowed.join(' or ')}, got ${actual}`,
  )
}
