/** Entities: the objects that a codec describes, alone or as elements of a collection, and their members. */
import type { Codec } from '../../codec/codec.ts'
import {
  children,
  wrapped,
  unwrap,
  members as declaredMembers,
} from '../../codec/structure/codec-structure.ts'
import type { IdentifierKind } from '../../endpoint/links.ts'
import { identifierKind } from '../../endpoint/links.ts'

/** The shape of the values of a codec. */
export interface EntityShape {
  /** The unwrapped codec, the same for all uses. */
  readonly entity: Codec
  /** The codec as declared, or that of the elements. */
  readonly codec: Codec
  readonly isCollection: boolean
}

/** Returns the shape of a codec; `undefined` unless its values are objects or collections of objects. */
export const shapeOf = (codec: Codec): EntityShape | undefined => {
  const inner = present(codec)
  const isCollection = collections.has(inner._tag ?? '')
  const one = isCollection ? children(inner)[0] : codec
  const entity = one === undefined ? undefined : entityOf(one)
  return one === undefined || entity === undefined
    ? undefined
    : { entity, codec: one, isCollection }
}

const collections = new Set(['ArrayType', 'ReadonlyArrayType', 'SetType'])

/** Returns the entity of a codec other than a collection. */
export const entityOf = (codec: Codec): Codec | undefined => {
  const inner = present(codec)
  return membersOf(inner) === undefined ? undefined : inner
}

/** Removes `undefined` and `null` from a union. */
const present = (codec: Codec): Codec => {
  const inner = unwrap(codec)
  if (inner._tag !== 'UnionType') return inner
  const [only, ...others] = children(inner).filter((one) => !absent.has(one._tag ?? ''))
  return only === undefined || others.length > 0 ? inner : present(only)
}

const absent = new Set(['NullType', 'UndefinedType', 'VoidType'])

/** Returns the codecs of each declared member, in order; `undefined` for codecs of other values than objects. */
export const membersOf = (codec: Codec): ReadonlyMap<string, ReadonlyArray<Codec>> | undefined => {
  const found = new Map<string, ReadonlyArray<Codec>>()
  const seen = new Set<Codec>()
  const gather = (one: Codec): boolean => {
    if (seen.has(one)) return false
    seen.add(one)
    const own = declaredMembers(one)
    if (own === undefined)
      return together.has(one._tag ?? '') || wrapped(one) !== undefined
        ? children(one).map(gather).some(Boolean)
        : false
    for (const [name, member] of Object.entries(own))
      found.set(name, [...(found.get(name) ?? []), member])
    return true
  }
  return gather(codec) ? found : undefined
}

/** Combinations of codecs that describe the same value. */
const together = new Set(['UnionType', 'IntersectionType'])

export interface EntityIdentifier {
  readonly member: string
  /** Whether it is annotated, and not only named `id`. */
  readonly isMarked: boolean
}

/** Returns the identifier of an entity, or the names of conflicting candidates. */
export const identifierOf = (
  members: ReadonlyMap<string, ReadonlyArray<Codec>>,
): EntityIdentifier | ReadonlyArray<string> | undefined => {
  for (const kind of ['linkId', 'primaryKey'] as const) {
    const [member, ...others] = [...members].flatMap(([name, codecs]) =>
      codecs.some((codec) => isMarkedAs(kind, codec)) ? [name] : [],
    )
    if (member !== undefined)
      return others.length > 0 ? [member, ...others] : { member, isMarked: true }
  }
  return members.has('id') ? { member: 'id', isMarked: false } : undefined
}

/** Whether a codec, or one that it wraps, is annotated. */
const isMarkedAs = (kind: IdentifierKind, codec: Codec): boolean => {
  const seen = new Set<Codec>()
  const find = (one: Codec): boolean => {
    if (seen.has(one)) return false
    seen.add(one)
    return (
      identifierKind(one) === kind ||
      ((one._tag === 'UnionType' || wrapped(one) !== undefined) && children(one).some(find))
    )
  }
  return find(codec)
}
