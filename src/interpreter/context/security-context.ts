/** The `context.security` of a request: the result of the last authentication filter. */
import type { Principal, SecurityContext } from '../../endpoint/context.ts'
import type { RequestInfo } from './request-info.ts'

/** Reads the current state of the request, because authentication filters may still run. */
export class LazySecurityContext implements SecurityContext {
  readonly #state: Pick<RequestInfo, 'authenticated' | 'exchange'>

  constructor(state: Pick<RequestInfo, 'authenticated' | 'exchange'>) {
    this.#state = state
  }

  get principal(): Principal | undefined {
    return this.#state.authenticated?.principal
  }

  get scheme(): string | undefined {
    return this.#state.authenticated?.scheme
  }

  get hasRole(): SecurityContext['hasRole'] {
    const { principal } = this
    return (role) => principal?.roles.includes(role) ?? false
  }

  get secure(): boolean {
    return this.#state.exchange.origin().startsWith('https:')
  }
}
