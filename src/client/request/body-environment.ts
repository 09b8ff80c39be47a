/** Defines the environment in which an operation reads and writes bodies, and creates the context passed to custom readers and writers. */
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { Context, EndpointInfo } from '../../endpoint/context.ts'

/** The providers and settings with which an operation reads and writes bodies. */
export interface BodyEnvironment {
  /** Readers, writers and interceptors that apply to the operation. */
  readonly entities: EntityProviders
  readonly endpoint: EndpointInfo
  /** Default JSON library, and the back end used to compile codecs. */
  readonly jsonSettings: JsonSettings
}

/**
 * Creates the context that a client passes to readers, writers and interceptors. Only `endpoint` is available. All
 * other members require a server, and accessing them on a client throws a `TypeError`.
 */
export const clientContext = (endpoint: EndpointInfo): Context => {
  const unavailable = (member: string): never => {
    throw new TypeError(
      `${endpoint.name}: context.${member} is not available on the client: restrict the function with onlyOn('server')`,
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
