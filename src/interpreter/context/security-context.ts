/** What a context tells of who asks: what the last authentication filter has found out. */
import type { Principal, SecurityContext } from '../../endpoint/context.ts'
import type { RequestInfo } from './request-info.ts'

/** Who asks, as far as it is known when it is asked. */
export class LazySecurityContext implements SecurityContext {
  readonly #call: Pick<RequestInfo, 'identity' | 'exchange'>

  constructor(call: Pick<RequestInfo, 'identity' | 'exchange'>) {
    this.#call = call
  }

  get principal(): Principal | undefined {
    return this.#call.identity?.principal
  }

  get scheme(): string | undefined {
    return this.#call.identity?.scheme
  }

  get hasRole(): SecurityContext['hasRole'] {
    const { principal } = this
    return (role) => principal?.roles.includes(role) ?? false
  }

  get secure(): boolean {
    return this.#call.exchange.origin().startsWith('https:')
  }
}
