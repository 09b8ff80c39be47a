/** Codecs without the restrictions of their members. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { SeparatedType } from '../collection.ts'
import { EncodedType } from '../parameter/encoded.ts'
import { exact } from '../strict.ts'
import type { KnownCodec } from '../structure/known-codec.ts'
import { isKnown } from '../structure/known-codec.ts'
import { mapCodec } from '../structure/map-codec.ts'
import { XmlType } from '../structure/xml-type.ts'
import type { Visibility } from './visibility.ts'
import { restrictionsIn } from './restrictions.ts'
import { isHidden } from './visibility.ts'

/**
 * Returns the codec without views and role restrictions, to encode values outside of responses, for example for a database.
 *
 * `encode` of a codec with restricted members throws a `TypeError`, because it does not know which of them to omit.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { secureField, unrestricted } from 'espalier'
 *
 * const Member = t.type({ name: t.string, salary: secureField('payroll')(t.number) })
 * const ann = { name: 'Ann', salary: 7 }
 *
 * assert.throws(() => Member.encode(ann), TypeError)
 * assert.deepEqual(unrestricted(Member).encode(ann), { name: 'Ann', salary: 7 })
 * ```
 */
export const unrestricted = <C extends t.Mixed>(codec: C): t.Type<t.TypeOf<C>, t.OutputOf<C>> =>
  withoutRestrictions(codec)

const withoutRestrictions = (codec: Codec): Codec => mapped(codec, unrestrictedForms, remake)

const unrestrictedForms = new WeakMap<Codec, Codec>()

/** Maps a codec that has restrictions, once. Returns every other codec unchanged. */
const mapped = (
  codec: Codec,
  forms: WeakMap<Codec, Codec>,
  map: (codec: KnownCodec) => Codec,
): Codec => {
  if (!isKnown(codec) || restrictionsIn(codec).length === 0) return codec
  const known = forms.get(codec)
  if (known !== undefined) return known
  const form = map(codec)
  forms.set(codec, form)
  return form
}

const remake = (codec: KnownCodec): Codec => {
  switch (codec._tag) {
    case 'RestrictedType':
      return withoutRestrictions(codec.codec)
    case 'ExactlyType':
      return exact(withoutRestrictions(codec.codec))
    case 'XmlType':
      return new XmlType(withoutRestrictions(codec.codec), codec.mapping)
    case 'EncodedType':
      return new EncodedType(withoutRestrictions(codec.codec))
    case 'SeparatedType':
      return new SeparatedType(codec.separator, withoutRestrictions(codec.codec))
    default:
      return mapCodec(codec, { same: withoutRestrictions, inner: withoutRestrictions })
  }
}

/**
 * Returns the codec that decodes a response from which restricted members may be missing. The sender decides what to omit, so
 * members that are present are kept.
 */
export const partialViewCodec = (codec: Codec): Codec => mapped(codec, partialForms, partial)

const partialForms = new WeakMap<Codec, Codec>()

const partial = (codec: KnownCodec): Codec => {
  switch (codec._tag) {
    case 'ExactlyType':
      return exact(partialViewCodec(codec.codec))
    case 'RestrictedType':
    case 'XmlType':
    case 'EncodedType':
    case 'SeparatedType':
      return partialViewCodec(codec.codec)
    default:
      return mapCodec(codec, {
        same: partialViewCodec,
        inner: 'props' in codec ? optionalMember : partialViewCodec,
      })
  }
}

/** Hides every restricted member. */
const hideAll: Visibility = Object.freeze({ hides: () => true })

const optionalMember = (codec: Codec): Codec =>
  isHidden(codec, hideAll)
    ? t.union([partialViewCodec(codec), t.undefined], codec.name)
    : partialViewCodec(codec)
