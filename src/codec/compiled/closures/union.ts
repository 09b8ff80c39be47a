/** Unions, which are the first that fits, and intersections, which are all at once. */
import * as t from 'io-ts'
import { merge } from '../../merge.ts'
import type { Functions, Of } from '../runtime.ts'
import { decodeBy, isRecord, mergesAlike, refused } from '../runtime.ts'
import type { IntersectionSchema, UnionSchema } from '../schema.ts'
import { isWrittenAsIs } from '../schema.ts'
import { testing } from './testing.ts'

export const ofUnion = (schema: UnionSchema, of: Of): Functions => {
  const { members, tag, codec } = schema
  const functions = members.map(of)
  const encodes = (chosen: Functions | undefined, value: unknown): unknown =>
    (chosen ?? codec).encode(value)
  if (tag === undefined)
    return {
      decode: (value) => {
        for (const { decode } of functions) {
          const decoded = decode(value)
          if (decoded !== refused) return decoded
        }
        return refused
      },
      encode: isWrittenAsIs(schema)
        ? t.identity
        : (value) =>
            encodes(
              functions.find(({ is }) => is(value)),
              value,
            ),
      is: (value) => functions.some(({ is }) => is(value)),
    }
  const tests = tag.tests.map(testing)
  /** The member that the tag names; the others are not asked, because a predicate of theirs may not know such values. */
  const named = (value: unknown): Functions | undefined =>
    isRecord(value) ? functions[tests.findIndex((holds) => holds(value[tag.key]))] : undefined
  return {
    decode: (value) => {
      const chosen = named(value)
      return chosen === undefined ? refused : chosen.decode(value)
    },
    encode: (value) => encodes(named(value), value),
    is: (value) => named(value)?.is(value) ?? false,
  }
}

export const ofIntersection = ({ members, codec }: IntersectionSchema, of: Of): Functions => {
  const functions = members.map(of)
  return {
    decode: (value) => {
      const parts: unknown[] = []
      for (const { decode } of functions) {
        const decoded = decode(value)
        if (decoded === refused) return refused
        parts.push(decoded)
      }
      return mergesAlike(parts) ? merge(value, parts) : decodeBy(codec, value)
    },
    encode: (value) => {
      const parts = functions.map(({ encode }) => encode(value))
      return mergesAlike(parts) ? merge(value, parts) : codec.encode(value)
    },
    is: (value) => functions.every(({ is }) => is(value)),
  }
}
