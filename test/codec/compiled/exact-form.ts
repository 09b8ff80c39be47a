/**
 * Exact forms of codecs: codecs of io-ts that handle undeclared and hidden members. They are an independent implementation with which
 * the tests compare compiled codecs.
 */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { isJsonNumber } from '../../../src/codec/json-number.ts'
import { combineAll } from '../../../src/codec/structure/collection-types.ts'
import { intersection } from '../../../src/codec/structure/merge.ts'
import { mapCodec } from '../../../src/codec/unrestricted.ts'
import { isGenuine } from '../../../src/codec/structure/genuine.ts'
import type { KnownCodec } from '../../../src/codec/structure/known-codec.ts'
import { containsObjects, isKnown } from '../../../src/codec/structure/known-codec.ts'
import type {
  MemberPredicate,
  UndeclaredHandling,
} from '../../../src/codec/structure/undeclared-members.ts'
import {
  declaredCodecs,
  isMemberOf,
  isRecordKey,
  literalKeys,
  ownNames,
  pick,
  pickDeclared,
  undeclaredMessage,
} from '../../../src/codec/structure/undeclared-members.ts'
import { restrictionsIn } from '../../../src/codec/visibility/restrictions.ts'
import type { Visibility } from '../../../src/codec/visibility/visibility.ts'
import {
  fullVisibility,
  hidesMember,
  isHidden,
  maskFor,
} from '../../../src/codec/visibility/visibility.ts'

/**
 * Returns the exact form of a codec, which handles undeclared and hidden members. Returns the codec itself if it contains
 * neither objects nor restrictions. Forms are cached.
 *
 * Each rejected member results in a separate error whose context ends with the member name. If the member is in an intersection,
 * each codec of the intersection reports it. A record declares all keys that its domain accepts. `t.UnknownRecord` and `t.unknown`
 * accept all members. A union uses the first codec that accepts the value.
 *
 * Hidden members are not encoded. When decoding, they are ignored as if the request did not contain them.
 */
export const exactForm = (
  codec: Codec,
  undeclared: UndeclaredHandling,
  visibility: Visibility = fullVisibility,
): Codec => {
  const forms = formsOf(undeclared, visibility)
  const cached = forms.get(codec)
  if (cached !== undefined) return cached
  const form = makeForm(codec, { undeclared, visibility, siblings: [], alternatives: [] })
  forms.set(codec, form)
  return form
}

const formsOf = (undeclared: UndeclaredHandling, visibility: Visibility): WeakMap<Codec, Codec> => {
  if (visibility === fullVisibility) return fullForms[undeclared]
  const forms = visibleForms[undeclared].get(visibility) ?? new WeakMap<Codec, Codec>()
  visibleForms[undeclared].set(visibility, forms)
  return forms
}

const fullForms: Readonly<Record<UndeclaredHandling, WeakMap<Codec, Codec>>> = {
  drop: new WeakMap(),
  reject: new WeakMap(),
}

const visibleForms: Readonly<
  Record<UndeclaredHandling, WeakMap<Visibility, WeakMap<Codec, Codec>>>
> = {
  drop: new WeakMap(),
  reject: new WeakMap(),
}

