/**
 * Exact forms: codecs that strip or reject undeclared members at any depth, while decoding and encoding.
 *
 * An exact form is rebuilt from the structure of a codec (`codec-structure.ts`), so its errors have the same keys and types as
 * those of io-ts. Opaque codecs are called unchanged. Each member of an intersection keeps its declared members, and the
 * results are merged (`merge.ts`).
 */
import * as t from 'io-ts'
import { intersection, union } from './combine.ts'
import type { Codec } from '../codec.ts'
import { SeparatedType } from '../collection.ts'
import type { UndeclaredPolicy, MemberPredicate, Undeclared } from './undeclared-members.ts'
import { stripUndeclared, encodeVisible } from './undeclared-members.ts'
import { declaredCodecs, isMemberOf, isRecordKey } from './declared-members.ts'
import { EncodedType } from '../parameter/encoded.ts'
import type { KnownCodec } from './known-codec.ts'
import { containsObjects, isKnown } from './known-codec.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { restrictionsIn } from '../visibility/restrictions.ts'
import { hidesMember, isHidden, fullVisibility } from '../visibility/visibility.ts'
import { mapCodec } from './map-codec.ts'
import { isGenuine } from './genuine.ts'
import { withEncode, maskHiddenMembers } from '../visibility/mask-hidden-members.ts'

/**
 * Returns the exact form of a codec, or the codec itself if it contains neither objects nor restrictions. Forms are cached.
 *
 * Each rejected member is a separate error whose context ends with its key. In an intersection, each codec reports it. Records
 * declare the keys of their domain; `t.UnknownRecord` and `t.unknown` accept every member. A union uses the first codec that
 * accepts the value.
 *
 * Hidden members are neither written nor read, as if a request did not contain them.
 */
export const exactForm = (
  codec: Codec,
  undeclared: Undeclared,
  visibility: Visibility = fullVisibility,
): Codec => {
  const forms = formsOf(undeclared, visibility)
  const known = forms.get(codec)
  if (known !== undefined) return known
  const form = makeForm(codec, { undeclared, visibility, siblings: [], alternatives: [] })
  forms.set(codec, form)
  return form
}

const formsOf = (undeclared: Undeclared, visibility: Visibility): WeakMap<Codec, Codec> => {
  if (visibility === fullVisibility) return fullForms[undeclared]
  const known = visibleForms[undeclared].get(visibility) ?? new WeakMap<Codec, Codec>()
  visibleForms[undeclared].set(visibility, known)
  return known
}

const fullForms: Readonly<Record<Undeclared, WeakMap<Codec, Codec>>> = {
  drop: new WeakMap(),
  reject: new WeakMap(),
}

const visibleForms: Readonly<Record<Undeclared, WeakMap<Visibility, WeakMap<Codec, Codec>>>> = {
  drop: new WeakMap(),
  reject: new WeakMap(),
}

/** The position of a codec within other codecs. */
interface FormContext {
  readonly undeclared: Undeclared
  readonly visibility: Visibility
  /** The other members of the enclosing intersection. A member that one of them declares is not rejected. */
  readonly siblings: ReadonlyArray<Codec>
  /** The other members of an untagged union. A member that one of them hides is hidden. */
  readonly alternatives: ReadonlyArray<Codec>
}

const memberContext = (
  { undeclared, visibility, siblings, alternatives }: FormContext,
  name?: string,
): FormContext => ({
  undeclared,
  visibility,
  siblings: distinct(siblings.flatMap(declaredCodecs(name))),
  alternatives: distinct(alternatives.flatMap(declaredCodecs(name))),
})

const distinct = (codecs: ReadonlyArray<Codec>): ReadonlyArray<Codec> =>
  codecs.length === 0 ? codecs : [...new Set(codecs)]

const isRejectedIn =
  (position: FormContext) =>
  (name: string): boolean =>
    position.undeclared === 'reject' && memberContext(position, name).siblings.length === 0

/** Returns the cached form for a position. Recursive codecs reach the same position again. */
const formAt = (codec: Codec, position: FormContext): Codec => {
  if (position.siblings.length === 0 && position.alternatives.length === 0)
    return exactForm(codec, position.undeclared, position.visibility)
  const known = formsInContext.get(codec) ?? []
  const before = known.find(({ at }) => isSameContext(at, position))
  if (before !== undefined) return before.form
  const form = makeForm(codec, position)
  formsInContext.set(codec, [...known, { at: position, form }])
  return form
}

const formsInContext = new WeakMap<
  Codec,
  ReadonlyArray<{ readonly at: FormContext; readonly form: Codec }>
>()

const isSameContext = (a: FormContext, b: FormContext): boolean =>
  a.undeclared === b.undeclared &&
  a.visibility === b.visibility &&
  areSameCodecs(a.siblings, b.siblings) &&
  areSameCodecs(a.alternatives, b.alternatives)

const areSameCodecs = (some: ReadonlyArray<Codec>, others: ReadonlyArray<Codec>): boolean =>
  some.length === others.length && some.every((codec) => others.includes(codec))

const makeForm = (codec: Codec, position: FormContext): Codec => {
  if (isKnown(codec)) {
    if (containsObjects(codec)) return rebuildForm(codec, position)
    if (restrictionsIn(codec).length > 0) {
      const form = rebuildForm(codec, position)
      return isGenuine(codec) ? form : withEncode(codec, (value): unknown => form.encode(value))
    }
  }
  return position.visibility === fullVisibility
    ? codec
    : maskHiddenMembers(
        codec,
        [...position.siblings, ...position.alternatives],
        position.visibility,
      )
}

