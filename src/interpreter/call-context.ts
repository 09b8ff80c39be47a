/**
 * The context of a call: what a handler, a filter or a mapper may ask for. It is worked out when it is asked for, because
 * most never is, and members of a class cost nothing until then.
 */
import type {
  Application,
  Context,
  End,
  EndpointInfo,
  RequestContext,
  ResponseContext,
  ResponseFields,
  SecurityContext,
  Surroundings,
  UriInfo,
} from '../endpoint/context.ts'
import type { Logger } from '../endpoint/logger.ts'
import * as Headers from '../http/headers.ts'
import type { Call } from './call.ts'
import { carrying } from './logger.ts'
import { requestContext } from './request-context.ts'
import { securityContext } from './security-context.ts'
import { uriInfo } from './uri-info.ts'

class CallSurroundings implements Surroundings {
  readonly #call: Call
  #request: RequestContext | undefined = undefined
  #uri: UriInfo | undefined = undefined

  constructor(call: Call) {
    this.#call = call
  }

  get request(): RequestContext {
    return (this.#request ??= requestContext(this.#call))
  }

  get uri(): UriInfo {
    return (this.#uri ??= uriInfo(this.#call))
  }

  get security(): SecurityContext {
    return securityContext(this.#call)
  }

  get application(): Application {
    return this.#call.program.application
  }

  get response(): ResponseFields {
    const call = this.#call
    return {
      addHeader: (name, value) => {
        call.added = Headers.append(call.added, name, value)
      },
    }
  }

  get onEnd(): (close: (end: End) => unknown) => void {
    const call = this.#call
    return (close) => call.onEnd(close)
  }

  get logger(): (category: string) => Logger {
    const call = this.#call
    const members = (): { readonly id: string } => ({ id: call.id })
    return (category) => carrying(members, call.program.loggerOf(category))
  }

  get elapsed(): () => number {
    const call = this.#call
    return () => call.elapsed()
  }
}

/** Around a request that was matched. */
export class CallContext extends CallSurroundings implements Context {
  readonly endpoint: EndpointInfo

  constructor(call: Call, endpoint: EndpointInfo) {
    super(call)
    this.endpoint = endpoint
  }
}

/** Around a request that has not been matched, or matched nothing. */
export class UnmatchedContext extends CallSurroundings implements ResponseContext {
  readonly endpoint = undefined
}
