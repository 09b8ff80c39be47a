/**
 * Combines any number of codecs into unions, tuples and intersections, and replaces the component codecs of a codec.
 *
 * The corresponding io-ts functions require tuple types. Intersections use {@link merge} to combine results.
 */
import * as t from 'io-ts'
import { map } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Codec } from '../codec.ts'
import { WithDefaultType } from '../optional.ts'
import { AttemptType, SegmentsType } from './parameter-codecs.ts'
import {
  isRestTuple,
  RestTupleType,
  SetType,
  validateEach,
  withoutTrailingUndefined,
} from './collection-types.ts'
import { ConstrainedType, isConstrained } from '../constraint.ts'
import type { KnownCodec } from './known-codec.ts'
import { isPlain } from './undeclared-members.ts'
import { isPlainObject } from '../../http/platform-value.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Merges the results returned by several codecs for the value `base`. Object members are combined in the order of `base`.
 * Arrays of equal length are merged element by element. In all other cases, the last result that differs from `base` is used,
 * as in io-ts. A copy of `base` does not differ from it, because whether a codec copies unchanged values depends on its form.
 *
 * ```text
 * base             parts                      result
 * { b: 2, a: '1' } { a: 1 }, { b: 2 }         { b: 2, a: 1 }
 * [{ a: 1, b: 2 }] [{ a: 1 }], [{ b: 2 }]     [{ a: 1, b: 2 }]
 * '1'              1, '1'                     1
 * ```
 */
export const merge = (base: unknown, parts: ReadonlyArray<unknown>): unknown => {
  const [first] = parts
  if (parts.every((part) => Object.is(part, first))) return first
  const objects = parts.filter(isMergeable(base))
  if (objects.length === parts.length) return mergeMembers(base, objects)
  const arrays = parts.filter(t.UnknownArray.is)
  return arrays.length === parts.length &&
    arrays.every(({ length }) => length === arrays[0]?.length)
    ? mergeElements(base, arrays)
    : parts.findLast((part) => !isUnchanged(part, base))
}

/** Whether a result is the value `base`, or a copy of it. Plain objects and arrays are compared by their contents. */
const isUnchanged = (part: unknown, base: unknown): boolean => {
  if (Object.is(part, base)) return true
  if (t.UnknownArray.is(part))
    return (
      t.UnknownArray.is(base) &&
      part.length === base.length &&
      part.every((element, index) => isUnchanged(element, base[index]))
    )
  if (!t.UnknownRecord.is(part) || !t.UnknownRecord.is(base) || !isPlain(part)) return false
  const names = Object.keys(part)
  return (
    names.length === Object.keys(base).length &&
    names.every((name) => Object.hasOwn(base, name) && isUnchanged(part[name], base[name]))
  )
}

/** Whether a result is a plain object or the unchanged base value. An unchanged base value can be a class instance. */
const isMergeable =
  (base: unknown) =>
  (part: unknown): part is Members =>
    t.UnknownRecord.is(part) && (part === base || isPlainObject(part))

const mergeMembers = (base: unknown, parts: ReadonlyArray<Members>): Members => {
  const before = t.UnknownRecord.is(base) ? base : {}
  const names = new Set([before, ...parts].flatMap(Object.getOwnPropertyNames))
  // `Object.fromEntries` defines members, because assigning to `__proto__` would change the prototype
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const owners = parts.filter((part) => Object.hasOwn(part, name))
      const values = owners.map((owner) => owner[name])
      return values.length === 0 ? [] : [[name, merge(before[name], values)]]
    }),
  )
}

const mergeElements = (
  base: unknown,
  [first = [], ...others]: ReadonlyArray<ReadonlyArray<unknown>>,
): ReadonlyArray<unknown> => {
  const before = t.UnknownArray.is(base) ? base : []
  return first.map((element, index) =>
    merge(before[index], [element, ...others.map((other) => other[index])]),
  )
}

/** Creates a union codec. Returns the first codec if `others` is empty. */
export const union = (name: string, first: Codec, others: ReadonlyArray<Codec>): Codec => {
  const [second, ...rest] = others
  return second === undefined ? first : t.union([first, second, ...rest], name)
}

