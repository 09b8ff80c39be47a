/** The environment in which a client reads and writes the bodies of an operation. */
import type { EntityProviders } from '../body/entity/entity-providers.ts'
import type { JsonSettings } from '../body/json/json-rules.ts'
import type { Context, EndpointInfo } from '../endpoint/context.ts'

export interface BodyEnvironment {
  /** The readers, writers and interceptors that apply to the operation. */
  readonly entities: EntityProviders
  /** The context of these functions. */
  readonly context: Context
  /** The default JSON library, and the back end of codecs. */
  readonly jsonSettings: JsonSettings
}

/**
 * Creates the context that readers, writers and interceptors receive on a client. Only `endpoint` is available: accessing
 * members that exist only on a server throws a `TypeError`.
 */
export const clientContext = (endpoint: EndpointInfo): Context => {
  const unavailable = (member: string): never => {
    throw new TypeError(
      `${endpoint.name}: context.${member} is not available on a client: restrict the function with onlyOn('server')`,
    )
  }
  return {
    endpoint,
    get request(): never {
      return unavailable('request')
    },
    get uri(): never {
      return unavailable('uri')
    },
    get security(): never {
      return unavailable('security')
    },
    get application(): never {
      return unavailable('application')
    },
    get response(): never {
      return unavailable('response')
    },
    onEnd: () => unavailable('onEnd'),
    logger: () => unavailable('logger'),
    elapsed: () => unavailable('elapsed'),
  }
}
