/**
 * Reads the structure of codecs.
 *
 * io-ts codecs and those of this package describe themselves with a `_tag` and members. A codec with an unknown tag has no
 * structure.
 */
import type { Codec } from '../codec.ts'

/** Returns the codecs that a codec wraps or combines: elements, union members, or the codec that a refinement refines. */
export const children = (codec: Codec): ReadonlyArray<Codec> => {
  if (hasTypes(codec)) return codec.types
  if (hasType(codec)) return [codec.type]
  if (hasCodec(codec)) return [codec.codec]
  return []
}

const wrappers = new Set([
  'AttemptType',
  'EncodedType',
  'ExactlyType',
  'SeparatedType',
  'WithDefaultType',
  'XmlType',
  'RefinementType',
  'ReadonlyType',
  'ExactType',
  'RecursiveType',
  'RestrictedType',
])

/** Returns the codec inside a wrapper, which does not change the structure of the values. */
export const wrapped = (codec: Codec): Codec | undefined =>
  wrappers.has(codec._tag ?? '') ? children(codec)[0] : undefined

/** Removes all wrappers. */
export const unwrap = (codec: Codec): Codec => {
  const inner = wrapped(codec)
  return inner === undefined ? codec : unwrap(inner)
}

/** Returns the members of an object codec, or `undefined` for other codecs. */
export const members = (codec: Codec): Readonly<Record<string, Codec>> | undefined =>
  hasProps(codec) ? codec.props : undefined

const hasTypes = (codec: Codec): codec is Codec & { readonly types: ReadonlyArray<Codec> } =>
  'types' in codec && Array.isArray(codec.types)

const hasType = (codec: Codec): codec is Codec & { readonly type: Codec } =>
  'type' in codec && isCodec(codec.type)

const hasCodec = (codec: Codec): codec is Codec & { readonly codec: Codec } =>
  'codec' in codec && isCodec(codec.codec)

const hasProps = (
  codec: Codec,
): codec is Codec & { readonly props: Readonly<Record<string, Codec>> } =>
  'props' in codec && typeof codec.props === 'object' && codec.props !== null

/** Whether a value is a codec. Checks its functions, because codecs of a second copy of io-ts count too. */
export const isCodec = (value: unknown): value is Codec =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'decode' in value &&
  'validate' in value &&
  'encode' in value &&
  'is' in value
