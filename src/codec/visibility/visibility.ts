/**
 * What is shown of values: which restrictions of their codecs hide the members that they stand for. A projection is asked for
 * what a restriction says and not for which object it is, so that a recursive codec that makes its members anew is no way out.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { members } from '../structure/codec-structure.ts'
import { declaredCodecs } from '../structure/declared-members.ts'
import type { Hides, Restriction, View } from './restricted-member.ts'
import { includesView, isRestricted } from './restricted-member.ts'
import { innerCodecs, reachableCodecs, restrictionsIn } from './restrictions.ts'

/** Two projections that show the same are one object: what is made for a projection is remembered by it. */
export interface Visibility {
  readonly hides: Hides
}

/** Shows everything. */
export const fullVisibility: Visibility = Object.freeze({ hides: () => false })

/**
 * The projection of a codec's values: the members of a view, or of all, and of the restrictions by roles those that `grants`
 * lets through. Where it hides nothing of the codec, it is {@link fullVisibility}.
 */
export const visibilityOf = (
  codec: Codec,
  view: View | undefined,
  grants: (roles: ReadonlyArray<string>) => boolean,
): Visibility => {
  const found = restrictionsIn(codec)
  const hidden = found.filter((restriction) =>
    restriction._tag === 'View'
      ? view !== undefined && !includesView(view, restriction.view)
      : !grants(restriction.roles),
  )
  if (hidden.length === 0) return fullVisibility
  const granted = found.flatMap((one) =>
    one._tag === 'Roles' && grants(one.roles) ? [roleKey(one.roles)] : [],
  )
  return sharedVisibility(view, [...new Set(granted)].toSorted())
}

/** Restrictions by roles are the same when they name the same roles. */
export const roleKey = (roles: ReadonlyArray<string>): string => JSON.stringify(roles)

const sharedVisibility = (view: View | undefined, granted: ReadonlyArray<string>): Visibility => {
  const known = visibilities.get(view) ?? new Map<string, Visibility>()
  visibilities.set(view, known)
  const key = granted.join()
  const before = known.get(key)
  if (before !== undefined) return before
  const names = new Set(granted)
  const made: Visibility = Object.freeze({
    hides: (restriction: Restriction) =>
      restriction._tag === 'View'
        ? view !== undefined && !includesView(view, restriction.view)
        : !names.has(roleKey(restriction.roles)),
  })
  if (known.size >= maxVisibilities) known.clear()
  known.set(key, made)
  return made
}

/** Of one view; a new start is made beyond, which costs compiling codecs again. */
const maxVisibilities = 256

const visibilities = new Map<View | undefined, Map<string, Visibility>>()

/**
 * Whether a member with this codec is hidden: a restriction that hides stands in it, and no other object between. Through
 * everything else, of one value or of several, it is the same member.
 */
export const isHidden = (codec: Codec, { hides }: Visibility): boolean =>
  reachableCodecs(codec, (one) => (members(one) === undefined ? innerCodecs(one) : none)).some(
    (one) => isRestricted(one) && hides(one.restriction),
  )

const none: ReadonlyArray<never> = []

/** Whether a restriction stands around no member of an object, so that there is nothing to hide. */
export const isRestrictedOutsideObject = (codec: Codec): boolean =>
  isHidden(codec, { hides: () => true })

/** Whether values of a codec, or of codecs that describe the same value, are written without a member. */
export const hidesMember =
  (codecs: ReadonlyArray<Codec>, projection: Visibility) =>
  (name: string): boolean =>
    codecs.flatMap(declaredCodecs(name)).some((member) => isHidden(member, projection))

/** The members of objects that are hidden and cannot be missing, by name. */
export const hiddenRequiredMembers = (
  codec: Codec,
  projection: Visibility,
): ReadonlyArray<string> => {
  if (projection === fullVisibility) return none
  const isShown = (member: Codec): boolean => !isHidden(member, projection)
  const inside = (one: Codec): ReadonlyArray<Codec> => {
    const own = members(one)
    return own === undefined ? innerCodecs(one) : Object.values(own).filter(isShown)
  }
  const isRequired = ([, member]: readonly [string, Codec]): boolean =>
    !isShown(member) && !mayBeMissing(member)
  return reachableCodecs(codec, inside)
    .filter(({ _tag }) => _tag !== 'PartialType')
    .flatMap((one) => Object.entries(members(one) ?? {}).filter(isRequired))
    .map(([name]) => name)
}

/** A codec that fails at it does not take it. */
const mayBeMissing = (codec: Codec): boolean =>
  E.getOrElse(() => false)(
    E.tryCatch(
      () => E.isRight(codec.decode(undefined)),
      () => undefined,
    ),
  )
