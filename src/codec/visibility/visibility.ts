/**
 * What is shown of values: which restrictions of their codecs hide the members that they stand for. A projection is asked for
 * what a restriction says and not for which object it is, so that a recursive codec that makes its members anew is no way out.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { declaredAt } from '../structure/declared-members.ts'
import { isGenuine, passesOn } from '../structure/genuine.ts'
import { isKnown } from '../structure/known-codec.ts'
import type { Hides, Restriction, View } from './restricted-member.ts'
import { RestrictedEncodingError, hasMembersOf, isRestricted } from './restricted-member.ts'
import type { StandardType } from '../standard-schema/standard-schema.ts'
import { children, members } from '../structure/codec-structure.ts'

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

/** The codecs that a codec is made of, with those of members. */
const parts = (codec: Codec): ReadonlyArray<Codec> =>
  isKnown(codec) && codec._tag === 'DictionaryType'
    ? [codec.domain, codec.codomain]
    : Object.values(members(codec) ?? children(codec))

/**
 * Recursive codecs that are followed from one codec, the nearest first: a definition that makes codecs anew each time that it is
 * asked has no end, and says the same again.
 */
const mostDefinitions = 1000

/** The codecs that are reached from a codec, itself first, each once. */
const reached = (
  codec: Codec,
  next: (one: Codec) => ReadonlyArray<Codec>,
): ReadonlyArray<Codec> => {
  const seen = new Set([codec])
  let definitions = 0
  // what is added while a set is walked through is met behind all others
  for (const one of seen) {
    if (one._tag === 'RecursiveType' && ++definitions > mostDefinitions) continue
    for (const part of next(one)) seen.add(part)
  }
  return [...seen]
}

/** What is found in a codec, at any depth. */
interface Found {
  readonly restrictions: ReadonlyArray<Restriction>
  readonly opaque: ReadonlyArray<Codec>
  readonly schemas: ReadonlyArray<StandardType<unknown, unknown>>
}

const foundIn = (codec: Codec): Found => {
  const known = findings.get(codec)
  if (known !== undefined) return known
  const within = reached(codec, parts)
  const found: Found = {
    restrictions: within.filter(isRestricted).map(({ restriction }) => restriction),
    opaque: within.filter(isOpaque),
    schemas: within.filter(isStandard),
  }
  findings.set(codec, found)
  return found
}

const findings = new WeakMap<Codec, Found>()

const isStandard = (codec: Codec): codec is Codec & StandardType<unknown, unknown> =>
  codec._tag === 'StandardType' && 'keepsUndeclared' in codec

/** All schemas of other libraries in a codec, at any depth. */
export const schemasIn = (codec: Codec): ReadonlyArray<StandardType<unknown, unknown>> =>
  foundIn(codec).schemas

/** All restrictions in a codec, at any depth. */
export const restrictionsIn = (codec: Codec): ReadonlyArray<Restriction> =>
  foundIn(codec).restrictions

/**
 * The opaque codecs in a codec that encode restricted members, as far as this can be detected: their structure shows it, or
 * encoding an empty object or list does. In all other cases, encoding a value throws a {@link RestrictedEncodingError}.
 */
export const opaqueRestrictionsIn = (codec: Codec): ReadonlyArray<Codec> =>
  foundIn(codec).opaque.filter((one) =>
    restrictionsIn(one).length > 0 ? !isKnown(one) : encodesRestricted(one),
  )

const encodesRestricted = (codec: Codec): boolean =>
  codec.encode !== t.identity &&
  [{}, [{}]].some((value) => {
    try {
      codec.encode(value)
      return false
    } catch (error) {
      return error instanceof Error && error.name === restrictedEncodingName
    }
  })

const restrictedEncodingName = new RestrictedEncodingError().name

/** Whether a codec has functions of its own, which may call any other codec. Codecs of objects are rebuilt from their members. */
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
    if (seen.has(one) || path.length > deepest || restrictionsIn(one).length === 0) return none
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
