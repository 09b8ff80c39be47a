/**
 * The form of a codec for JSON with every digit (`codec/json-number.ts`). It takes the same values as the codec, and gives the
 * same: what asks for a number gets the nearest double, as from `JSON.parse`. Three kinds of codecs see the digits: those of
 * numbers beyond doubles (`bigint`, `decimal`), which are numbers of JSON then, those of JSON values, and those that take
 * anything.
 *
 * @see https://jakarta.ee/specifications/jsonb/3.0/jakarta-jsonb-spec-3.0#java-lang-number-mapping
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isGenuine } from '../structure/genuine.ts'
import { ExactlyType } from '../strict.ts'
import { isLosslessNumber } from './lossless-number.ts'
import { isJsonNumber } from './json-number.ts'
import type { KnownCodec } from '../structure/known-codec.ts'
import { containsObjects, isKnown } from '../structure/known-codec.ts'
import { restrictionsIn } from '../visibility/restrictions.ts'
import { mapCodec } from '../structure/map-codec.ts'
import { RestrictedType } from '../visibility/restricted-member.ts'

/** The form of a codec, made once; the codec itself where it has nothing to do with numbers. */
export const losslessCodec = (codec: Codec): Codec => {
  const known = knownForms.get(codec)
  if (known !== undefined) return known
  const form = isStructure(codec) ? rebuild(codec) : leafForm(codec)
  knownForms.set(codec, form)
  return form
}

const knownForms = new WeakMap<Codec, Codec>()

/**
 * A codec without objects that is not what its tag says is called as it is, as everywhere. What is restricted stays so: that of a
 * second copy of the package has functions of its own.
 */
const isStructure = (codec: Codec): codec is Codec & KnownCodec =>
  isKnown(codec) && (containsObjects(codec) || restrictionsIn(codec).length > 0 || isGenuine(codec))

const rebuild = (codec: KnownCodec): Codec => {
  switch (codec._tag) {
    case 'RestrictedType':
      return new RestrictedType(losslessCodec(codec.codec), codec.restriction)
    case 'ExactlyType':
      return new ExactlyType(losslessCodec(codec.codec))
    // they are about texts, and about XML
    case 'XmlType':
    case 'EncodedType':
    case 'SeparatedType':
      return losslessCodec(codec.codec)
    default:
      return mapCodec(codec, { same: losslessCodec, inner: losslessCodec })
  }
}

const leafForm = (codec: Codec): Codec => {
  if (isLosslessNumber(codec)) return codec.asNumber
  if (unchanged.has(codec._tag ?? '') || isTextual(codec)) return codec
  return codec._tag === 'AnyDictionaryType' ? rejectNumber(codec) : withRounding(codec)
}

/** Those that see the digits, and those that know no numbers. */
const unchanged: ReadonlySet<string> = new Set([
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
const rejectNumber = (codec: Codec): Codec =>
  new t.Type<unknown, unknown>(
    codec.name,
    codec.is,
    (value, context) =>
      isJsonNumber(value) ? t.failure(value, context) : codec.validate(value, context),
    codec.encode,
  )

/** The same codec, which is given doubles; of a number beyond those that there are, it is not asked. */
const withRounding = (codec: Codec): Codec =>
  new t.Type<unknown, unknown>(
    codec.name,
    codec.is,
    (value, context) => {
      const near = roundNumbers(value)
      return near === outOfRange ? t.failure(value, context) : codec.validate(near, context)
    },
    codec.encode,
  )

const outOfRange: unique symbol = Symbol('beyond')

/** A value with the nearest doubles; the value itself where there is nothing to round. */
const roundNumbers = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (isJsonNumber(value)) {
    const double = Number(value)
    return Number.isFinite(double) ? double : outOfRange
  }
  if (t.UnknownArray.is(value)) {
    const elements = value.map(roundNumbers)
    if (elements.includes(outOfRange)) return outOfRange
    return elements.every((element, at) => element === value[at]) ? value : elements
  }
  const members = Object.entries(value).map(([key, member]) => [key, roundNumbers(member)] as const)
  if (members.some(([, member]) => member === outOfRange)) return outOfRange
  const changed = members.filter(([key, member]) => Reflect.get(value, key) !== member)
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}
