/**
 * What readers, writers and interceptors find around them on a client. Half of their context is of a server: a request that came,
 * and who sent it. Whoever asks a client for that made a mistake, and hears of it.
 */
import type { Context, EndpointInfo } from '../endpoint/context.ts'

export const surroundingsOf = (endpoint: EndpointInfo): Context => {
  const absent = (what: string): never => {
    throw new TypeError(`${endpoint.name}: there is no ${what} on a client: say onlyOn('server')`)
  }
  return {
    endpoint,
    get request(): never {
      return absent('request that came')
    },
    get uri(): never {
      return absent('URI of a request that came')
    },
    get security(): never {
      return absent('somebody who asks')
    },
    get application(): never {
      return absent('application')
    },
    get response(): never {
      return absent('response to add fields to')
    },
    onEnd: () => absent('request that ends'),
    logger: () => absent('logger'),
    elapsed: () => absent('request that takes time'),
  }
}
