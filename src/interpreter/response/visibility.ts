/**
 * What is shown to whom: from the marks of an operation, the restrictions of its codecs and who asks, to how values are
 * written. Everything that writes by a codec asks here, and pays for it only where the answer depends on who asks.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { roleKey, visibilityOf } from '../../codec/visibility/visibility.ts'
import type { VisibilityRules } from '../../body/visibility.ts'
import { defaultVisibility } from '../../body/visibility.ts'
import type { WriteContext } from './write-context.ts'

/** The projection of a codec's values for who asks. */
export const callerProjection = (
  codec: Codec,
  projecting: VisibilityRules,
  asking: Pick<WriteContext, 'authenticated'>,
): Visibility => visibilityOf(codec, projecting.view, granting(projecting, rolesOf(asking)))

type Grants = (roles: ReadonlyArray<string>) => boolean

/** Nobody in particular has no roles. */
const rolesOf = ({ authenticated }: Pick<WriteContext, 'authenticated'>): ReadonlyArray<string> =>
  authenticated?.principal.roles ?? noRoles

const noRoles: ReadonlyArray<string> = []

const granting = (
  { secure, rolesOf: resolved }: VisibilityRules,
  own: ReadonlyArray<string>,
): Grants => {
  if (!secure) return () => true
  return (roles) => resolved(roles).some((role) => own.includes(role))
}

/** Writes a value of one kind. */
type Write<R> = (value: unknown) => R

/** How values are written: the same for everybody, or as who asks may see them. */
export type VisibleWriter<R> =
  | { readonly _tag: 'Always'; readonly write: Write<R> }
  | { readonly _tag: 'ByAsker'; readonly writeFor: (asking: WriteContext) => Write<R> }

/** Prepares writing by a codec; `make` is called once for each projection that is met. */
export const visibleWriter = <R>(
  codec: Codec,
  said: VisibilityRules | undefined,
  make: (projection: Visibility) => Write<R>,
): VisibleWriter<R> => {
  const projecting = said ?? defaultVisibility
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
      const own = asking.authenticated?.principal.roles
      let granted = ''
      if (own !== undefined)
        for (const roles of asked) granted += roles.some((role) => own.includes(role)) ? '1' : '0'
      const before = writes.get(granted)
      if (before !== undefined) return before
      const made = make(callerProjection(codec, projecting, asking))
      if (writes.size >= mostGrants) writes.clear()
      writes.set(granted, made)
      return made
    },
  }
}

/** Combinations of roles that are remembered of one codec. */
const mostGrants = 256

/** How values are written for who asks. */
export const writerForCaller = <R>(one: VisibleWriter<R>, asking: WriteContext): Write<R> =>
  one._tag === 'Always' ? one.write : one.writeFor(asking)

/** What is written, as a function of the value and of who asks. */
export const writeVisible = <R>(
  one: VisibleWriter<R>,
): ((value: unknown, asking: WriteContext) => R) =>
  one._tag === 'Always' ? one.write : (value, asking) => one.writeFor(asking)(value)
