/**
 * The exact form of a codec: what a codec does not declare does not pass, neither in nor out, at any depth.
 *
 * It is a codec of the same structure, made anew from the structure of the one given (`codec/structure.ts`), so that its
 * errors have the keys and types that io-ts gives them. Codecs of another structure are opaque: they are called as they
 * are. A member of an intersection keeps what it declares itself, and the results are put together (`codec/merge.ts`).
 */
import * as t from 'io-ts'
import { WithDefaultType } from './absence.ts'
import { intersection, tuple, union } from './assemble.ts'
import { AttemptType } from './attempt.ts'
import type { Codec } from './codec.ts'
import { SeparatedType, SetType } from './collection.ts'
import type { Confined, Undeclared } from './confined.ts'
import { confined } from './confined.ts'
import { ConstrainedType, isConstrained } from './constraint.ts'
import { declaredAt, hasMember, inDomain } from './declared.ts'
import { EncodedType } from './encoded.ts'
import type { KnownCodec } from './known-codec.ts'
import { holdsObjects, isKnown } from './known-codec.ts'

/**
 * The exact form of a codec; the codec itself when it has no object inside. It is made once for each codec.
 *
 * A refused member is an error of its own, whose context ends in the member's key; every member of an intersection says
 * so for itself. Records have their keys, and `t.UnknownRecord` and `t.unknown` take everything. A union has for each
 * value the first of its codecs that accepts it, and when encoding the first that it is a value of.
 */
export const exactly = (codec: Codec, undeclared: Undeclared): Codec => {
  const known = made[undeclared].get(codec)
  if (known !== undefined) return known
  const form = make(codec, { undeclared, beside: [] })
  made[undeclared].set(codec, form)
  return form
}

const made: Readonly<Record<Undeclared, WeakMap<Codec, Codec>>> = {
  drop: new WeakMap(),
  refuse: new WeakMap(),
}

/** A codec that refuses undeclared members, whatever is the custom around it. */
export class ExactlyType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'ExactlyType' as const
  readonly codec: C
  constructor(codec: C) {
    // made on first use: a recursive codec may not be defined yet
    const form = (): Codec => exactly(codec, 'refuse')
    super(
      codec.name,
      codec.is,
      (value, context) => form().validate(value, context),
      (value) => form().encode(value),
    )
    this.codec = codec
  }
}

/**
 * Refuses members that the codec does not declare, at any depth, where an endpoint drops them otherwise. When encoding they
 * are dropped. The setting `fw.rest.jsonlib.fail-on-unknown-properties` does the same for the JSON bodies of all endpoints.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import * as t from 'io-ts'
 * import { exact, int, list } from 'espalier'
 *
 * const Line = exact(t.type({ points: list(t.type({ x: int })) }))
 *
 * assert.deepEqual(Line.decode({ points: [{ x: 1 }] }), E.right({ points: [{ x: 1 }] }))
 * assert.ok(E.isLeft(Line.decode({ points: [{ x: 1, y: 2 }] })))
 * ```
 */
export const exact = <C extends t.Mixed>(codec: C): ExactlyType<C> => new ExactlyType(codec)

/** Where a codec stands. */
interface Place {
  readonly undeclared: Undeclared
  /** The other members of an intersection that describe the same value; what one of them declares is not refused. */
  readonly beside: ReadonlyArray<Codec>
}

const inside = ({ undeclared, beside }: Place, name?: string): Place => ({
  undeclared,
  beside: beside.flatMap(declaredAt(name)),
})

const refuses =
  (place: Place) =>
  (name: string): boolean =>
    place.undeclared === 'refuse' && inside(place, name).beside.length === 0

/** The form of a codec at a place is made once: a recursive one meets itself there again. */
const formAt = (codec: Codec, place: Place): Codec => {
  if (place.beside.length === 0) return exactly(codec, place.undeclared)
  const known = amongOthers.get(codec) ?? []
  const before = known.find(({ at }) => isSame(at, place))
  if (before !== undefined) return before.form
  const form = make(codec, place)
  amongOthers.set(codec, [...known, { at: place, form }])
  return form
}

