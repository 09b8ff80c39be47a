/**
 * Finds the entity that a codec describes, and the members and the identifier of this entity. Entities are represented by codecs
 * for objects. For a collection of objects, the entity is the codec of the elements.
 */
import { withoutAnnotations } from '../../codec/annotated.ts'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { memberNames } from '../../codec/standard-schema/accepted-types.ts'
import { isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import {
  isCombination,
  isListOrSet,
  presentMembers,
  children,
  wrapped,
  unwrap,
  members as declaredMembers,
} from '../../codec/codec-structure.ts'
import type { IdentifierKind } from '../../endpoint/links.ts'
import { identifierKind } from '../../endpoint/links.ts'

/** The entity described by a codec, and whether the codec describes a single entity or a collection. */
export interface EntityShape {
  /** The unwrapped object codec. All uses of an entity share the same codec instance. */
  readonly entity: Codec
  /** The declared codec or, if it describes a collection, the codec of the elements. */
  readonly codec: Codec
  readonly isCollection: boolean
}

/** Returns the entity shape of a codec, or `undefined` if the codec describes neither objects nor collections of objects. */
export const shapeOf = (codec: Codec): EntityShape | undefined => {
  const inner = withoutAbsence(codec)
  const isCollection = isListOrSet(inner)
  const element = isCollection ? children(inner)[0] : codec
  const entity = element === undefined ? undefined : entityOf(element)
  return element === undefined || entity === undefined
    ? undefined
    : { entity, codec: element, isCollection }
}

/** Returns the entity that a codec describes, or `undefined` if the codec describes anything other than single objects. */
export const entityOf = (codec: Codec): Codec | undefined => {
  const inner = withoutAbsence(codec)
  return membersOf(inner) === undefined ? undefined : inner
}

/**
 * Unwraps a codec, also without annotations, and removes `null`, `undefined` and `void` from a union. If multiple codecs remain, returns the union itself.
 */
const withoutAbsence = (codec: Codec): Codec => {
  const inner = withoutAnnotations(unwrap(codec))
  if (inner._tag !== 'UnionType') return inner
  const [only, ...others] = presentMembers(inner)
  return only === undefined || others.length > 0 ? inner : withoutAbsence(only)
}

/**
 * Returns the codecs of each declared member, in the order of declaration. Returns `undefined` if the codec does not describe
 * objects.
 */
export const membersOf = (codec: Codec): ReadonlyMap<string, ReadonlyArray<Codec>> | undefined => {
  const membersByName = new Map<string, ReadonlyArray<Codec>>()
  const seen = new Set<Codec>()
  const visit = (visited: Codec): boolean => {
    if (seen.has(visited)) return false
    seen.add(visited)
    const declared = declaredMembers(visited) ?? schemaMembers(visited)
    if (declared === undefined)
      return isCombination(visited) || wrapped(visited) !== undefined
        ? children(visited).map(visit).some(Boolean)
        : false
    for (const [name, member] of Object.entries(declared))
      membersByName.set(name, [...(membersByName.get(name) ?? []), member])
    return true
  }
  return visit(codec) ? membersByName : undefined
}

/** Returns the members that a Standard Schema describes, with codecs for their possible values in links. */
const schemaMembers = (codec: Codec): Readonly<Record<string, Codec>> | undefined => {
  const names = isStandardType(codec) ? memberNames(codec.schema) : undefined
  return names && Object.fromEntries(names.map((name) => [name, linkValue]))
}

const linkValue = t.union([t.string, t.number, t.boolean, t.bigint])

/**
 * Returns the name of the member that identifies an entity, or `undefined` if the entity has no identifier. If multiple members
 * have the same annotation, returns their names.
 */
export const identifierOf = (
  members: ReadonlyMap<string, ReadonlyArray<Codec>>,
): string | ReadonlyArray<string> | undefined => {
  for (const kind of ['linkId', 'primaryKey'] as const) {
    const [member, ...others] = [...members].flatMap(([name, codecs]) =>
      codecs.some((codec) => isAnnotatedAs(kind, codec)) ? [name] : [],
    )
    if (member !== undefined) return others.length > 0 ? [member, ...others] : member
  }
  return members.has('id') ? 'id' : undefined
}

/** Whether a codec, or a codec that it wraps, is annotated as an identifier of the given kind. */
const isAnnotatedAs = (kind: IdentifierKind, codec: Codec): boolean => {
  const seen = new Set<Codec>()
  const visit = (visited: Codec): boolean => {
    if (seen.has(visited)) return false
    seen.add(visited)
    return (
      identifierKind(visited) === kind ||
      ((visited._tag === 'UnionType' || wrapped(visited) !== undefined) &&
        children(visited).some(visit))
    )
  }
  return visit(codec)
}
