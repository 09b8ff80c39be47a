/** Determines whether object members can be missing, and which restrictions apply to them. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { children, members, wrapped } from '../../codec/codec-structure.ts'
import { declaredIn, relatedCodecs } from '../../codec/schema/position.ts'
import type { Restriction } from '../../codec/structure/restricted-member.ts'
import { includesView, isRestricted } from '../../codec/structure/restricted-member.ts'
import {
  innerCodecs,
  reachableCodecs,
  restrictionsIn,
} from '../../codec/visibility/restrictions.ts'
import { containsObjects } from '../../codec/structure/known-codec.ts'
import type { Position } from './walk.ts'

/** Whether a received object can omit a member with this codec. */
export const acceptsMissing = (codec: Codec): boolean =>
  attemptTo(() => E.isRight(codec.decode(undefined))) ?? false

/** Whether the encoded form of a value can be `undefined`, which is omitted in objects and `null` in arrays. */
export const encodesUndefined = (codec: Codec, visited: ReadonlyArray<Codec> = []): boolean => {
  if (codec._tag === 'AttemptType') return true
  if (visited.includes(codec)) return false
  const inner = wrapped(codec)
  const parts = codec._tag === 'UnionType' ? children(codec) : inner === undefined ? [] : [inner]
  return parts.length === 0
    ? (attemptTo(() => codec.is(undefined)) ?? false)
    : parts.some((part) => encodesUndefined(part, [...visited, codec]))
}

/** Calls a function of a codec. Returns `undefined` if it throws. */
export const attemptTo = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Returns the restrictions that apply to a member, including those of related codecs. */
export const restrictionsOfMember = (
  key: string,
  codec: Codec,
  position: Position,
): ReadonlyArray<Restriction> =>
  [codec, ...declaredIn(relatedCodecs(position), key)].flatMap((declared) =>
    restrictionsIn(declared).length === 0
      ? []
      : reachableCodecs(declared, (part) => (members(part) === undefined ? innerCodecs(part) : []))
          .filter(isRestricted)
          .map(({ restriction }) => restriction),
  )

/** Whether one of several restrictions hides its member in the selected view. */
export const areHiding = (restrictions: ReadonlyArray<Restriction>, { view }: Position): boolean =>
  view !== undefined &&
  restrictions.some(
    (restriction) => restriction._tag === 'View' && !includesView(view, restriction.view),
  )

/** Returns the lists of roles that a member requires. A principal needs one role of each list. */
export const requiredRoles = (
  restrictions: ReadonlyArray<Restriction>,
  { rolesOf }: Position,
): ReadonlyArray<ReadonlyArray<string>> =>
  rolesOf === undefined
    ? []
    : restrictions.flatMap((restriction) =>
        restriction._tag === 'Roles' ? [rolesOf(restriction.roles)] : [],
      )

/**
 * Removes the parts of a position that do not change the schema of a codec. `canReject` returns whether a codec contains codecs that
 * always reject undeclared members.
 */
export const normalizePosition = (
  codec: Codec,
  position: Position,
  canReject: (codec: Codec) => boolean,
): Position => {
  const { view, rolesOf, siblings, alternatives } = position
  const isUnrestricted = view === undefined && rolesOf === undefined
  const isAlone = siblings.length === 0 && alternatives.length === 0
  if (isAlone)
    return isUnrestricted || isRestrictive(codec)
      ? position
      : { ...position, view: undefined, rolesOf: undefined }
  const hasMembers = containsObjects(codec) || canDeclare(codec)
  const closes = position.direction === 'input' && (position.rejectsUndeclared || canReject(codec))
  const kept = {
    siblings: hasMembers
      ? siblings.filter((other) => isRestrictive(other) || (closes && canDeclare(other)))
      : [],
    alternatives: hasMembers ? alternatives.filter(isRestrictive) : [],
  }
  return [codec, ...kept.siblings, ...kept.alternatives].some(isRestrictive)
    ? { ...position, ...kept }
    : { ...position, ...kept, view: undefined, rolesOf: undefined }
}

const isRestrictive = (codec: Codec): boolean => restrictionsIn(codec).length > 0

const canDeclare = (codec: Codec): boolean => declaredIn([codec]).length > 0