export const tuple = (name: string, codecs: ReadonlyArray<Codec>): Codec =>
  new t.TupleType(
    name,
    (value): value is ReadonlyArray<unknown> =>
      t.UnknownArray.is(value) &&
      value.length === codecs.length &&
      codecs.every((codec, index) => codec.is(value[index])),
    (value, context) =>
      t.UnknownArray.is(value)
        ? pipe(
            validateEach(codecs, (index) => value[index], context),
            map((elements) => withoutTrailingUndefined(elements, value.length)),
          )
        : t.failure(value, context),
    (values) => codecs.map((codec, index): unknown => codec.encode(values[index])),
    [...codecs],
  )

export const intersection = (name: string, codecs: ReadonlyArray<Codec>): Codec =>
  new t.IntersectionType(
    name,
    (value): value is unknown => codecs.every((codec) => codec.is(value)),
    (value, context) =>
      pipe(
        validateEach(codecs, () => value, context),
        map((parts) => merge(value, parts)),
      ),
    (value: unknown) =>
      merge(
        value,
        codecs.map((codec): unknown => codec.encode(value)),
      ),
    [...codecs],
  )

/** The functions that {@link mapCodec} applies to the component codecs of a codec. */
export interface CodecMapping {
  /** Returns the replacement for a component that describes the same value as the containing codec, such as a union member. */
  readonly same: (codec: Codec) => Codec
  /** Returns the replacement for a component that describes an object member or a collection element. */
  readonly inner: (codec: Codec) => Codec
}

/** Wrappers that {@link mapCodec} does not support. Callers handle them separately. */
type Wrapper = Extract<
  KnownCodec,
  {
    readonly _tag:
      | 'RestrictedType'
      | 'ExactlyType'
      | 'XmlType'
      | 'EncodedType'
      | 'CombinedType'
      | 'SeparatedType'
  }
>

/** Returns a copy of a codec in which the component codecs are replaced. The structure and the name stay the same. */
export const mapCodec = (
  codec: Exclude<KnownCodec, Wrapper>,
  { same, inner }: CodecMapping,
): Codec => {
  const { name } = codec
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
      return t.type(mapMembers(codec.props, inner), name)
    case 'PartialType':
      return t.partial(mapMembers(codec.props, inner), name)
    case 'DictionaryType':
      return t.record(codec.domain, inner(codec.codomain), name)
    case 'IntersectionType':
      return intersection(name, codec.types.map(same))
    case 'UnionType': {
      const [first, ...others] = codec.types
      return union(name, same(first), others.map(same))
    }
    case 'TupleType':
      return tuple(name, codec.types.map(inner))
    case 'ArrayType':
      return t.array(inner(codec.type), name)
    case 'ReadonlyArrayType':
      return t.readonlyArray(inner(codec.type), name)
    case 'SetType':
      return new SetType(name, inner(codec.codec), codec.arrange)
    case 'SegmentsType':
      return new SegmentsType(inner(codec.codec))
    case 'ReadonlyType':
    case 'ExactType':
      return t.readonly(same(codec.type), name)
    case 'RefinementType':
      if (isRestTuple(codec)) {
        const [first, ...others] = codec.elements
        return new RestTupleType([inner(first), ...others.map(inner)], inner(codec.rest))
      }
      return isConstrained(codec)
        ? new ConstrainedType(same(codec.type), name, codec.constraint, codec.predicate)
        : t.refinement(same(codec.type), codec.predicate, name)
    case 'RecursiveType':
      return t.recursion(name, () => same(codec.type))
    case 'WithDefaultType':
      return new WithDefaultType(same(codec.codec), codec.defaultValue)
    case 'AttemptType':
      return new AttemptType(same(codec.codec))
  }
}

const mapMembers = (
  props: Readonly<Record<string, Codec>>,
  inner: CodecMapping['inner'],
): Record<string, Codec> =>
  Object.fromEntries(Object.entries(props).map(([key, member]) => [key, inner(member)]))
