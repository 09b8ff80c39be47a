/** Who may call an operation. It is checked behind authentication and before the body is read; 401 or 403 when it refuses. */
import type { Mark } from './mark.ts'
import { mark } from './mark.ts'

/** Anybody. Worth saying only inside something that is restricted. */
export const permitAll: Mark = mark({ access: { _tag: 'PermitAll' } })

/** Nobody: 401 for somebody who is not known, else 403. */
export const denyAll: Mark = mark({ access: { _tag: 'DenyAll' } })

/** Everybody who is known; others are answered with 401 and the challenges of the authentication filters around. */
export const authenticated: Mark = mark({ access: { _tag: 'Authenticated' } })

/** Everybody with one of the roles: 401 for somebody who is not known, 403 for somebody without such a role. */
export const rolesAllowed = (...roles: readonly [string, ...string[]]): Mark =>
  mark({ access: { _tag: 'Roles', roles: Object.freeze(roles) } })