/** The position of a codec within the codecs that enclose it. */
interface FormContext {
  readonly undeclared: UndeclaredHandling
  readonly visibility: Visibility
  /** The other codecs in the enclosing intersection. Members declared by one of these codecs are not rejected. */
  readonly siblings: ReadonlyArray<Codec>
  /**
   * The other codecs in an enclosing untagged union. Members that are hidden by one of these codecs are also hidden at this
   * position.
   */
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

/**
 * Returns the exact form of a codec at a given position. The form is cached, because a recursive codec can occur at the same
 * position repeatedly.
 */
const formAt = (codec: Codec, position: FormContext): Codec => {
  if (position.siblings.length === 0 && position.alternatives.length === 0)
    return exactForm(codec, position.undeclared, position.visibility)
  const cached = formsInContext.get(codec) ?? []
  const existing = cached.find(({ context }) => isSameContext(context, position))
  if (existing !== undefined) return existing.form
  const form = makeForm(codec, position)
  formsInContext.set(codec, [...cached, { context: position, form }])
  return form
}

const formsInContext = new WeakMap<
  Codec,
  ReadonlyArray<{ readonly context: FormContext; readonly form: Codec }>
>()

const isSameContext = (a: FormContext, b: FormContext): boolean =>
  a.undeclared === b.undeclared &&
  a.visibility === b.visibility &&
  areSameCodecs(a.siblings, b.siblings) &&
  areSameCodecs(a.alternatives, b.alternatives)

const areSameCodecs = (codecs: ReadonlyArray<Codec>, others: ReadonlyArray<Codec>): boolean =>
  codecs.length === others.length && codecs.every((codec) => others.includes(codec))

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
    case 'DictionaryType': {
      const keys = literalKeys(codec.domain)
      if (keys !== undefined) {
        const props = Object.fromEntries(keys.map((key) => [key, codec.codomain]))
        const { is, validate, encode } = objectForm(
          { _tag: 'InterfaceType', name, props },
          position,
        )
        return new t.DictionaryType(name, is, validate, encode, codec.domain, codec.codomain)
      }
      return recordForm(t.record(codec.domain, inner(codec.codomain), name), position)
    }
    case 'IntersectionType':
      return intersection(name, codec.types.map(intersectionMember(position)))
    case 'UnionType':
      return combineAll(t.union, codec.types.map(unionMember(codec, position)), name)
    case 'ExactType': {
      const type = same(codec.type)
      return new t.ExactType(name, type.is, type.validate, type.encode, type)
    }
    // XML mappings are read from the original codec
    case 'XmlType':
      return same(codec.codec)
    case 'RestrictedType':
      // a hidden value that is not an object member is encoded as `undefined`
      return isHidden(codec, position.visibility)
        ? withEncode(same(codec.codec), () => undefined)
        : same(codec.codec)
    case 'ExactlyType':
      return formAt(codec.codec, { ...position, undeclared: 'reject' })
    default:
      return mapCodec(codec, { same, inner })
  }
}

type ObjectCodec = Pick<Extract<KnownCodec, { readonly props: unknown }>, '_tag' | 'name' | 'props'>

const objectForm = ({ _tag, name, props }: ObjectCodec, position: FormContext): Codec => {
  const forms = Object.fromEntries(
    Object.entries(props).map(([key, member]) => [
      key,
      formAt(member, memberContext(position, key)),
    ]),
  )
  const objectOf = (codecs: Record<string, Codec>): Codec =>
    _tag === 'PartialType' ? t.partial(codecs, name) : t.type(codecs, name)
  const create = (is: Codec['is'], validate: Codec['validate'], encode: Codec['encode']): Codec =>
    _tag === 'PartialType'
      ? new t.PartialType(name, is, validate, encode, forms)
      : new t.InterfaceType(name, is, validate, encode, forms)
  const codec = objectOf(forms)
  const hidden = hiddenMembers(props, position)
  if (hidden.size === 0) {
    const { validate, encode } = stripUndeclared(codec, isMemberOf(forms), isRejectedIn(position))
    return withPolicy(create(codec.is, validate, encode), position, isRejectedIn(position))
  }
  const isShown = (key: string): boolean => isMemberOf(forms)(key) && !hidden.has(key)
  const shown = Object.entries(forms).filter(([key]) => isShown(key))
  const isRejected = isRejectedIn(position)
  const rejects = (key: string): boolean => isRejected(key) && !hidden.has(key)
  const { validate } = stripUndeclared(codec, isShown, rejects)
  const encode = encodeVisible(objectOf(Object.fromEntries(shown)), isShown)
  return Object.assign(withPolicy(create(codec.is, validate, encode), position, rejects), {
    hidden,
  })
}

