/** Omits hidden members from codecs that accept undeclared members, such as a record in an intersection with an object. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { ownNames } from '../structure/undeclared-members.ts'
import { declaredCodecs } from '../structure/declared-members.ts'
import type { Visibility } from './visibility.ts'
import { restrictionsIn } from './restrictions.ts'
import { hidesMember } from './visibility.ts'
import { isCodec } from '../structure/codec-structure.ts'

/** Returns a codec that omits the members that `others` hide. Returns the codec itself if they hide none. */
export const maskHiddenMembers = (
  codec: Codec,
  others: ReadonlyArray<Codec>,
  visibility: Visibility,
): Codec => {
  const hiding = others.filter((one) => restrictionsIn(one).length > 0)
  // a codec whose values have no members cannot write a hidden one
  if (hiding.length === 0 || declaredCodecs()(codec).length === 0) return codec
  return withEncode(codec, (value) => mask(hiding, visibility)(codec.encode(value)))
}

/** A codec that decodes like another codec but encodes differently. */
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

/** Whether a codec was created by {@link withEncode} and still has its `validate` function. */
export const hasSameDecoding = (codec: Codec): codec is Codec & SameDecoding =>
  'decodesAs' in codec && isCodec(codec.decodesAs) && codec.validate === codec.decodesAs.validate

/** Removes the members that the codecs hide from an encoded value, at any depth. */
const mask =
  (codecs: ReadonlyArray<Codec>, visibility: Visibility) =>
  (value: unknown): unknown => {
    if (codecs.length === 0) return value
    if (t.UnknownArray.is(value)) {
      const elements = mask(codecs.flatMap(declaredCodecs()), visibility)
      return value.map(elements)
    }
    if (!t.UnknownRecord.is(value)) return value
    const isHidden = hidesMember(codecs, visibility)
    return Object.fromEntries(
      ownNames(value)
        .filter((key) => !isHidden(key))
        .map((key) => [key, mask(codecs.flatMap(declaredCodecs(key)), visibility)(value[key])]),
    )
  }
