/**
 * The public structure of codecs: what each is made of, by `_tag`. io-ts describes its codecs with tags and members; ours
 * do the same. A codec with a tag that is not known here is a leaf, and is called as it is.
 */
import type { Codec } from '../codec.ts'

/** The codecs that a codec is made of, without names: elements, members of a union, what a refinement refines. */
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

/** The one codec that another stands around, when it adds nothing to the shape of its values. */
export const wrapped = (codec: Codec): Codec | undefined =>
  wrappers.has(codec._tag ?? '') ? children(codec)[0] : undefined

/** What stands inside all wrappers. */
export const unwrap = (codec: Codec): Codec => {
  const inner = wrapped(codec)
  return inner === undefined ? codec : unwrap(inner)
}

/** The named members of an object codec; `undefined` for every other codec. */
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

/** Whether a value is a codec: by its functions, so that codecs of a second copy of io-ts count too. */
export const isCodec = (value: unknown): value is Codec =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'decode' in value &&
  'validate' in value &&
  'encode' in value &&
  'is' in value
