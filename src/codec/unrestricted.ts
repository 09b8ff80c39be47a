/** Removes restrictions on members from codecs. */
import type * as t from 'io-ts'
import { annotate, isAnnotated } from './annotated.ts'
import type { Codec } from './codec.ts'
import { SeparatedType } from './structure/collection-types.ts'
import { CombinedType, EncodedType } from './structure/parameter-codecs.ts'
import { strict } from './strict.ts'
import type { KnownCodec } from './structure/known-codec.ts'
import { isKnown, XmlType } from './structure/known-codec.ts'
import { mapCodec } from './structure/combine.ts'
import { restrictionsIn } from './visibility/restrictions.ts'

/**
 * Returns a codec without view or role restrictions. Use it to encode values outside of responses, for example, to store them
 * in a database.
 *
 * The `encode` function of a codec with restricted members throws a `TypeError`, because it cannot determine which members to
 * omit.
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

const withoutRestrictions = (codec: Codec): Codec => {
  if (!isKnown(codec) || restrictionsIn(codec).length === 0) return codec
  const cached = unrestrictedForms.get(codec)
  if (cached !== undefined) return cached
  const form = rebuild(codec)
  unrestrictedForms.set(codec, form)
  return form
}

const unrestrictedForms = new WeakMap<Codec, Codec>()

const rebuild = (codec: KnownCodec): Codec => {
  if (isAnnotated(codec))
    return annotate(codec.annotations)(withoutRestrictions(codec.annotatedCodec))
  switch (codec._tag) {
    case 'RestrictedType':
      return withoutRestrictions(codec.codec)
    case 'ExactlyType':
      return strict(withoutRestrictions(codec.codec))
    case 'XmlType':
      return new XmlType(withoutRestrictions(codec.codec), codec.mapping)
    case 'EncodedType':
      return new EncodedType(withoutRestrictions(codec.codec))
    case 'CombinedType':
      return new CombinedType(withoutRestrictions(codec.codec))
    case 'SeparatedType':
      return new SeparatedType(codec.separator, withoutRestrictions(codec.codec))
    default:
      return mapCodec(codec, { same: withoutRestrictions, inner: withoutRestrictions })
  }
}