/**
 * Returns the names of object members that are hidden. A member is hidden by its own codec, or by another codec in the same
 * intersection or union.
 */
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
  const isKey = isRecordKey(domain)
  const isRejected = isRejectedIn(position)
  const { validate, encode } = stripUndeclared(codec, isKey, isRejected)
  const form = new t.DictionaryType(name, is, validate, encode, domain, codomain)
  const strippedForm = withPolicy(form, position, isRejected)
  return position.visibility === fullVisibility
    ? strippedForm
    : maskHiddenMembers(
        strippedForm,
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

/**
 * Returns a function that creates the exact form of one codec in a union. In an untagged union, a value can match multiple codecs.
 * Therefore, if one of these codecs hides an object member, the member is hidden in all of them.
 */
const unionMember =
  (unionCodec: Codec & { readonly types: ReadonlyArray<Codec> }, position: FormContext) =>
  (codec: Codec): Codec => {
    const { visibility, alternatives } = position
    if (visibility === fullVisibility || 'tag' in unionCodec) return formAt(codec, position)
    const others = unionCodec.types.filter(
      (other) => other !== codec && restrictionsIn(other).length > 0,
    )
    return formAt(codec, { ...position, alternatives: distinct([...alternatives, ...others]) })
  }

/** The policy that the exact form of a codec applies to undeclared and hidden members. */
interface UndeclaredPolicy {
  readonly undeclared: UndeclaredHandling
  /** Returns whether an undeclared member with this name results in a validation error. */
  readonly rejects: MemberPredicate
  /** The names of declared members that are neither encoded nor decoded. */
  readonly hidden?: ReadonlySet<string>
}

/**
 * Returns functions that strip undeclared members before an object codec decodes or encodes a value.
 *
 * When decoding, an undeclared member for which `isRejected` returns `true` results in a validation error. This error follows
 * the errors reported by the codec.
 *
 * Members are stripped before the codec is called, because io-ts copies objects by assignment. A member named `__proto__` would
 * become the prototype of the copy.
 */
const stripUndeclared = (
  codec: Codec,
  isDeclared: MemberPredicate,
  isRejected: MemberPredicate,
): Pick<Codec, 'validate' | 'encode'> => ({
  validate: (value, context) => {
    if (!t.UnknownRecord.is(value)) return codec.validate(value, context)
    if (isJsonNumber(value)) return t.failure(value, context)
    const rejected = ownNames(value)
      .filter((name) => !isDeclared(name) && isRejected(name))
      .map((name) => undeclaredError(value[name], name, context))
    const result = codec.validate(pickDeclared(value, isDeclared), context)
    if (rejected.length === 0) return result
    return t.failures(isLeft(result) ? [...result.left, ...rejected] : rejected)
  },
  encode: (value: unknown): unknown =>
    codec.encode(t.UnknownRecord.is(value) ? pickDeclared(value, isDeclared) : value),
})

/**
 * Returns a function that encodes objects without hidden members. `codec` declares only the visible members. Class instances
 * are copied to plain objects, because a `toJSON` method could expose hidden members. The returned function throws a
 * `TypeError` for arrays and other objects that are not records.
 */
const encodeVisible =
  (codec: Codec, isVisible: MemberPredicate): Codec['encode'] =>
  (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return codec.encode(value)
    if (!t.UnknownRecord.is(value)) throw new TypeError(`invalid value: expected ${codec.name}`)
    return codec.encode(pick(value, isVisible))
  }

const undeclaredError = (value: unknown, name: string, context: t.Context): t.ValidationError => ({
  value,
  context: t.appendContext(context, name, t.never, value),
  message: undeclaredMessage,
})

/** Returns a codec that omits members hidden by `others` when encoding. If no members can be hidden, returns the original codec. */
const maskHiddenMembers = (
  codec: Codec,
  others: ReadonlyArray<Codec>,
  visibility: Visibility,
): Codec => {
  const mask = maskFor(codec, others, visibility)
  return mask === undefined ? codec : withEncode(codec, (value) => mask(codec.encode(value)))
}

/** A codec that decodes like another codec, but encodes differently. */
interface SameDecoding {
  readonly decodesAs: Codec
}

/** Returns a copy of a codec with a different `encode` function. */
const withEncode = (codec: Codec, encode: (value: unknown) => unknown): Codec & SameDecoding => {
  const { name, is, validate } = codec
  return Object.assign(new t.Type<unknown>(name, is, validate, encode), { decodesAs: codec })
}
