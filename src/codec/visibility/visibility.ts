/**
 * Determines which object members are visible.
 *
 * Restrictions with the same view or the same roles are considered equal, even if they are different objects. The reason is that
 * recursive codecs can create their members repeatedly.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { members } from '../codec-structure.ts'
import { declaredCodecs, ownNames } from '../structure/undeclared-members.ts'
import type { Hides, Restriction, View } from '../structure/restricted-member.ts'
import { includesView, isRestricted } from '../structure/restricted-member.ts'
import { innerCodecs, reachableCodecs, restrictionsIn } from './restrictions.ts'
import * as t from 'io-ts'

/**
 * A set of rules that determines which members are hidden. Equal sets are represented by the same object, because this object
 * is used as the key for cached codecs.
 */
export interface Visibility {
  readonly hides: Hides
}

/** The visibility that hides no members. */
export const fullVisibility: Visibility = Object.freeze({ hides: () => false })

/** The visibility of received responses: the server determines which restricted members it omits, so that any of them can be missing. */
export const partialView: Visibility = Object.freeze({ hides: () => false })

/** Returns {@link partialView}, or {@link fullVisibility} for a codec without restrictions. */
export const partialViewOf = (codec: Codec): Visibility =>
  restrictionsIn(codec).length === 0 ? fullVisibility : partialView

/**
 * Returns the visibility of members for a codec, a view, and the roles of a principal. `grants` returns whether the principal
 * has one of the given roles. If `view` is `undefined`, no members are hidden by views. Returns {@link fullVisibility} if no
 * restriction in the codec hides a member.
 */
export const visibilityOf = (
  codec: Codec,
  view: View | undefined,
  grants: (roles: ReadonlyArray<string>) => boolean,
): Visibility => {
  const restrictions = restrictionsIn(codec)
  const hidden = restrictions.filter((restriction) =>
    restriction._tag === 'View'
      ? view !== undefined && !includesView(view, restriction.view)
      : !grants(restriction.roles),
  )
  if (hidden.length === 0) return fullVisibility
  const granted = restrictions.flatMap((restriction) =>
    restriction._tag === 'Roles' && grants(restriction.roles) ? [roleKey(restriction.roles)] : [],
  )
  return sharedVisibility(view, [...new Set(granted)].toSorted())
}

/** Returns a string that identifies a list of roles. */
export const roleKey = (roles: ReadonlyArray<string>): string => JSON.stringify(roles)

const sharedVisibility = (view: View | undefined, granted: ReadonlyArray<string>): Visibility => {
  const cache = visibilities.get(view) ?? new Map<string, Visibility>()
  visibilities.set(view, cache)
  const key = granted.join()
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const names = new Set(granted)
  const visibility: Visibility = Object.freeze({
    hides: (restriction: Restriction) =>
      restriction._tag === 'View'
        ? view !== undefined && !includesView(view, restriction.view)
        : !names.has(roleKey(restriction.roles)),
  })
  if (cache.size >= maxVisibilities) cache.clear()
  cache.set(key, visibility)
  return visibility
}

/**
 * Maximum number of role combinations that are cached for each view. If the limit is exceeded, the cache is cleared, and codecs
 * are compiled again.
 */
const maxVisibilities = 256

const visibilities = new Map<View | undefined, Map<string, Visibility>>()

/**
 * Returns the restrictions of an object member with this codec. A restriction inside a collection, union or wrapper also applies to the
 * member. A restriction on a member of a nested object applies only to that nested member.
 */
export const memberRestrictions = (codec: Codec): ReadonlyArray<Restriction> =>
  reachableCodecs(codec, (part) => (members(part) === undefined ? innerCodecs(part) : none))
    .filter(isRestricted)
    .map(({ restriction }) => restriction)

/** Whether an object member with this codec is hidden. */
export const isHidden = (codec: Codec, { hides }: Visibility): boolean =>
  memberRestrictions(codec).some(hides)

const none: ReadonlyArray<never> = []

/** Whether a codec contains a restriction that is not placed on an object member. Such a restriction cannot hide a member. */
export const isRestrictedOutsideObject = (codec: Codec): boolean =>
  memberRestrictions(codec).length > 0

/** Returns a function that tests whether a member is hidden by any of several codecs for the same value. */
export const hidesMember =
  (codecs: ReadonlyArray<Codec>, visibility: Visibility) =>
  (name: string): boolean =>
    codecs.flatMap(declaredCodecs(name)).some((member) => isHidden(member, visibility))

/** Returns the names of members that are hidden although they are required. */
export const hiddenRequiredMembers = (
  codec: Codec,
  visibility: Visibility,
): ReadonlyArray<string> => {
  if (visibility === fullVisibility) return none
  const isShown = (member: Codec): boolean => !isHidden(member, visibility)
  const visibleParts = (part: Codec): ReadonlyArray<Codec> => {
    const props = members(part)
    return props === undefined ? innerCodecs(part) : Object.values(props).filter(isShown)
  }
  const isRequired = ([, member]: readonly [string, Codec]): boolean =>
    !isShown(member) && !mayBeMissing(member)
  return reachableCodecs(codec, visibleParts)
    .filter(({ _tag }) => _tag !== 'PartialType')
    .flatMap((part) => Object.entries(members(part) ?? {}).filter(isRequired))
    .map(([name]) => name)
}

/** Whether a codec accepts a missing member. Returns `false` if the codec throws an error. */
const mayBeMissing = (codec: Codec): boolean =>
  E.getOrElse(() => false)(
    E.tryCatch(
      () => E.isRight(codec.decode(undefined)),
      () => undefined,
    ),
  )

/**
 * Returns a function that removes the members hidden by `others` from encoded values of a codec. Returns `undefined` if no member can be
 * hidden.
 */
export const maskFor = (
  codec: Codec,
  others: ReadonlyArray<Codec>,
  visibility: Visibility,
): ((encoded: unknown) => unknown) | undefined => {
  if (visibility === fullVisibility) return undefined
  const hiding = others.filter((other) => restrictionsIn(other).length > 0)
  // a codec for values without members cannot encode a hidden member
  return hiding.length === 0 || declaredCodecs()(codec).length === 0
    ? undefined
    : mask(hiding, visibility)
}

/** Returns a function that removes all members hidden by at least one of `codecs`, at any depth of an encoded value. */
const mask =
  (codecs: ReadonlyArray<Codec>, visibility: Visibility) =>
  (value: unknown): unknown => {
    if (codecs.length === 0) return value
    if (t.UnknownArray.is(value)) {
      const elements = mask(codecs.flatMap(declaredCodecs()), visibility)
      return value.map(elements)
    }
    if (!t.UnknownRecord.is(value)) return value
    const isHiddenMember = hidesMember(codecs, visibility)
    return Object.fromEntries(
      ownNames(value)
        .filter((key) => !isHiddenMember(key))
        .map((key) => [key, mask(codecs.flatMap(declaredCodecs(key)), visibility)(value[key])]),
    )
  }
