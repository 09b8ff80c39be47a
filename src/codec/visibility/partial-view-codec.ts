/**
 * The form of a codec for somebody who may not see everything: a member that a restriction may hide may be missing. Whoever
 * wrote the value has decided; nothing of what is there is left out.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { exact } from '../structure/exact-form.ts'
import type { KnownCodec } from '../structure/known-codec.ts'
import { isKnown } from '../structure/known-codec.ts'
import type { Projection } from './visibility.ts'
import { isHidden, restrictionsIn } from './visibility.ts'
import { rebuilt } from '../structure/map-codec.ts'

/** The form of a codec, made once; the codec itself where it has no restriction. */
export const seen = (codec: Codec): Codec => {
  if (!isKnown(codec) || restrictionsIn(codec).length === 0) return codec
  const known = made.get(codec)
  if (known !== undefined) return known
  const form = remake(codec)
  made.set(codec, form)
  return form
}

const made = new WeakMap<Codec, Codec>()

/** Hides whatever can be hidden. */
const least: Projection = Object.freeze({ hides: () => true })

const remake = (codec: KnownCodec): Codec => {
  switch (codec._tag) {
    case 'ExactlyType':
      return exact(seen(codec.codec))
    case 'RestrictedType':
    case 'XmlType':
    case 'EncodedType':
    case 'SeparatedType':
      return seen(codec.codec)
    default:
      return rebuilt(codec, { same: seen, inner: 'props' in codec ? member : seen })
  }
}

/** What stands in an object may be hidden with its name. */
const member = (codec: Codec): Codec =>
  isHidden(codec, least) ? t.union([seen(codec), t.undefined], codec.name) : seen(codec)
