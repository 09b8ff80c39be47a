/** Decodes values by interpreting schemas. This takes several times as long as generated code, but collects errors. */
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { MemberPredicate } from '../structure/undeclared-members.ts'
import { isPlain, pickDeclared } from '../structure/undeclared-members.ts'
import { merge } from '../structure/merge.ts'
import { interpretEncode } from './interpret-encode.ts'
import { interpretIs } from './interpret-is.ts'
import type { RecursionMemo } from './recursion-memo.ts'
import type { Location } from './runtime.ts'
import * as Errors from './runtime.ts'
import { isObject, rejected, passesTest, rejectUndeclared } from './runtime.ts'
import * as S from '../schema/schema.ts'

/** Decodes a value. Returns `rejected` if the value is invalid. Errors are collected only if `at` is passed. */
export type SchemaDecoder<Part = S.Schema> = (
  schema: Part,
  value: unknown,
  at?: Location,
) => unknown

/** Creates a decoder. `memo` caches results for recursive codecs that contain unions or intersections (`recursion-memo.ts`). */
export const interpretDecode = (memo?: RecursionMemo<unknown>): SchemaDecoder => {
  const decode: SchemaDecoder = (schema, value, at) => {
    switch (schema._tag) {
      case 'Object':
        return decodeObject(schema, value, at)
      case 'List':
        return decodeElements(value, () => schema.element, at)
      case 'Record':
        return decodeRecord(schema, value, at)
      case 'Union':
        return decodeUnion(schema, value, at)
      case 'Tuple':
        return decodeTuple(schema, value, at)
      case 'Set': {
        const elements = decodeElements(value, () => schema.element, at)
        return t.UnknownArray.is(elements) ? arrangedSet(schema)(elements) : rejected
      }
      case 'Intersection':
        return decodeByAll(schema.members, schema.merge, value, at)
      case 'Refinement': {
        const constrains = schema.constraint !== undefined
        const inner = constrains ? Errors.insideConstraint(at, schema.inner.reported) : at
        const decoded = decode(schema.inner, value, inner)
        if (decoded === rejected || schema.holds(decoded)) return decoded
        return reject(constrains ? value : decoded, at)
      }
      case 'Default':
        return value === undefined ? schema.defaultValue : decode(schema.inner, value, at)
      case 'Attempt': {
        const context = at ? Errors.contextOf(at) : Errors.rootContext(schema.reported, value)
        const root = Errors.rootLocation(context)
        const decoded = decode(schema.inner, value, root)
        return decoded === rejected ? left(root.collector.errors) : right(decoded)
      }
      case 'Masked':
        return decode(schema.inner, value, at)
      case 'Recursion': {
        const { target } = schema
        const run = (): unknown => decode(target(), value, at)
        const isValid = (cached: unknown): boolean => cached !== rejected || Errors.isFull(at)
        return memo === undefined ? run() : memo(target, value, run, isValid)
      }
      case 'Opaque':
        return decodeBy(schema, value, at)
      default:
        return passesTest(schema, value) ? value : rejectTest(schema, value, at)
    }
  }

  /** Collects the errors for a value that does not pass a test. */
  const rejectTest: SchemaDecoder<S.Test> = (test, value, at) => {
    if (at === undefined) return rejected
    if (test._tag === 'AnyOf') return decodeByFirst(test.tests, value, at)
    if (test._tag !== 'Holding' || passesTest(test.test, value)) return reject(value, at)
    const { test: inner, constraint } = test
    return rejectTest(inner, value, constraint ? Errors.insideConstraint(at, inner.reported) : at)
  }

  /** Decodes a part of a value. The location of a leaf is created only if the leaf is rejected, because most leaves are valid. */
  const decodePart = (schema: S.Schema, key: string, value: unknown, at?: Location): unknown => {
    if (S.isTest(schema) && passesTest(schema, value)) return value
    const decoded = at === undefined || S.isLeaf(schema) ? decode(schema, value) : rejected
    if (at === undefined || decoded !== rejected) return decoded
    return decode(schema, value, Errors.childLocation(at, key, schema.reported, value))
  }

  const decodeObject: SchemaDecoder<S.ObjectSchema> = (schema, value, at) => {
    const { isVisible, merged, undeclared } = schema
    // errors refer to the individual codecs of an intersection, but a valid plain object does not need to be merged
    const isMerged =
      merged !== undefined &&
      (at !== undefined || !undeclared.areDropped || !isObject(value) || !isPlain(value))
    return isMerged
      ? decodeByAll(merged, merge, value, at)
      : decodeMembers(schema, value, at, isVisible)
  }

  const decodeRecord: SchemaDecoder<S.RecordSchema> = (schema, value, at) => {
    const { acceptsArrays, domain, isKey } = schema
    if (acceptsArrays && Array.isArray(value)) return value
    return S.isTest(domain)
      ? decodeMembers(schema, value, at, isKey)
      : decodeEntries(schema, value, at)
  }

  /** Decodes a record whose keys are decoded too. */
  const decodeEntries: SchemaDecoder<S.RecordSchema> = (schema, input, at) => {
    if (!isObject(input)) return reject(input, at)
    const { domain, codomain, isKey } = schema
    const value = pickDeclared(input, isKey)
    const entries: Array<readonly [string, unknown]> = []
    let isChanged = false
    let isRejected = false
    for (const name of Object.keys(value)) {
      const key = decode(domain, name)
      const from = value[name]
      const to = key === rejected ? from : decodePart(codomain, String(key), from, at)
      if (to === rejected && Errors.isFull(at)) return rejected
      isRejected ||= to === rejected
      isChanged ||= key !== name || to !== from
      if (key !== rejected) entries.push([String(key), to])
    }
    if (rejectUndeclared(schema, input, isKey, at) || isRejected) return rejected
    return isChanged ? Object.fromEntries(entries) : value
  }

  /** Strips undeclared members, then decodes the declared members. Returns the object itself if nothing changes. */
  const decodeMembers = (
    schema: S.ObjectSchema | S.RecordSchema,
    input: unknown,
    at: Location | undefined,
    isDeclared: MemberPredicate,
  ): unknown => {
    if (!isObject(input)) return reject(input, at)
    // for class instances, an intersection must be merged as in io-ts, which happens only while errors are collected
    if (at === undefined && !isPlain(input))
      return decode(schema, input, Errors.rootLocation(Errors.rootContext(schema.reported, input)))
    const value = pickDeclared(input, isDeclared)
    let result: Record<string, unknown> | undefined
    let isRejected = false
    for (const { key, schema: member, required } of membersOf(schema, value)) {
      // as in io-ts, a copy of the object lacks the members that the object inherits
      const current = result ?? value
      const from = current[key]
      const isMissing = from === undefined && !required
      const to = decodePart(member, key, from, isMissing ? at && Errors.ignoringErrors(at) : at)
      if (to === rejected) {
        if (!isMissing && Errors.isFull(at)) return rejected
        isRejected ||= !isMissing
      } else if (to !== from || (required && to === undefined && !Object.hasOwn(current, key))) {
        result ??= { ...value }
        result[key] = to
      }
    }
    return rejectUndeclared(schema, input, isDeclared, at) || isRejected
      ? rejected
      : (result ?? value)
  }

  /** Decodes array elements. Returns the array itself if no element changes. */
  const decodeElements = (
    value: unknown,
    schemaAt: (index: number) => S.Schema | undefined,
    at: Location | undefined,
    length?: number,
  ): unknown => {
    if (!t.UnknownArray.is(value)) return reject(value, at)
    let result: unknown[] | undefined
    let isRejected = false
    for (let index = 0; index < (length ?? value.length); index++) {
      const schema = schemaAt(index)
      if (schema === undefined) continue
      const from = value[index]
      const to = at ? decodePart(schema, `${index}`, from, at) : decode(schema, from)
      if (to === rejected) {
        if (Errors.isFull(at)) return rejected
        isRejected = true
      } else if (to !== from) {
        result ??= value.slice()
        result[index] = to
      }
    }
    return isRejected ? rejected : (result ?? value)
  }

  const decodeTuple: SchemaDecoder<S.TupleSchema> = ({ elements, rest }, input, at) => {
    const given = t.UnknownArray.is(input) ? input.length : 0
    const length = rest === undefined ? elements.length : Math.max(given, elements.length)
    const value = t.UnknownArray.is(input) && given > length ? input.slice(0, length) : input
    return decodeElements(value, (index) => elements[index] ?? rest, at, length)
  }

  /** Decodes a union. In a tagged union, the tag selects the codec, and predicates in other codecs are not called. */
  const decodeUnion: SchemaDecoder<S.UnionSchema> = ({ members, tag }, value, at) => {
    if (tag === undefined) return decodeByFirst(members, value, at)
    const isSelected = (test: S.Test): boolean =>
      isObject(value) && passesTest(test, value[tag.key])
    const index = tag.tests.findIndex(isSelected)
    const member = members[index]
    return member === undefined ? reject(value, at) : decodePart(member, `${index}`, value, at)
  }

  /** Decodes a value with the first schema that accepts it. */
  const decodeByFirst: SchemaDecoder<ReadonlyArray<S.Schema>> = (members, value, at) => {
    const discard = at && Errors.discardFrom(at)
    let decoded: unknown = rejected
    const isAccepted = Errors.validateAlternatives(at, members, (member, index) => {
      decoded = decodePart(member, `${index}`, value, at)
      return decoded !== rejected
    })
    if (isAccepted) discard?.()
    return decoded
  }

  /** Decodes a value with each member of an intersection and merges the results. */
  const decodeByAll = (
    members: ReadonlyArray<S.Schema>,
    mergeResults: S.IntersectionSchema['merge'],
    value: unknown,
    at: Location | undefined,
  ): unknown => {
    const results: unknown[] = []
    Errors.validateAlternatives(at, members, (member, index) => {
      const decoded = decodePart(member, `${index}`, value, at)
      if (decoded !== rejected) results.push(decoded)
      return decoded === rejected && Errors.isFull(at)
    })
    return results.length === members.length ? mergeResults(value, results) : rejected
  }

  return decode
}

const membersOf = (
  schema: S.ObjectSchema | S.RecordSchema,
  value: object,
): ReadonlyArray<Pick<S.Member, 'key' | 'schema' | 'required'>> =>
  schema._tag === 'Object'
    ? schema.members
    : Object.keys(value).map((key) => ({ key, schema: schema.codomain, required: true }))

/** Returns a function that creates a set of decoded values. */
export const arrangedSet =
  ({ arrange, element }: S.SetSchema) =>
  (values: ReadonlyArray<unknown>): ReadonlySet<unknown> =>
    new Set(arrange(values, (value) => encodeElement(element, value)))

const encodeElement = interpretEncode(interpretIs())

const reject = (value: unknown, at: Location | undefined): typeof rejected => {
  if (at !== undefined) Errors.addError(at, value)
  return rejected
}

/** Decodes a value by calling the `validate` function of the codec. */
const decodeBy: SchemaDecoder<S.OpaqueSchema> = ({ codec }, value, at) => {
  const context = at ? Errors.contextOf(at) : Errors.rootContext(codec, value)
  const result = codec.validate(value, context)
  if (!isLeft(result)) return result.right
  if (at !== undefined) Errors.addErrors(at, result.left)
  return rejected
}
