/**
 * What is shown of values: which restrictions of their codecs hide the members that they stand for. A projection is asked for
 * what a restriction says and not for which object it is, so that a recursive codec that makes its members anew is no way out.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from './codec.ts'
import { declaredAt } from './declared.ts'
import { isGenuine, passesOn } from './compiled/genuine.ts'
import { isKnown } from './known-codec.ts'
import type { Hides, Restriction, View } from './restricted.ts'
import { hasMembersOf, isAnyRestricted, isRestricted } from './restricted.ts'
import { children, members } from './structure.ts'

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

/** A recursive codec whose definition makes another one each time that it is asked is not followed beyond this depth. */
const mostDefinitions = 64

/** The codecs that a codec is made of, with those of members. */
const parts = (codec: Codec): ReadonlyArray<Codec> =>
  isKnown(codec) && codec._tag === 'DictionaryType'
    ? [codec.domain, codec.codomain]
    : Object.values(members(codec) ?? children(codec))

/** Every codec within a codec, itself first, each once. */
const within = (codec: Codec): ReadonlySet<Codec> => {
  const seen = new Set<Codec>()
  const visit = (one: Codec, definitions: number): void => {
    if (seen.has(one) || definitions > mostDefinitions) return
    seen.add(one)
    const deeper = one._tag === 'RecursiveType' ? definitions + 1 : definitions
    for (const part of parts(one)) visit(part, deeper)
  }
  visit(codec, 0)
  return seen
}

/** All restrictions in a codec, at any depth. */
export const restrictionsIn = (codec: Codec): ReadonlyArray<Restriction> => {
  const known = restrictions.get(codec)
  if (known !== undefined) return known
  const found = [...within(codec)].filter(isRestricted).map(({ restriction }) => restriction)
  restrictions.set(codec, found)
  return found
}

const restrictions = new WeakMap<Codec, ReadonlyArray<Restriction>>()

/**
 * Whether a codec says nothing of some part of its structure, which may call any other codec. Objects and records do not count:
 * they are made anew from their members (`codec/exact.ts`).
 */
export const isOpaqueSomewhere = (codec: Codec): boolean => [...within(codec)].some(isOpaque)

/** Whether something may be hidden of values of a codec: what it restricts itself, or a codec inside that nobody sees. */
export const mayHide = (codec: Codec): boolean =>
  restrictionsIn(codec).length > 0 || (isAnyRestricted() && isOpaqueSomewhere(codec))

const isOpaque = (codec: Codec): boolean => {
  if (members(codec) !== undefined || transparent.has(codec._tag ?? '')) return false
  const [inner] = children(codec)
  return !(isGenuine(codec) || (inner !== undefined && passesOn(codec, inner)))
}

const transparent = new Set(['DictionaryType', 'ExactlyType', 'AttemptType', 'ExactType'])

/**
 * Whether a member with this codec is hidden: a restriction that hides stands in it, and no other object between. Through
 * everything else, of one value or of several, it is the same member.
 */
export const isHidden = (codec: Codec, { hides }: Projection): boolean => {
  const seen = new Set<Codec>()
  const reaches = (one: Codec): boolean => {
    if (seen.has(one)) return false
    seen.add(one)
    if (isRestricted(one) && hides(one.restriction)) return true
    return members(one) === undefined && parts(one).some(reaches)
  }
  return reaches(codec)
}

/** Whether a restriction stands around no member of an object, so that there is nothing to hide. */
export const isRestrictedAlone = (codec: Codec): boolean => isHidden(codec, { hides: () => true })

/** Whether values of a codec, or of codecs that describe the same value, are written without a member. */
export const hidesMember =
  (codecs: ReadonlyArray<Codec>, projection: Projection) =>
  (name: string): boolean =>
    codecs.flatMap(declaredAt(name)).some((member) => isHidden(member, projection))

/** The members of objects that are hidden and cannot be missing, by name. */
export const requiredHidden = (codec: Codec, projection: Projection): ReadonlyArray<string> => {
  const seen = new Set<Codec>()
  const below = (one: Codec): ReadonlyArray<string> => {
    if (seen.has(one)) return []
    seen.add(one)
    const own = members(one)
    if (own === undefined) return parts(one).flatMap(below)
    return Object.entries(own).flatMap(([name, member]) =>
      !isHidden(member, projection)
        ? below(member)
        : one._tag === 'PartialType' || mayBeMissing(member)
          ? []
          : [name],
    )
  }
  return projection === whole ? [] : below(codec)
}

/** A codec that fails at it does not take it. */
const mayBeMissing = (codec: Codec): boolean =>
  E.getOrElse(() => false)(
    E.tryCatch(
      () => E.isRight(codec.decode(undefined)),
      () => undefined,
    ),
  )

/** Members within members that are listed; recursive codecs have no end. */
const deepest = 8

/** The restricted members of a codec, each by its path: `author.salary`. */
export const restrictedMembers = (
  codec: Codec,
): ReadonlyArray<readonly [path: string, restriction: Restriction]> => {
  const seen = new Set<Codec>()
  const below = (
    one: Codec,
    path: ReadonlyArray<string>,
  ): ReadonlyArray<readonly [string, Restriction]> => {
    if (seen.has(one) || path.length > deepest) return []
    seen.add(one)
    const own = members(one)
    const inside =
      own === undefined
        ? parts(one).flatMap((part) => below(part, path))
        : Object.entries(own).flatMap(([name, member]) => below(member, [...path, name]))
    seen.delete(one)
    return isRestricted(one) ? [[path.join('.'), one.restriction], ...inside] : inside
  }
  return below(codec, [])
}