const rebuildForm = (codec: KnownCodec, position: FormContext): Codec => {
  const { name } = codec
  const same = (part: Codec): Codec => formAt(part, position)
  const inner = (part: Codec): Codec => formAt(part, memberContext(position))
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
    case 'PartialType':
      return objectForm(codec, position)
    case 'DictionaryType':
      return recordForm(t.record(codec.domain, inner(codec.codomain), name), position)
    case 'IntersectionType':
      return intersection(name, codec.types.map(intersectionMember(position)))
    case 'UnionType': {
      const [first, ...others] = codec.types
      const one = unionMember(codec, position)
      return union(name, one(first), others.map(one))
    }
    case 'ExactType': {
      const type = same(codec.type)
      return new t.ExactType(name, type.is, type.validate, type.encode, type)
    }
    case 'EncodedType':
      return new EncodedType(same(codec.codec))
    case 'SeparatedType':
      return new SeparatedType(codec.separator, same(codec.codec))
    // XML mappings are read from the original codec
    case 'XmlType':
      return same(codec.codec)
    case 'RestrictedType':
      // a restricted codec that is not an object member is never written
      return isHidden(codec, position.visibility)
        ? withEncode(same(codec.codec), () => undefined)
        : same(codec.codec)
    case 'ExactlyType':
      return formAt(codec.codec, { ...position, undeclared: 'reject' })
    default:
      return mapCodec(codec, { same, inner })
  }
}

type ObjectCodec = Extract<KnownCodec, { readonly props: unknown }>

const objectForm = ({ _tag, name, props }: ObjectCodec, position: FormContext): Codec => {
  const forms = Object.fromEntries(
    Object.entries(props).map(([key, member]) => [
      key,
      formAt(member, memberContext(position, key)),
    ]),
  )
  const objectOf = (some: Record<string, Codec>): Codec =>
    _tag === 'PartialType' ? t.partial(some, name) : t.type(some, name)
  const formed = (is: Codec['is'], validate: Codec['validate'], encode: Codec['encode']): Codec =>
    _tag === 'PartialType'
      ? new t.PartialType(name, is, validate, encode, forms)
      : new t.InterfaceType(name, is, validate, encode, forms)
  const codec = objectOf(forms)
  const hidden = hiddenMembers(props, position)
  if (hidden.size === 0) {
    const { validate, encode } = stripUndeclared(codec, isMemberOf(forms), isRejectedIn(position))
    return withPolicy(formed(codec.is, validate, encode), position, isRejectedIn(position))
  }
  const isShown = (key: string): boolean => isMemberOf(forms)(key) && !hidden.has(key)
  const shown = Object.entries(forms).filter(([key]) => isShown(key))
  const rejects = (key: string): boolean => isRejectedIn(position)(key) && !hidden.has(key)
  const { validate } = stripUndeclared(codec, isShown, rejects)
  const encode = encodeVisible(objectOf(Object.fromEntries(shown)), isShown)
  return Object.assign(withPolicy(formed(codec.is, validate, encode), position, rejects), {
    hidden,
  })
}

/** Returns the members that are hidden by their own codec or by another codec of the same value. */
const hiddenMembers = (props: ObjectCodec['props'], position: FormContext): ReadonlySet<string> => {
  const { visibility } = position
  if (visibility === fullVisibility) return none
  const others = hidesMember([...position.siblings, ...position.alternatives], visibility)
  return new Set(
    Object.keys(props).filter((key) => {
      const member = props[key]
      return member !== undefined && (isHidden(member, visibility) || others(key))
    }),
  )
}

const none: ReadonlySet<string> = new Set()

const recordForm = (codec: t.DictionaryType<Codec, Codec>, position: FormContext): Codec => {
  const { name, is, domain, codomain } = codec
  const { validate, encode } = stripUndeclared(codec, isRecordKey(domain), isRejectedIn(position))
  const form = new t.DictionaryType(name, is, validate, encode, domain, codomain)
  const confinedForm = withPolicy(form, position, isRejectedIn(position))
  return position.visibility === fullVisibility
    ? confinedForm
    : maskHiddenMembers(
        confinedForm,
        [...position.siblings, ...position.alternatives],
        position.visibility,
      )
}

const withPolicy = (
  form: Codec,
  { undeclared }: FormContext,
  rejects: MemberPredicate,
): Codec & UndeclaredPolicy => Object.assign(form, { undeclared, rejects })

const intersectionMember =
  (position: FormContext) =>
  (codec: Codec, index: number, all: ReadonlyArray<Codec>): Codec =>
    formAt(codec, {
      ...position,
      siblings: distinct([...position.siblings, ...all.filter((_, other) => other !== index)]),
    })

/** A value of an untagged union may match several members, so a member that one of them restricts is hidden in all. */
const unionMember =
  (of: Codec & { readonly types: ReadonlyArray<Codec> }, position: FormContext) =>
  (codec: Codec): Codec => {
    const { visibility, alternatives } = position
    if (visibility === fullVisibility || 'tag' in of) return formAt(codec, position)
    const others = of.types.filter((one) => one !== codec && restrictionsIn(one).length > 0)
    return formAt(codec, { ...position, alternatives: distinct([...alternatives, ...others]) })
  }
