/**
 * Codecs that take members which they do not name, where others that describe the same value hide some of them: a record
 * beside an object in an intersection.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { ownNames } from '../structure/undeclared-members.ts'
import { declaredCodecs } from '../structure/declared-members.ts'
import type { Visibility } from './visibility.ts'
import { restrictionsIn } from './restrictions.ts'
import { hidesMember } from './visibility.ts'
import { isCodec } from '../structure/codec-structure.ts'

/** The codec, which writes nothing that the others hide; the codec itself where they hide nothing. */
export const maskHiddenMembers = (
  codec: Codec,
  others: ReadonlyArray<Codec>,
  projection: Visibility,
): Codec => {
  const hiding = others.filter((one) => restrictionsIn(one).length > 0)
  // what takes nothing with members has none to hide
  if (hiding.length === 0 || declaredCodecs()(codec).length === 0) return codec
  return withEncode(codec, (value) => mask(hiding, projection)(codec.encode(value)))
}

/** A codec that decodes as another one and encodes differently. */
export interface SameDecoding {
  readonly decodesAs: Codec
}

/** Replaces the `encode` function of a codec. */
export const withEncode = (
  codec: Codec,
  encode: (value: unknown) => unknown,
): Codec & SameDecoding => {
  const { name, is, validate } = codec
  return Object.assign(new t.Type<unknown>(name, is, validate, encode), { decodesAs: codec })
}

/** Whether a codec was made by {@link withEncode} and not altered since. */
export const hasSameDecoding = (codec: Codec): codec is Codec & SameDecoding =>
  'decodesAs' in codec && isCodec(codec.decodesAs) && codec.validate === codec.decodesAs.validate

/** What was written, without the members that codecs hide at any depth. */
const mask =
  (codecs: ReadonlyArray<Codec>, projection: Visibility) =>
  (value: unknown): unknown => {
    if (codecs.length === 0) return value
    if (t.UnknownArray.is(value)) {
      const elements = mask(codecs.flatMap(declaredCodecs()), projection)
      return value.map(elements)
    }
    if (!t.UnknownRecord.is(value)) return value
    const isHidden = hidesMember(codecs, projection)
    return Object.fromEntries(
      ownNames(value)
        .filter((key) => !isHidden(key))
        .map((key) => [key, mask(codecs.flatMap(declaredCodecs(key)), projection)(value[key])]),
    )
  }
