/**
 * Authorization: adds a filter for the declared access to the chain of an operation.
 *
 * The filter runs after the authentication filters and before the body is read. Its errors pass error mappers and response filters.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../endpoint/context.ts'
import type { RequestFilter } from '../endpoint/filter.ts'
import { defaultOrder } from '../endpoint/filter.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import { Forbidden, Unauthorized } from '../endpoint/http-error.ts'
import type { Access } from '../endpoint/internal/attributes.ts'
import type { Route } from './flatten.ts'
import type { ConfigurationErrorCode, Mistake } from '../endpoint/internal/configuration-error.ts'
import type { Configuration } from './settings/configuration.ts'
import { resolveExpression } from './settings/resolve-expressions.ts'
import { routeTitle } from './verify/verify-route.ts'

/** Looks up the text of a property. */
export type PropertyLookup = Configuration['property']

/** A route with its authorization filter, and its configuration errors. */
export interface CheckedRoute {
  readonly route: Route
  readonly errors: ReadonlyArray<Mistake>
}

/** Filters with a lower priority authenticate. */
const checkPriority = 2000

/** Adds the authorization filter to the chain of a route. */
export const checkAccess =
  (property: PropertyLookup) =>
  (route: Route): CheckedRoute => {
    const { access: marked } = route.attributes
    if (marked === undefined || marked._tag === 'PermitAll')
      return { route: withOptionalAuthentication(route), errors: [] }
    const [access, unresolved] = resolved(marked, property)
    const { early } = route.chain
    const behind = early.findIndex(({ filter }) => filter.priority >= checkPriority)
    const at = behind < 0 ? early.length : behind
    const before = early.slice(0, at)
    const ways = before.flatMap(({ filter }) => filter.authentication ?? [])
    const challenges = ways.flatMap(({ challenge, silent }) => (silent ? [] : [challenge]))
    const filter = check(decide(access, ways.length === 0 ? undefined : challenges))
    return {
      route: {
        ...route,
        attributes: { ...route.attributes, access },
        chain: { ...route.chain, early: [...before, { filter, needs: [] }, ...early.slice(at)] },
      },
      errors: [
        ...unresolved.map(configurationError('FW-ACCESS-001', route)),
        ...(ways.length === 0 && access._tag !== 'DenyAll'
          ? [configurationError('FW-ACCESS-002', route)(missingAuthentication)]
          : []),
      ],
    }
  }

const missingAuthentication = `add an authentication filter with a priority below ${checkPriority}: withFilter(basic({ … }))`

const configurationError =
  (code: ConfigurationErrorCode, route: Route) =>
  (remedy: string): Mistake => ({ code, concerns: [routeTitle(route)], remedy })

/** Lets optional authentication filters pass anonymous callers, because the operation permits all. */
const withOptionalAuthentication = (route: Route): Route => ({
  ...route,
  chain: { ...route.chain, permitsAnonymous: true },
})

/** Resolves the expressions in roles. An expression may result in a comma-separated list. */
const resolved = (
  access: Access,
  property: PropertyLookup,
): readonly [access: Access, unresolved: ReadonlyArray<string>] => {
  if (access._tag !== 'Roles') return [access, []]
  const found = access.roles.map((role) => resolveRoles(role, property))
  return [
    { _tag: 'Roles', roles: found.flatMap((roles) => (E.isRight(roles) ? roles.right : [])) },
    found.flatMap((roles) => (E.isLeft(roles) ? [roles.left] : [])),
  ]
}

/** Resolves the expression in a role. */
export const resolveRoles = (
  role: string,
  property: PropertyLookup,
): E.Either<string, ReadonlyArray<string>> => {
  if (!role.includes('${')) return role === '' ? E.left('missing role name') : E.right([role])
  const expanded = resolveExpression(role, property)
  if (E.isLeft(expanded)) return E.left(`${role}: ${expanded.left.join('; ')}`)
  const roles = expanded.right.split(',').map((one) => one.trim())
  return roles.includes('') ? E.left(`${role}: missing role name`) : E.right(roles)
}

type Decide = (context: Context) => HttpError | undefined

const check = (run: Decide): RequestFilter => ({
  _tag: 'RequestFilter',
  ...defaultOrder,
  priority: checkPriority,
  nonBlocking: true,
  run,
  needs: new Map(),
  gives: new Map(),
  responses: [],
  authentication: undefined,
})

/** Responds with 403 instead of 401 without challenges, because 401 requires one (RFC 9110, 15.5.2). */
const decide =
  (access: Access, challenges: ReadonlyArray<string> | undefined): Decide =>
  ({ security }) => {
    const { principal } = security
    if (principal === undefined)
      return challenges === undefined
        ? new Forbidden('access denied')
        : new Unauthorized(challenges, 'authentication required')
    switch (access._tag) {
      case 'Authenticated':
      case 'PermitAll':
        return undefined
      case 'DenyAll':
        return new Forbidden('access denied')
      case 'Roles':
        return access.roles.some(security.hasRole)
          ? undefined
          : new Forbidden(`${principal.name} has none of the roles ${access.roles.join(', ')}`)
    }
  }
