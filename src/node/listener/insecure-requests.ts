/** Determines how requests on the clear-text port are handled if TLS is enabled, and redirects them to TLS. */
import * as O from 'fp-ts/lib/Option.js'
import * as Host from '../../http/host.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { Receive } from '../exchange/received-exchange.ts'
import type { ServerCore } from '../server-core.ts'

/**
 * Returns how requests on the clear-text port are handled. If client certificates are required, the default is to disable the port.
 */
export const insecureRequests = ({
  settings,
  origin,
}: LoadedSettings): Settings['fw.http.insecure-requests'] =>
  settings['fw.http.ssl.client-auth'] === 'required' &&
  origin('fw.http.insecure-requests') === 'default'
    ? 'disabled'
    : settings['fw.http.insecure-requests']

const defaultPort = 443

/**
 * Creates a function that responds to requests with 308 and their `https` URL. `port` returns the TLS port.
 *
 * Requests that a trusted proxy has received with TLS are processed.
 */
export const redirectToHttps =
  (core: ServerCore, port: () => number): Receive =>
  (exchange, target) => {
    const origin = exchange.origin()
    if (target._tag !== 'Resource' || origin.startsWith('https:'))
      return core.receive(exchange, target)
    if (core.isAllowedHost?.(origin) === false)
      return exchange.reject({ _tag: 'MisdirectedRequest' })
    const { path, query } = target
    const server =
      core.settings['fw.http.public-url'] ?? secureOrigin(origin, port()) + exchange.prefix()
    const location = `${server}${path}${query === undefined ? '' : `?${query}`}`
    exchange.send({ status: 308, headers: ['Location', location], body: undefined })
  }

/** Returns the origin of the same host on the TLS port. */
const secureOrigin = (origin: string, port: number): string => {
  const host = O.toUndefined(Host.parse(origin.slice('http://'.length)))
  const secure = { host: host?.host ?? 'localhost', port: O.none }
  return `https://${Host.format(port === defaultPort ? secure : { ...secure, port: O.some(port) })}`
}
