/** What a context tells of who asks: what the last authentication filter has found out. */
import type { Principal, SecurityContext } from '../../endpoint/context.ts'
import type { RequestInfo } from './request-info.ts'

/** Who asks, as far as it is known when it is asked. */
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
