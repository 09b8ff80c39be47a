/**
 * Adds an authorization filter to the filter chain of an operation. The filter enforces the declared access.
 *
 * The filter runs after the authentication filters and before the body is read. Its errors are processed by error mappers and
 * response filters.
 */
import * as E from 'fp-ts/lib/Either.js'
import { clientCertificateScheme } from '../endpoint/authentication.ts'
import type { Context } from '../endpoint/context.ts'
import type { RequestFilter } from '../endpoint/filter.ts'
import { defaultOrder } from '../endpoint/filter.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import { Forbidden, Unauthorized } from '../endpoint/http-error.ts'
import type { Access } from '../endpoint/definition/attributes.ts'
import type { Route } from './flatten.ts'
import { routeIssue } from './flatten.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'
import type { Plan } from './plan.ts'
import type { Configuration } from './settings/resolve-expressions.ts'
import { resolveExpression } from './settings/resolve-expressions.ts'

/** Returns the value of a property, or `undefined` if the property is not set. */
export type PropertyLookup = Configuration['property']

/** The result of {@link checkAccess}: a route, with an authorization filter if it needs one, and configuration errors. */
export interface CheckedRoute {
  readonly route: Route
  readonly errors: ReadonlyArray<ConfigurationIssue>
}

/** The priority of the authorization filter. Authentication filters must have a lower priority value to run before it. */
export const accessPriority = 2000

/**
 * Adds an authorization filter to the filter chain of a route, unless the route permits all callers. Also reports configuration
 * errors in the access rule that the route declares. A contract needs no authentication filters.
 */
export const checkAccess =
  (property: PropertyLookup, isContract: boolean) =>
  (route: Route): CheckedRoute => {
    const { access: declared } = route.attributes
    if (declared === undefined || declared._tag === 'PermitAll')
      return { route: withOptionalAuthentication(route), errors: [] }
    const [access, unresolved] = resolveAccess(declared, property)
    const { early } = route.chain
    const firstAfter = early.findIndex(({ filter }) => filter.priority >= accessPriority)
    const index = firstAfter < 0 ? early.length : firstAfter
    const before = early.slice(0, index)
    const authentications = before.flatMap(({ filter }) => filter.authentication ?? [])
    const challenges = authentications.flatMap(({ challenge, silent }) =>
      silent ? [] : [challenge],
    )
    const filter = accessFilter(
      accessDecision(access, authentications.length === 0 ? undefined : challenges),
    )
    return {
      route: {
        ...route,
        attributes: { ...route.attributes, access },
        chain: { ...route.chain, early: [...before, { filter, needs: [] }, ...early.slice(index)] },
      },
      errors: [
        ...unresolved.map(routeIssue(route, 'FW-ACCESS-001')),
        ...(authentications.length === 0 && access._tag !== 'DenyAll' && !isContract
          ? [routeIssue(route, 'FW-ACCESS-002')(missingAuthentication)]
          : []),
      ],
    }
  }

/** The remedy for an operation that depends on the principal, but has no authentication filter. */
export const missingAuthentication = `add an authentication filter with a priority below ${accessPriority}: withFilter(basic({ … }))`

/**
 * Makes authentication filters with `proactive: false` treat requests as anonymous instead of rejecting them. Used for operations
 * that permit all callers.
 */
const withOptionalAuthentication = (route: Route): Route => ({
  ...route,
  chain: { ...route.chain, permitsAnonymous: true },
})

/** Resolves the property expressions in the declared roles. An expression can resolve to a comma-separated list of roles. */
const resolveAccess = (
  access: Access,
  property: PropertyLookup,
): readonly [access: Access, unresolved: ReadonlyArray<string>] => {
  if (access._tag !== 'Roles') return [access, []]
  const results = access.roles.map((role) => resolveRoles(role, property))
  return [
    { _tag: 'Roles', roles: results.flatMap((roles) => (E.isRight(roles) ? roles.right : [])) },
    results.flatMap((roles) => (E.isLeft(roles) ? [roles.left] : [])),
  ]
}

/**
 * Resolves the property expressions in a role. If an expression or a role name is invalid, returns a `Left` that describes how to
 * fix the error.
 */
export const resolveRoles = (
  role: string,
  property: PropertyLookup,
): E.Either<string, ReadonlyArray<string>> => {
  if (!role.includes('${')) return role === '' ? E.left('missing role name') : E.right([role])
  const expanded = resolveExpression(role, property)
  if (E.isLeft(expanded)) return E.left(`${role}: ${expanded.left.join('; ')}`)
  const roles = expanded.right.split(',').map((name) => name.trim())
  return roles.includes('') ? E.left(`${role}: missing role name`) : E.right(roles)
}

/** The name of the filter that checks the access rule of an operation. */
export const accessFilterName = 'accessRule'

/** Returns an error if access is denied, or `undefined` if access is granted. */
type AccessDecision = (context: Context) => HttpError | undefined

const accessFilter = (run: AccessDecision): RequestFilter => ({
  _tag: 'RequestFilter',
  ...defaultOrder,
  name: accessFilterName,
  priority: accessPriority,
  nonBlocking: true,
  run,
  needs: new Map(),
  gives: new Map(),
  responses: [],
  authentication: undefined,
})

/** The messages of access errors name principals and roles, so they are not sent to clients. */
const logOnly = { expose: false }

/**
 * Creates a function that grants or denies access. If `challenges` is `undefined`, anonymous callers receive 403 instead of 401,
 * because a 401 response requires a challenge (RFC 9110, 15.5.2).
 */
const accessDecision =
  (access: Access, challenges: ReadonlyArray<string> | undefined): AccessDecision =>
  ({ security }) => {
    const { principal } = security
    if (principal === undefined)
      return challenges === undefined
        ? new Forbidden('access denied', logOnly)
        : new Unauthorized(challenges, 'authentication required', logOnly)
    switch (access._tag) {
      case 'Authenticated':
      case 'PermitAll':
        return undefined
      case 'DenyAll':
        return new Forbidden('access denied', logOnly)
      case 'Roles':
        return access.roles.some(security.hasRole)
          ? undefined
          : new Forbidden(
              `${principal.name} has none of the required roles: ${access.roles.join(', ')}`,
              logOnly,
            )
    }
  }

/** The operations that have `mutualTls`, but no other authentication filter. */
export interface CertificateAuthentication {
  /** The operations that require an authenticated caller. Without certificates, every request to them is rejected. */
  readonly required: ReadonlyArray<string>
  /** The operations that also permit anonymous callers. Without certificates, all their callers are anonymous. */
  readonly optional: ReadonlyArray<string>
}

/** Returns the operations that depend on client certificates. */
export const certificateAuthentication = (
  plans: ReadonlyArray<Plan>,
): CertificateAuthentication => {
  const dependent = plans.filter(({ chain: { early } }) => {
    const schemes = early.flatMap(({ filter }) => filter.authentication?.scheme ?? [])
    return schemes.length > 0 && schemes.every((scheme) => scheme === clientCertificateScheme)
  })
  const titles = (isRequired: boolean): ReadonlyArray<string> =>
    dependent.filter((plan) => requiresCaller(plan) === isRequired).map(operationTitle)
  return { required: titles(true), optional: titles(false) }
}

/** Whether an operation requires an authenticated caller. */
export const requiresCaller = ({ attributes: { access } }: Plan): boolean =>
  access?._tag === 'Roles' || access?._tag === 'Authenticated'
