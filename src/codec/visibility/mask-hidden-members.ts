/**
 * Codecs that take members which they do not name, where others that describe the same value hide some of them: a record
 * beside an object in an intersection.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { ownNames } from '../structure/undeclared-members.ts'
import { declaredAt } from '../structure/declared-members.ts'
import type { Projection } from './visibility.ts'
import { restrictionsIn } from './restrictions.ts'
import { hidesMember } from './visibility.ts'
import { isCodec } from '../structure/codec-structure.ts'

/** The codec, which writes nothing that the others hide; the codec itself where they hide nothing. */
export const masked = (
  codec: Codec,
  others: ReadonlyArray<Codec>,
  projection: Projection,
): Codec => {
  const hiding = others.filter((one) => restrictionsIn(one).length > 0)
  // what takes nothing with members has none to hide
  if (hiding.length === 0 || declaredAt()(codec).length === 0) return codec
  return encodingTo(codec, (value) => mask(hiding, projection)(codec.encode(value)))
}

/** A codec that decodes as another one and encodes differently. */
export interface DecodingAs {
  readonly decodesAs: Codec
}

/** Replaces the `encode` function of a codec. */
export const encodingTo = (
  codec: Codec,
  encode: (value: unknown) => unknown,
): Codec & DecodingAs => {
  const { name, is, validate } = codec
  return Object.assign(new t.Type<unknown>(name, is, validate, encode), { decodesAs: codec })
}

/** Whether a codec was made by {@link encodingTo} and not altered since. */
export const isDecodingAs = (codec: Codec): codec is Codec & DecodingAs =>
  'decodesAs' in codec && isCodec(codec.decodesAs) && codec.validate === codec.decodesAs.validate

/** What was written, without the members that codecs hide at any depth. */
const mask =
  (codecs: ReadonlyArray<Codec>, projection: Projection) =>
  (value: unknown): unknown => {
    if (codecs.length === 0) return value
    if (t.UnknownArray.is(value)) {
      const elements = mask(codecs.flatMap(declaredAt()), projection)
      return value.map(elements)
    }
    if (!t.UnknownRecord.is(value)) return value
    const isHidden = hidesMember(codecs, projection)
    return Object.fromEntries(
      ownNames(value)
        .filter((key) => !isHidden(key))
        .map((key) => [key, mask(codecs.flatMap(declaredAt(key)), projection)(value[key])]),
    )
  }