const amongOthers = new WeakMap<
  Codec,
  ReadonlyArray<{ readonly at: Place; readonly form: Codec }>
>()

const isSame = (a: Place, b: Place): boolean =>
  a.undeclared === b.undeclared &&
  a.beside.length === b.beside.length &&
  a.beside.every((codec) => b.beside.includes(codec))

const make = (codec: Codec, place: Place): Codec =>
  isKnown(codec) && holdsObjects(codec) ? remake(codec, place) : codec

const remake = (codec: KnownCodec, place: Place): Codec => {
  const { name } = codec
  const here = (inner: Codec): Codec => formAt(inner, place)
  const element = (inner: Codec): Codec => formAt(inner, inside(place))
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
    case 'PartialType':
      return object(codec, place)
    case 'DictionaryType':
      return record(t.record(codec.domain, element(codec.codomain), name), place)
    case 'IntersectionType':
      return intersection(name, codec.types.map(amongSiblings(place)))
    case 'UnionType': {
      const [first, ...others] = codec.types
      return union(name, here(first), others.map(here))
    }
    case 'TupleType':
      return tuple(name, codec.types.map(element))
    case 'ArrayType':
      return t.array(element(codec.type), name)
    case 'ReadonlyArrayType':
      return t.readonlyArray(element(codec.type), name)
    case 'SetType':
      return new SetType(name, element(codec.codec), codec.arrange)
    case 'ReadonlyType':
      return t.readonly(here(codec.type), name)
    case 'ExactType': {
      const type = here(codec.type)
      return new t.ExactType(name, type.is, type.validate, type.encode, type)
    }
    case 'RefinementType':
      return isConstrained(codec)
        ? new ConstrainedType(here(codec.type), name, codec.constraint, codec.predicate)
        : t.refinement(here(codec.type), codec.predicate, name)
    case 'RecursiveType':
      return t.recursion(name, () => here(codec.type))
    case 'WithDefaultType':
      return new WithDefaultType(here(codec.codec), codec.byDefault)
    case 'EncodedType':
      return new EncodedType(here(codec.codec))
    case 'SeparatedType':
      return new SeparatedType(codec.separator, here(codec.codec))
    case 'AttemptType':
      return new AttemptType(here(codec.codec))
    // what it says of XML is read off the codec itself
    case 'XmlType':
      return here(codec.codec)
    case 'ExactlyType':
      return formAt(codec.codec, { ...place, undeclared: 'refuse' })
  }
}

type ObjectCodec = Extract<KnownCodec, { readonly props: unknown }>

const object = ({ _tag, name, props }: ObjectCodec, place: Place): Codec => {
  const forms = Object.fromEntries(
    Object.entries(props).map(([key, member]) => [key, formAt(member, inside(place, key))]),
  )
  const codec = _tag === 'PartialType' ? t.partial(forms, name) : t.type(forms, name)
  const { validate, encode } = confined(codec, hasMember(forms), refuses(place))
  const form =
    _tag === 'PartialType'
      ? new t.PartialType(name, codec.is, validate, encode, forms)
      : new t.InterfaceType(name, codec.is, validate, encode, forms)
  return marked(form, place)
}

const record = (codec: t.DictionaryType<Codec, Codec>, place: Place): Codec => {
  const { name, is, domain, codomain } = codec
  const { validate, encode } = confined(codec, inDomain(domain), refuses(place))
  return marked(new t.DictionaryType(name, is, validate, encode, domain, codomain), place)
}

const marked = (form: Codec, { undeclared }: Place): Codec & Confined =>
  Object.assign(form, { undeclared })

const amongSiblings =
  ({ undeclared, beside }: Place) =>
  (codec: Codec, index: number, all: ReadonlyArray<Codec>): Codec =>
    formAt(codec, { undeclared, beside: [...beside, ...all.filter((_, other) => other !== index)] })
