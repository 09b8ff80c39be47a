/**
 * Codecs for lossless JSON (`json-number.ts`).
 *
 * A lossless codec accepts and returns the same values as the original. Codecs of numbers receive the nearest double, as from
 * `JSON.parse`. All digits are visible to `bigint` and `decimal`, which are then JSON numbers, to codecs of JSON values, and
 * to codecs that accept anything.
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

/** Returns the lossless form of a codec, or the codec itself if it accepts no numbers. Forms are cached. */
export const losslessCodec = (codec: Codec): Codec => {
  const known = knownForms.get(codec)
  if (known !== undefined) return known
  const form = isStructure(codec) ? rebuild(codec) : leafForm(codec)
  knownForms.set(codec, form)
  return form
}

const knownForms = new WeakMap<Codec, Codec>()

/**
 * Whether a codec can be rebuilt from its structure. Codecs without objects whose functions were replaced are called
 * unchanged. Restrictions are kept, also those of a second copy of the package.
 */
const isStructure = (codec: Codec): codec is Codec & KnownCodec =>
  isKnown(codec) && (containsObjects(codec) || restrictionsIn(codec).length > 0 || isGenuine(codec))

const rebuild = (codec: KnownCodec): Codec => {
  switch (codec._tag) {
    case 'RestrictedType':
      return new RestrictedType(losslessCodec(codec.codec), codec.restriction)
    case 'ExactlyType':
      return new ExactlyType(losslessCodec(codec.codec))
    // these codecs affect only text and XML
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

/** Codecs that accept all digits, and codecs that accept no numbers. */
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

/** Whether a codec is a set of literals without numbers. The tags of unions are such codecs and must not change. */
const isTextual = (codec: Codec): boolean =>
  (codec._tag === 'LiteralType' && 'value' in codec && typeof codec.value !== 'number') ||
  (codec._tag === 'EnumType' &&
    'values' in codec &&
    t.UnknownArray.is(codec.values) &&
    codec.values.every((value) => typeof value !== 'number'))

/** Rejects a `JsonNumber`, which is an object but not a record. */
const rejectNumber = (codec: Codec): Codec =>
  new t.Type<unknown, unknown>(
    codec.name,
    codec.is,
    (value, context) =>
      isJsonNumber(value) ? t.failure(value, context) : codec.validate(value, context),
    codec.encode,
  )

/** Passes rounded numbers to the codec. Numbers beyond the range of doubles are validation errors. */
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

/** Replaces each `JsonNumber` with the nearest double. Returns the value itself if there is none. */
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
