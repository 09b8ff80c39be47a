/**
 * What is shown to whom: from the marks of an operation, the restrictions of its codecs and who asks, to how values are
 * written. Everything that writes by a codec asks here, and pays for it only where the answer depends on who asks.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { roleKey, visibilityOf } from '../../codec/visibility/visibility.ts'
import type { Projecting } from '../../body/visibility.ts'
import { unsaid } from '../../body/visibility.ts'
import type { Asking } from './write-context.ts'

/** The projection of a codec's values for who asks. */
export const projectionFor = (
  codec: Codec,
  projecting: Projecting,
  asking: Pick<Asking, 'identity'>,
): Visibility => visibilityOf(codec, projecting.view, granting(projecting, rolesOf(asking)))

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
  said: Projecting | undefined,
  make: (projection: Visibility) => Write<R>,
): Projected<R> => {
  const projecting = said ?? unsaid
  const names = new Map(
    restrictionsIn(codec).flatMap((one) =>
      one._tag === 'Roles' ? [[roleKey(one.roles), projecting.rolesOf(one.roles)] as const] : [],
    ),
  )
  if (names.size === 0 || !projecting.secure)
    return {
      _tag: 'Always',
      write: make(visibilityOf(codec, projecting.view, () => true)),
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

/** How values are written for who asks. */
export const writeFor = <R>(one: Projected<R>, asking: Asking): Write<R> =>
  one._tag === 'Always' ? one.write : one.writeFor(asking)

/** What is written, as a function of the value and of who asks. */
export const written = <R>(one: Projected<R>): ((value: unknown, asking: Asking) => R) =>
  one._tag === 'Always' ? one.write : (value, asking) => one.writeFor(asking)(value)
