/**
 * What is shown of values: which restrictions of their codecs hide the members that they stand for. A projection is asked for
 * what a restriction says and not for which object it is, so that a recursive codec that makes its members anew is no way out.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { members } from '../structure/codec-structure.ts'
import { declaredAt } from '../structure/declared-members.ts'
import type { Hides, Restriction, View } from './restricted-member.ts'
import { hasMembersOf, isRestricted } from './restricted-member.ts'
import { parts, reached, restrictionsIn } from './restrictions.ts'

/** Two projections that show the same are one object: what is made for a projection is remembered by it. */
export interface Projection {
  readonly hides: Hides
}

/** Shows everything. */
export const whole: Projection = Object.freeze({ hides: () => false })

/**
 * The projection of a codec's values: the members of a view, or of all, and of the restrictions by roles those that `grants`
 * lets through. Where it hides nothing of the codec, it is {@link whole}.
 */
export const projectionOf = (
  codec: Codec,
  view: View | undefined,
  grants: (roles: ReadonlyArray<string>) => boolean,
): Projection => {
  const found = restrictionsIn(codec)
  const hidden = found.filter((restriction) =>
    restriction._tag === 'View'
      ? view !== undefined && !hasMembersOf(view, restriction.view)
      : !grants(restriction.roles),
  )
  if (hidden.length === 0) return whole
  const granted = found.flatMap((one) =>
    one._tag === 'Roles' && grants(one.roles) ? [nameOf(one.roles)] : [],
  )
  return interned(view, [...new Set(granted)].toSorted())
}

/** Restrictions by roles are the same when they name the same roles. */
export const nameOf = (roles: ReadonlyArray<string>): string => JSON.stringify(roles)

const interned = (view: View | undefined, granted: ReadonlyArray<string>): Projection => {
  const known = projections.get(view) ?? new Map<string, Projection>()
  projections.set(view, known)
  const key = granted.join()
  const before = known.get(key)
  if (before !== undefined) return before
  const names = new Set(granted)
  const made: Projection = Object.freeze({
    hides: (restriction: Restriction) =>
      restriction._tag === 'View'
        ? view !== undefined && !hasMembersOf(view, restriction.view)
        : !names.has(nameOf(restriction.roles)),
  })
  if (known.size >= mostProjections) known.clear()
  known.set(key, made)
  return made
}

/** Of one view; a new start is made beyond, which costs compiling codecs again. */
const mostProjections = 256

const projections = new Map<View | undefined, Map<string, Projection>>()

/**
 * Whether a member with this codec is hidden: a restriction that hides stands in it, and no other object between. Through
 * everything else, of one value or of several, it is the same member.
 */
export const isHidden = (codec: Codec, { hides }: Projection): boolean =>
  reached(codec, (one) => (members(one) === undefined ? parts(one) : none)).some(
    (one) => isRestricted(one) && hides(one.restriction),
  )

const none: ReadonlyArray<never> = []

/** Whether a restriction stands around no member of an object, so that there is nothing to hide. */
export const isRestrictedAlone = (codec: Codec): boolean => isHidden(codec, { hides: () => true })

/** Whether values of a codec, or of codecs that describe the same value, are written without a member. */
export const hidesMember =
  (codecs: ReadonlyArray<Codec>, projection: Projection) =>
  (name: string): boolean =>
    codecs.flatMap(declaredAt(name)).some((member) => isHidden(member, projection))

/** The members of objects that are hidden and cannot be missing, by name. */
export const requiredHidden = (codec: Codec, projection: Projection): ReadonlyArray<string> => {
  if (projection === whole) return none
  const isShown = (member: Codec): boolean => !isHidden(member, projection)
  const inside = (one: Codec): ReadonlyArray<Codec> => {
    const own = members(one)
    return own === undefined ? parts(one) : Object.values(own).filter(isShown)
  }
  const isRequired = ([, member]: readonly [string, Codec]): boolean =>
    !isShown(member) && !mayBeMissing(member)
  return reached(codec, inside)
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
