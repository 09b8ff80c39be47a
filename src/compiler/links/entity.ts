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

/** What the values of a codec are. */
export interface EntityShape {
  /** Without what stands around it, so that it is the same wherever it is used. */
  readonly entity: Codec
  /** The same as it stands there: the codec itself, or that of the elements. */
  readonly codec: Codec
  readonly isCollection: boolean
}

/** The shape of a codec's values; `undefined` where they are neither objects nor collections of objects. */
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

/** The entity of a codec that is not one of collections. */
export const entityOf = (codec: Codec): Codec | undefined => {
  const inner = present(codec)
  return membersOf(inner) === undefined ? undefined : inner
}

/** The codec of a value that is there: the other one in a union with `undefined` or `null`. */
const present = (codec: Codec): Codec => {
  const inner = unwrap(codec)
  if (inner._tag !== 'UnionType') return inner
  const [only, ...others] = children(inner).filter((one) => !absent.has(one._tag ?? ''))
  return only === undefined || others.length > 0 ? inner : present(only)
}

const absent = new Set(['NullType', 'UndefinedType', 'VoidType'])

/** The codecs of each member that an object codec declares, in their order; `undefined` for codecs of anything else. */
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

/** Codecs made of others that describe the same value. */
const together = new Set(['UnionType', 'IntersectionType'])

export interface EntityIdentifier {
  readonly member: string
  /** Whether it was marked, or only goes by its name. */
  readonly isMarked: boolean
}

/** The identifier among members; the names of those that contend for it, where there are several. */
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

/** A mark stands on a codec, or on one inside that describes the same value. */
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
