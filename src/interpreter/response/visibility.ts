/**
 * Selects which members of a value are written, depending on the view and on the roles of the caller.
 *
 * Visibility is determined per request only for codecs with role restrictions. Any other codec has one writer for all callers.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { roleKey, visibilityOf } from '../../codec/visibility/visibility.ts'
import type { VisibilityRules } from '../../body/body-plan.ts'
import { defaultVisibility } from '../../body/body-plan.ts'
import type { WriteContext } from './write-body.ts'

/** Determines which members of a codec's values are visible to the caller. */
export const callerVisibility = (
  codec: Codec,
  rules: VisibilityRules,
  context: Pick<WriteContext, 'authenticated'>,
): Visibility => visibilityOf(codec, rules.view, rolePredicate(rules, rolesOf(context)))

type RolePredicate = (roles: ReadonlyArray<string>) => boolean

/** Returns the roles of the caller, or an empty array if the caller is anonymous. */
const rolesOf = ({ authenticated }: Pick<WriteContext, 'authenticated'>): ReadonlyArray<string> =>
  authenticated?.principal.roles ?? noRoles

const noRoles: ReadonlyArray<string> = []

/** Returns a predicate that checks whether the caller has at least one of the roles in a restriction. */
const rolePredicate = (
  { secure, rolesOf: resolveRoles }: VisibilityRules,
  callerRoles: ReadonlyArray<string>,
): RolePredicate => {
  if (!secure) return () => true
  return (roles) => resolveRoles(roles).some((role) => callerRoles.includes(role))
}

type Write<R> = (value: unknown) => R

/**
 * A writer for values that can have restricted members. The function that writes a value is either the same for all callers or
 * depends on the role restrictions that the caller satisfies.
 */
export type VisibleWriter<R> =
  | { readonly _tag: 'Always'; readonly write: Write<R> }
  | { readonly _tag: 'ByCaller'; readonly writerFor: (context: WriteContext) => Write<R> }

/** Creates the writer for a codec. `create` returns the function that writes values with a given visibility. */
export const visibleWriter = <R>(
  codec: Codec,
  declaredRules: VisibilityRules | undefined,
  create: (visibility: Visibility) => Write<R>,
): VisibleWriter<R> => {
  const rules = declaredRules ?? defaultVisibility
  const rolesByKey = new Map(
    restrictionsIn(codec).flatMap((restriction) =>
      restriction._tag === 'Roles'
        ? [[roleKey(restriction.roles), rules.rolesOf(restriction.roles)] as const]
        : [],
    ),
  )
  if (rolesByKey.size === 0 || !rules.secure)
    return {
      _tag: 'Always',
      write: create(visibilityOf(codec, rules.view, () => true)),
    }
  const roleSets = [...rolesByKey.values()]
  const writers = new Map<string, Write<R>>()
  return {
    _tag: 'ByCaller',
    writerFor: (context) => {
      const callerRoles = context.authenticated?.principal.roles
      let granted = ''
      if (callerRoles !== undefined)
        for (const roles of roleSets)
          granted += roles.some((role) => callerRoles.includes(role)) ? '1' : '0'
      const existing = writers.get(granted)
      if (existing !== undefined) return existing
      const created = create(callerVisibility(codec, rules, context))
      if (writers.size >= maxWriters) writers.clear()
      writers.set(granted, created)
      return created
    },
  }
}

/** Maximum number of cached writers per codec. Each set of satisfied role restrictions needs its own writer. */
const maxWriters = 256

/** Returns the function that writes values for the caller. */
export const writerForCaller = <R>(writer: VisibleWriter<R>, context: WriteContext): Write<R> =>
  writer._tag === 'Always' ? writer.write : writer.writerFor(context)

/** Returns a function that writes a value with the function for the caller. */
export const writeVisible = <R>(
  writer: VisibleWriter<R>,
): ((value: unknown, context: WriteContext) => R) =>
  writer._tag === 'Always' ? writer.write : (value, context) => writer.writerFor(context)(value)
