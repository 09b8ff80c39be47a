/** Determines whether object members can be missing, and which restrictions apply to them. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { children, members, wrapped } from '../../codec/structure/codec-structure.ts'
import { declaredCodecs } from '../../codec/structure/undeclared-members.ts'
import type { Restriction } from '../../codec/visibility/restricted-member.ts'
import { includesView, isRestricted } from '../../codec/visibility/restricted-member.ts'
import {
  innerCodecs,
  reachableCodecs,
  restrictionsIn,
} from '../../codec/visibility/restrictions.ts'
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
  { related }: Position,
): ReadonlyArray<Restriction> =>
  [codec, ...related.flatMap(declaredCodecs(key))].flatMap((declared) =>
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

/** Returns the position of the member `key`, or of all elements and members without a key. */
export const memberPosition = (position: Position, key?: string): Position =>
  position.related.length === 0 && !position.isOpen
    ? position
    : {
        ...position,
        isOpen: false,
        related: [...new Set(position.related.flatMap(declaredCodecs(key)))].filter(
          (codec) => restrictionsIn(codec).length > 0,
        ),
      }
