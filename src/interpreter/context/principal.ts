/** Who asks, as an authentication filter has found out. */
import type { Principal } from '../../endpoint/context.ts'

/** Somebody, and how it was found out. */
export interface AuthenticatedPrincipal {
  readonly principal: Principal
  readonly scheme: string
}
