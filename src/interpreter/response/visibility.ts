/**
 * What is shown to whom: from the marks of an operation, the restrictions of its codecs and who asks, to how values are
 * written. Everything that writes by a codec asks here, and pays for it only where the answer depends on who asks.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Projection } from '../../codec/visibility/visibility.ts'
import {
  isOpaqueSomewhere,
  nameOf,
  projectionOf,
  restrictionsIn,
} from '../../codec/visibility/visibility.ts'
import type { Hides } from '../../codec/visibility/restricted-member.ts'
import {
  hasMembersOf,
  isAnyRestricted,
  writtenFor,
} from '../../codec/visibility/restricted-member.ts'
import type { Projecting } from '../../body/visibility.ts'
import { unsaid } from '../../body/visibility.ts'
import type { Asking } from './write-context.ts'

/** The projection of a codec's values for who asks. */
export const projectionFor = (
  codec: Codec,
  projecting: Projecting,
  asking: Pick<Asking, 'identity'>,
): Projection => projectionOf(codec, projecting.view, granting(projecting, rolesOf(asking)))

type Grants = (roles: ReadonlyArray<string>) => boolean

/** Nobody in particular has no roles. */
const rolesOf = ({ identity }: Pick<Asking, 'identity'>): ReadonlyArray<string> =>
  identity?.principal.roles ?? noRoles

const noRoles: ReadonlyArray<string> = []

const granting = (
  { secure, rolesOf: resolved }: Projecting,
  own: ReadonlyArray<string>,
): Grants => {
  if (!secure) return () => true
  return (roles) => resolved(roles).some((role) => own.includes(role))
}

/** Writes a value of one kind. */
type Write<R> = (value: unknown) => R

/** How values are written: the same for everybody, or as who asks may see them. */
export type Projected<R> =
  | { readonly _tag: 'Always'; readonly write: Write<R> }
  | { readonly _tag: 'ByAsker'; readonly writeFor: (asking: Asking) => Write<R> }

/** Prepares writing by a codec; `make` is called once for each projection that is met. */
export const projected = <R>(
  codec: Codec,
  projecting: Projecting | undefined,
  make: (projection: Projection) => Write<R>,
): Projected<R> => {
  const said = projecting ?? unsaid
  const chosen = byProjection(codec, said, make)
  return isOpaqueSomewhere(codec) ? guarded(said, chosen) : chosen
}

const byProjection = <R>(
  codec: Codec,
  projecting: Projecting,
  make: (projection: Projection) => Write<R>,
): Projected<R> => {
  const names = new Map(
    restrictionsIn(codec).flatMap((one) =>
      one._tag === 'Roles' ? [[nameOf(one.roles), projecting.rolesOf(one.roles)] as const] : [],
    ),
  )
  if (names.size === 0 || !projecting.secure)
    return {
      _tag: 'Always',
      write: make(projectionOf(codec, projecting.view, () => true)),
    }
  const asked = [...names.values()]
  const writes = new Map<string, Write<R>>()
  return {
    _tag: 'ByAsker',
    writeFor: (asking) => {
      const own = asking.identity?.principal.roles
      let granted = ''
      if (own !== undefined)
        for (const roles of asked) granted += roles.some((role) => own.includes(role)) ? '1' : '0'
      const before = writes.get(granted)
      if (before !== undefined) return before
      const made = make(projectionFor(codec, projecting, asking))
      if (writes.size >= mostGrants) writes.clear()
      writes.set(granted, made)
      return made
    },
  }
}

/** Combinations of roles that are remembered of one codec. */
const mostGrants = 256

/** What a codec that says nothing of itself calls inside is hidden by whoever writes, while it writes. */
const guarded = <R>(projecting: Projecting, inside: Projected<R>): Projected<R> => {
  const known = new WeakMap<Write<R>, Map<string, Write<R>>>()
  return {
    _tag: 'ByAsker',
    writeFor: (asking) => {
      const write = inside._tag === 'Always' ? inside.write : inside.writeFor(asking)
      if (!isAnyRestricted()) return write
      const own = rolesOf(asking)
      const key = own.length === 0 || !projecting.secure ? '' : JSON.stringify(own)
      const byRoles = known.get(write) ?? new Map<string, Write<R>>()
      known.set(write, byRoles)
      const before = byRoles.get(key)
      if (before !== undefined) return before
      const hides = hiding(projecting, own)
      const made: Write<R> = (value) => writtenFor(hides, write, value)
      unguardeds.set(made, write)
      if (byRoles.size >= mostGrants) byRoles.clear()
      byRoles.set(key, made)
      return made
    },
  }
}

const unguardeds = new WeakMap<Function, Function>()

/** What a way of writing is, but for what codecs hide that nobody sees from outside. */
export const unguarded = (write: Function): Function => unguardeds.get(write) ?? write

const hiding = (projecting: Projecting, own: ReadonlyArray<string>): Hides => {
  const grants = granting(projecting, own)
  const { view } = projecting
  return (restriction) =>
    restriction._tag === 'View'
      ? view !== undefined && !hasMembersOf(view, restriction.view)
      : !grants(restriction.roles)
}

/** The same for a function of the application's own, which may encode by any codec while it runs. */
export const guardedBy = <A, B>(
  projecting: Projecting | undefined,
  asking: Asking,
  write: (value: A) => B,
  value: A,
): B =>
  isAnyRestricted()
    ? writtenFor(hiding(projecting ?? unsaid, rolesOf(asking)), write, value)
    : write(value)

/** How values are written for who asks. */
export const writeFor = <R>(one: Projected<R>, asking: Asking): Write<R> =>
  one._tag === 'Always' ? one.write : one.writeFor(asking)

/** What is written, as a function of the value and of who asks. */
export const written = <R>(one: Projected<R>): ((value: unknown, asking: Asking) => R) =>
  one._tag === 'Always' ? one.write : (value, asking) => one.writeFor(asking)(value)
