/**
 * The form of a codec for JSON with every digit (`codec/json-number.ts`). It takes the same values as the codec, and gives the
 * same: what asks for a number gets the nearest double, as from `JSON.parse`. Three kinds of codecs see the digits: those of
 * numbers beyond doubles (`bigint`, `decimal`), which are numbers of JSON then, those of JSON values, and those that take
 * anything.
 *
 * @see https://jakarta.ee/specifications/jsonb/3.0/jakarta-jsonb-spec-3.0#java-lang-number-mapping
 */
import * as t from 'io-ts'
import { WithDefaultType } from './absence.ts'
import { intersection, tuple, union } from './assemble.ts'
import { AttemptType } from './attempt.ts'
import type { Codec } from './codec.ts'
import { SetType } from './collection.ts'
import { isGenuine } from './compiled/genuine.ts'
import { ConstrainedType, isConstrained } from './constraint.ts'
import { ExactlyType } from './exact.ts'
import { isExactNumber } from './exact-number.ts'
import { isJsonNumber } from './json-number.ts'
import type { KnownCodec } from './known-codec.ts'
import { holdsObjects, isKnown } from './known-codec.ts'
import { restrictionsIn } from './projection.ts'
import { RestrictedType } from './restricted.ts'

/** The form of a codec, made once; the codec itself where it has nothing to do with numbers. */
export const exactNumbers = (codec: Codec): Codec => {
  const known = made.get(codec)
  if (known !== undefined) return known
  const form = isStructure(codec) ? remake(codec) : leaf(codec)
  made.set(codec, form)
  return form
}

const made = new WeakMap<Codec, Codec>()

/**
 * A codec without objects that is not what its tag says is called as it is, as everywhere. What is restricted stays so: that of a
 * second copy of the package has functions of its own.
 */
const isStructure = (codec: Codec): codec is Codec & KnownCodec =>
  isKnown(codec) && (holdsObjects(codec) || restrictionsIn(codec).length > 0 || isGenuine(codec))

const remake = (codec: KnownCodec): Codec => {
  const { name } = codec
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
      return t.type(formsOf(codec.props), name)
    case 'PartialType':
      return t.partial(formsOf(codec.props), name)
    case 'DictionaryType':
      return t.record(codec.domain, exactNumbers(codec.codomain), name)
    case 'IntersectionType':
      return intersection(name, codec.types.map(exactNumbers))
    case 'UnionType': {
      const [first, ...others] = codec.types
      return union(name, exactNumbers(first), others.map(exactNumbers))
    }
    case 'TupleType':
      return tuple(name, codec.types.map(exactNumbers))
    case 'ArrayType':
      return t.array(exactNumbers(codec.type), name)
    case 'ReadonlyArrayType':
      return t.readonlyArray(exactNumbers(codec.type), name)
    case 'SetType':
      return new SetType(name, exactNumbers(codec.codec), codec.arrange)
    case 'ReadonlyType':
    case 'ExactType':
      return t.readonly(exactNumbers(codec.type), name)
    case 'RefinementType':
      return isConstrained(codec)
        ? new ConstrainedType(exactNumbers(codec.type), name, codec.constraint, codec.predicate)
        : t.refinement(exactNumbers(codec.type), codec.predicate, name)
    case 'RecursiveType':
      return t.recursion(name, () => exactNumbers(codec.type))
    case 'WithDefaultType':
      return new WithDefaultType(exactNumbers(codec.codec), codec.byDefault)
    case 'RestrictedType':
      return new RestrictedType(exactNumbers(codec.codec), codec.restriction)
    case 'ExactlyType':
      return new ExactlyType(exactNumbers(codec.codec))
    case 'AttemptType':
      return new AttemptType(exactNumbers(codec.codec))
    // they are about texts, and about XML
    case 'XmlType':
    case 'EncodedType':
    case 'SeparatedType':
      return exactNumbers(codec.codec)
  }
}

const formsOf = (props: Readonly<Record<string, Codec>>): Record<string, Codec> =>
  Object.fromEntries(Object.entries(props).map(([key, member]) => [key, exactNumbers(member)]))

const leaf = (codec: Codec): Codec => {
  if (isExactNumber(codec)) return codec.asNumber
  if (keep.has(codec._tag ?? '') || isTextual(codec)) return codec
  return codec._tag === 'AnyDictionaryType' ? noNumber(codec) : rounded(codec)
}

/** Those that see the digits, and those that know no numbers. */
const keep: ReadonlySet<string> = new Set([
  'JsonType',
  'UnknownType',
  'AnyType',
  'AnyArrayType',
  'StringType',
  'BooleanType',
  'NullType',
  'UndefinedType',
  'VoidType',
  'KeyofType',
])

/** Whether a codec is of values one by one, no number among them; the tags of unions are such codecs, and have to stay. */
const isTextual = (codec: Codec): boolean =>
  (codec._tag === 'LiteralType' && 'value' in codec && typeof codec.value !== 'number') ||
  (codec._tag === 'EnumType' &&
    'values' in codec &&
    t.UnknownArray.is(codec.values) &&
    codec.values.every((value) => typeof value !== 'number'))

/** A number is an object where its digits are kept, and no record. */
const noNumber = (codec: Codec): Codec =>
  new t.Type<unknown, unknown>(
    codec.name,
    codec.is,
    (value, context) =>
      isJsonNumber(value) ? t.failure(value, context) : codec.validate(value, context),
    codec.encode,
  )

/** The same codec, which is given doubles; of a number beyond those that there are, it is not asked. */
const rounded = (codec: Codec): Codec =>
  new t.Type<unknown, unknown>(
    codec.name,
    codec.is,
    (value, context) => {
      const near = nearest(value)
      return near === beyond ? t.failure(value, context) : codec.validate(near, context)
    },
    codec.encode,
  )

const beyond: unique symbol = Symbol('beyond')

/** A value with the nearest doubles; the value itself where there is nothing to round. */
const nearest = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (isJsonNumber(value)) {
    const double = Number(value)
    return Number.isFinite(double) ? double : beyond
  }
  if (t.UnknownArray.is(value)) {
    const elements = value.map(nearest)
    if (elements.includes(beyond)) return beyond
    return elements.every((element, at) => element === value[at]) ? value : elements
  }
  const members = Object.entries(value).map(([key, member]) => [key, nearest(member)] as const)
  if (members.some(([, member]) => member === beyond)) return beyond
  const changed = members.filter(([key, member]) => Reflect.get(value, key) !== member)
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}
