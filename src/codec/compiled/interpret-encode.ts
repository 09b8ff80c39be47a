/** Encodes values by interpreting schemas. */
import * as t from 'io-ts'
import { merge } from '../structure/merge.ts'
import { pick, pickDeclared } from '../structure/undeclared-members.ts'
import * as S from '../schema/schema.ts'
import type { SchemaGuard } from './interpret-is.ts'
import { selectMember } from './interpret-is.ts'
import type { RecursionMemo } from './recursion-memo.ts'

export type SchemaEncoder<Part = S.Schema> = (schema: Part, value: unknown) => unknown

/** Creates an encoder. `is` selects the members of unions. `memo` is as for decoders. */
export const interpretEncode = (is: SchemaGuard, memo?: RecursionMemo<unknown>): SchemaEncoder => {
  const encode: SchemaEncoder = (schema, value) => {
    if (S.isTest(schema) || S.encodesByIdentity(schema)) return value
    switch (schema._tag) {
      case 'Object':
        return encodeObject(schema, value)
      case 'Record':
        return encodeRecord(schema, value)
      case 'List':
        return elementsOf(schema, value).map((element) => encode(schema.element, element))
      case 'Set':
        if (!isIterable(value)) throw invalidValue(schema)
        return Array.from(value, (element) => encode(schema.element, element))
      case 'Tuple': {
        const { elements, rest } = schema
        if (rest === undefined) {
          const from = membersOf(schema, value)
          return elements.map((element, index) => encode(element, from[index]))
        }
        return elementsOf(schema, value).map((element, index) =>
          encode(elements[index] ?? rest, element),
        )
      }
      case 'Union': {
        const { members, tag } = schema
        const selected =
          tag === undefined
            ? members.find((member) => is(member, value))
            : selectMember(schema, tag, membersOf(schema, value))
        if (selected === undefined) throw invalidValue(schema)
        return encode(selected, value)
      }
      case 'Intersection':
        return schema.encodedBy === undefined
          ? schema.merge(value, encodeByEach(schema.members, value))
          : schema.encodedBy.encode(value)
      case 'Refinement':
      case 'Default':
        return encode(schema.inner, value)
      case 'Masked':
        return schema.mask(encode(schema.inner, value))
      case 'Attempt':
        return encodeAttempt(schema, value)
      case 'Recursion': {
        const { target } = schema
        const run = (): unknown => encode(target(), value)
        return memo === undefined ? run() : memo(target, value, run)
      }
      case 'Opaque':
        return schema.encodes === undefined
          ? schema.codec.encode(value)
          : encode(schema.encodes, value)
    }
  }

  const encodeByEach = (members: ReadonlyArray<S.Schema>, value: unknown): ReadonlyArray<unknown> =>
    members.map((member) => encode(member, value))

  const encodeAttempt: SchemaEncoder<S.AttemptSchema> = (schema, value) => {
    const { _tag, right } = membersOf(schema, value)
    return _tag === 'Right' ? encode(schema.inner, right) : undefined
  }

  const encodeObject: SchemaEncoder<S.ObjectSchema> = (schema, value) => {
    if (schema.merged !== undefined) return merge(value, encodeByEach(schema.merged, value))
    const visible = withoutUndeclared(schema, value)
    if (schema.changed.length === 0) return visible
    const from = membersOf(schema, visible)
    const encoded: Record<string, unknown> = { ...from }
    for (const { key, schema: member, required } of schema.changed)
      if (required || from[key] !== undefined) encoded[key] = encode(member, from[key])
    return encoded
  }

  const encodeRecord: SchemaEncoder<S.RecordSchema> = (schema, value) => {
    const { domain, codomain, isKey } = schema
    const declared = t.UnknownRecord.is(value) ? pickDeclared(value, isKey) : value
    const from = membersOf(schema, declared)
    const names = Object.keys(from)
    const keys = names.filter((name) => is(domain, name))
    const isUnchanged = S.encodesByIdentity(domain) && S.encodesByIdentity(codomain)
    if (isUnchanged && keys.length === names.length) return declared
    return Object.fromEntries(
      keys.map((key) => [String(encode(domain, key)), encode(codomain, from[key])]),
    )
  }

  return encode
}

/**
 * Removes undeclared and hidden members. If members can be hidden, class instances are copied to plain objects, because a `toJSON` method
 * could expose hidden members.
 */
const withoutUndeclared = (schema: S.ObjectSchema, value: unknown): unknown => {
  const hides = S.hidesAny(schema)
  if (t.UnknownRecord.is(value)) return (hides ? pick : pickDeclared)(value, schema.isVisible)
  if (hides && typeof value === 'object' && value !== null) throw invalidValue(schema)
  return value
}

const membersOf = (schema: S.Schema, value: unknown): Readonly<Record<string, unknown>> => {
  if (value === null || value === undefined) throw invalidValue(schema)
  return Object(value)
}

const elementsOf = (schema: S.Schema, value: unknown): ReadonlyArray<unknown> => {
  if (t.UnknownArray.is(value)) return value
  throw invalidValue(schema)
}

const invalidValue = ({ reported }: S.Schema): TypeError =>
  new TypeError(`invalid value: expected ${reported.name}`)

const isIterable = (value: unknown): value is Iterable<unknown> =>
  value !== null && value !== undefined && Symbol.iterator in Object(value)
