/** What a context tells of who asks: what the last authentication filter has found out. */
import type { Principal, SecurityContext } from '../endpoint/context.ts'
import type { Call } from './call.ts'

/** Somebody, and how it was found out. */
export interface Identity {
  readonly principal: Principal
  readonly scheme: string
}

export const securityContext = ({ identity, exchange }: Call): SecurityContext => ({
  principal: identity?.principal,
  scheme: identity?.scheme,
  hasRole: (role) => identity?.principal.roles.includes(role) ?? false,
  get secure() {
    return exchange.origin().startsWith('https:')
  },
})
