/** Describes how callers authenticate, and the access rules of operations. */
import { requiresCaller } from '../../compiler/access.ts'
import type { FilterChain } from '../../compiler/filter-chain.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Authentication } from '../../endpoint/filter.ts'
import type { OAuthFlow, SecuritySchemeObject } from '../../endpoint/security-scheme.ts'
import type { SecurityRequirement } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { distinct } from '../schema/combine-schemas.ts'
import { isEqual } from './unite-content.ts'

/** Returns the authentication filters that apply to an operation. */
export const authenticationsOf = ({
  early,
  request,
}: Pick<FilterChain, 'early' | 'request'>): ReadonlyArray<Authentication> =>
  [...early, ...request].flatMap(({ filter }) => filter.authentication ?? [])

/** Whether an operation requires an authenticated caller, but has no authentication filter, which is possible in a contract. */
export const lacksAuthentication = (plan: Plan): boolean =>
  requiresCaller(plan) && authenticationsOf(plan.chain).length === 0

/** Security schemes, and the names that they have in a document. */
export interface SecuritySchemes {
  readonly names: ReadonlyMap<SecuritySchemeObject, string>
  readonly schemes: Readonly<Record<string, SecuritySchemeObject>>
}

/** Collects the security schemes of operations. Different schemes with the same name are numbered. */
export const collectSecuritySchemes = (plans: ReadonlyArray<Plan>): SecuritySchemes => {
  const names = new Map<SecuritySchemeObject, string>()
  const schemes = new Map<string, SecuritySchemeObject>()
  const authentications = new Set(plans.flatMap(({ chain }) => authenticationsOf(chain)))
  for (const { name, scheme } of [...authentications].flatMap((filter) => filter.schemes)) {
    if (names.has(scheme)) continue
    const unused = uniqueName(name, (taken) => {
      const other = schemes.get(taken)
      return other === undefined || isEqual(other, scheme)
    })
    names.set(scheme, unused)
    schemes.set(unused, scheme)
  }
  return { names, schemes: Object.fromEntries(schemes) }
}

const uniqueName = (name: string, isFree: (name: string) => boolean, number = 1): string => {
  const candidate = number === 1 ? name : `${name}${number}`
  return isFree(candidate) ? candidate : uniqueName(name, isFree, number + 1)
}

/**
 * Returns the security requirements of an operation, of which a request must meet one. Several filters are alternatives, and so are
 * the roles of which the caller must have one. An empty requirement allows anonymous requests.
 */
export const describeSecurity = (
  { chain, attributes: { access } }: Plan,
  { schemeNames }: DocumentContext,
): ReadonlyArray<SecurityRequirement> => {
  const roles = access?._tag === 'Roles' ? access.roles : []
  const requirements = distinct(
    authenticationsOf(chain)
      .flatMap(({ schemes }) => schemes)
      .flatMap(({ scheme }): ReadonlyArray<SecurityRequirement> => {
        const name = schemeNames.get(scheme)
        if (name === undefined) return []
        return roles.length === 0
          ? [{ [name]: [] }]
          : roles.map((role) => ({ [name]: isScope(scheme, role) ? [role] : [] }))
      }),
  )
  if (requirements.length === 0) return []
  const isAnonymous = access === undefined || access._tag === 'PermitAll'
  return isAnonymous ? [{}, ...requirements] : requirements
}

/** Whether a client can request a role as a scope. The scopes of OAuth 2 flows are known, those of other schemes are not. */
const isScope = (scheme: SecuritySchemeObject, role: string): boolean =>
  scheme.type !== 'oauth2' ||
  Object.values(scheme.flows).some((flow: OAuthFlow) => Object.hasOwn(flow.scopes, role))
