/**
 * Decides which object members are visible.
 *
 * A restriction is compared by its view or roles, not by identity, because a recursive codec may create its members anew.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { members } from '../structure/codec-structure.ts'
import { declaredCodecs } from '../structure/declared-members.ts'
import type { Hides, Restriction, View } from './restricted-member.ts'
import { includesView, isRestricted } from './restricted-member.ts'
import { innerCodecs, reachableCodecs, restrictionsIn } from './restrictions.ts'

/** The rules that decide which members are hidden. Equal rules share one object, because codecs are cached by it. */
export interface Visibility {
  readonly hides: Hides
}

/** Hides nothing. */
export const fullVisibility: Visibility = Object.freeze({ hides: () => false })

/**
 * Returns the visibility of the values of a codec, for a view and for the roles that `grants` accepts. Without a view, all
 * members are included. Returns {@link fullVisibility} if no restriction of the codec applies.
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

/** Identifies a restriction by its roles. */
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

/**
 * Maximum number of cached combinations for each view. When it is exceeded, the cache is cleared and codecs are compiled
 * again.
 */
const maxVisibilities = 256

const visibilities = new Map<View | undefined, Map<string, Visibility>>()

/**
 * Whether the member with this codec is hidden. Restrictions inside collections, unions and wrappers count, but not those of
 * members of a nested object.
 */
export const isHidden = (codec: Codec, { hides }: Visibility): boolean =>
  reachableCodecs(codec, (one) => (members(one) === undefined ? innerCodecs(one) : none)).some(
    (one) => isRestricted(one) && hides(one.restriction),
  )

const none: ReadonlyArray<never> = []

/** Whether a codec has a restriction that does not belong to an object member, so that it cannot hide one. */
export const isRestrictedOutsideObject = (codec: Codec): boolean =>
  isHidden(codec, { hides: () => true })

/** Returns a predicate that tests whether one of the codecs, which describe the same value, hides a member. */
export const hidesMember =
  (codecs: ReadonlyArray<Codec>, visibility: Visibility) =>
  (name: string): boolean =>
    codecs.flatMap(declaredCodecs(name)).some((member) => isHidden(member, visibility))

/** Returns the names of hidden members that are required. */
export const hiddenRequiredMembers = (
  codec: Codec,
  visibility: Visibility,
): ReadonlyArray<string> => {
  if (visibility === fullVisibility) return none
  const isShown = (member: Codec): boolean => !isHidden(member, visibility)
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

/** Whether the codec decodes `undefined`. If it throws, it does not. */
const mayBeMissing = (codec: Codec): boolean =>
  E.getOrElse(() => false)(
    E.tryCatch(
      () => E.isRight(codec.decode(undefined)),
      () => undefined,
    ),
  )
