/** Checks whether values have the decoded type of a codec, by interpreting schemas. */
import * as t from 'io-ts'
import { isSet } from '../../http/platform-value.ts'
import type * as S from '../schema/schema.ts'
import type { RecursionMemo } from './recursion-memo.ts'
import { isRecord, passesTest } from './runtime.ts'

export type SchemaGuard = (schema: S.Schema, value: unknown) => boolean

/** Creates a type guard. `memo` caches results for recursive codecs that contain unions or intersections (`recursion-memo.ts`). */
export const interpretIs = (memo?: RecursionMemo<unknown>): SchemaGuard => {
  const is: SchemaGuard = (schema, value) => {
    switch (schema._tag) {
      case 'Object':
        return isRecord(value) && schema.members.every((member) => isMember(member, value))
      case 'Record':
        return isRecord(value)
          ? Object.keys(value).every(
              (key) => !is(schema.domain, key) || is(schema.codomain, value[key]),
            )
          : schema.acceptsArrays && Array.isArray(value)
      case 'List':
        return t.UnknownArray.is(value) && value.every((element) => is(schema.element, element))
      case 'Set':
        return isSet(value) && [...value].every((element) => is(schema.element, element))
      case 'Tuple': {
        const { elements, rest } = schema
        return (
          t.UnknownArray.is(value) &&
          value.length >= elements.length &&
          Array.from(value).every((element, index) => {
            const part = elements[index] ?? rest
            return part !== undefined && is(part, element)
          })
        )
      }
      case 'Union': {
        const { members, tag } = schema
        if (tag === undefined) return members.some((member) => is(member, value))
        const selected = isRecord(value) ? selectMember(schema, tag, value) : undefined
        return selected !== undefined && is(selected, value)
      }
      case 'Intersection':
        return schema.members.every((member) => is(member, value))
      case 'Refinement':
        return is(schema.inner, value) && schema.holds(value)
      case 'Default':
      case 'Masked':
        return is(schema.inner, value)
      case 'Attempt':
        return (
          t.UnknownRecord.is(value) &&
          (value['_tag'] === 'Right'
            ? is(schema.inner, value['right'])
            : value['_tag'] === 'Left' && t.UnknownArray.is(value['left']))
        )
      case 'Recursion': {
        const { target } = schema
        const run = (): boolean => is(target(), value)
        return memo === undefined ? run() : memo(target, value, run) === true
      }
      case 'Opaque':
        return schema.codec.is(value)
      default:
        return passesTest(schema, value)
    }
  }

  const isMember = (
    { key, schema, required }: S.Member,
    value: Readonly<Record<string, unknown>>,
  ): boolean => {
    const member = value[key]
    if (member === undefined && !(required && Object.hasOwn(value, key))) return !required
    return is(schema, member)
  }

  return is
}

/** Returns the member of a tagged union that the tag of a value selects. */
export const selectMember = (
  { members }: S.UnionSchema,
  { key, tests }: S.UnionTag,
  value: Readonly<Record<string, unknown>>,
): S.Schema | undefined => members[tests.findIndex((test) => passesTest(test, value[key]))]
