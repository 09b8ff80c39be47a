/** Determines the listeners of a server from its settings, and reports settings that contradict each other. */
import * as O from 'fp-ts/lib/Option.js'
import * as Host from '../../http/host.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { SettingName, Settings } from '../../compiler/settings/settings.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { Tls } from '../tls/load-tls.ts'
import type { Http2 } from './http2-support.ts'
import type { Protocol, Protocols } from '../connection/connections.ts'
import { detectProtocol } from './detect-protocol.ts'
import type { createHttp1Protocol } from './http1-protocol.ts'
import type { InheritedSocket } from './inherited-sockets.ts'
import type { Listener } from './listen.ts'
import type { ListenAddress } from './listen-error.ts'
import { createClearServer, portOf } from './listen.ts'
import type { Receive } from '../exchange/received-exchange.ts'
import type { ServerCore } from '../server-core.ts'

/** Whether certificates are configured, and the server therefore uses TLS. */
export const isTlsConfigured = ({ settings }: LoadedSettings): boolean =>
  settings['fw.http.ssl.certificate.files'].length > 0 ||
  settings['fw.http.ssl.certificate.key-files'].length > 0 ||
  settings['fw.http.ssl.certificate.key-store-file'] !== undefined

/**
 * Returns how requests on the clear-text port are handled. If client certificates are required, the default is to disable the port.
 */
const insecureRequests = ({
  settings,
  origin,
}: LoadedSettings): Settings['fw.http.insecure-requests'] =>
  settings['fw.http.ssl.client-auth'] === 'required' &&
  origin('fw.http.insecure-requests') === 'default'
    ? 'disabled'
    : settings['fw.http.insecure-requests']

/** Whether an inherited socket is used with TLS: if it is named `https`, or if requests without TLS are disabled. */
const isEncrypted = (loaded: LoadedSettings, { name }: InheritedSocket): boolean =>
  name === 'https' || (isTlsConfigured(loaded) && insecureRequests(loaded) === 'disabled')

/** Returns an error for each contradiction between the settings for listeners. */
export const listenerIssues = (
  loaded: LoadedSettings,
  inherited: ReadonlyArray<InheritedSocket>,
): ReadonlyArray<ConfigurationIssue> => {
  const { settings, origin } = loaded
  const isTls = isTlsConfigured(loaded)
  const clientAuth = settings['fw.http.ssl.client-auth']
  const insecure = settings['fw.http.insecure-requests']
  const publicUrl = settings['fw.http.public-url']
  type Row = readonly [isIssue: boolean, remedy: string, ...names: ReadonlyArray<SettingName>]
  const rows: ReadonlyArray<Row> = [
    [
      !isTls && (insecure !== 'enabled' || clientAuth !== 'none'),
      'set fw.http.ssl.certificate.files and fw.http.ssl.certificate.key-files, or remove these settings',
      insecure === 'enabled' ? 'fw.http.ssl.client-auth' : 'fw.http.insecure-requests',
    ],
    [
      settings['fw.http.ssl.certificate.key-store-file'] !== undefined &&
        settings['fw.http.ssl.certificate.files'].length > 0,
      'set only one of them',
      'fw.http.ssl.certificate.files',
      'fw.http.ssl.certificate.key-store-file',
    ],
    [
      clientAuth !== 'none' && settings['fw.http.ssl.certificate.trust-store-files'].length === 0,
      'set fw.http.ssl.certificate.trust-store-files to the authorities that issue client certificates',
      'fw.http.ssl.client-auth',
    ],
    [
      insecure === 'redirect' && publicUrl?.startsWith('http:') === true,
      'use an https URL, because requests are redirected to it',
      'fw.http.public-url',
      'fw.http.insecure-requests',
    ],
    [
      !isTls && inherited.some(({ name }) => name === 'https'),
      'set a certificate for the inherited socket named https',
      'fw.http.ssl.certificate.files',
    ],
    [
      settings['fw.http.ssl.protocols'].length === 0,
      'list at least one version',
      'fw.http.ssl.protocols',
    ],
    [
      inherited.length === 0 &&
        !settings['fw.http.host-enabled'] &&
        socketPath(loaded) === undefined,
      'set fw.http.domain-socket, or enable one of the listeners',
      'fw.http.host-enabled',
      'fw.http.domain-socket-enabled',
    ],
  ]
  return rows
    .filter(([isIssue]) => isIssue)
    .map(([, remedy, ...names]) => ({
      code: 'FW-CONF-006',
      concerns: names.map((name) => `${name} (from ${origin(name)})`),
      remedy,
    }))
}

const socketPath = ({ settings }: LoadedSettings): string | undefined =>
  settings['fw.http.domain-socket-enabled'] ? settings['fw.http.domain-socket'] : undefined

/**
 * Returns the listeners of a server. Inherited sockets replace the configured addresses. The listeners with TLS come first.
 *
 * `insecure-requests` does not apply to Unix domain sockets, because their requests do not cross a network. `createProtocol` creates
 * the implementation of HTTP/1.1.
 */
export const planListeners = (
  core: ServerCore,
  loaded: LoadedSettings,
  inherited: ReadonlyArray<InheritedSocket>,
  tls: Tls | undefined,
  http2: Http2 | undefined,
  logger: Logger,
  createProtocol: typeof createHttp1Protocol,
): ReadonlyArray<Listener> => {
  const createProtocols = (receive: Receive): Protocols => ({
    http1: createProtocol(core, receive),
    http2: http2?.createProtocol(core, receive, logger),
  })
  const served = createProtocols(core.receive)
  const clear = (address: ListenAddress, { http1, http2: other } = served): Listener => {
    const own = { http1, http2: http2?.onClearPort === true ? other : undefined }
    const server = createClearServer(core, detectProtocol(own, core.settings))
    return { server, address, protocols: protocolsOf(own), scheme: 'http' }
  }
  const secure = (address: ListenAddress): ReadonlyArray<Listener> => {
    const own = { ...served, http2: http2?.onTlsPort === true ? served.http2 : undefined }
    const server = tls?.createServer(core, own, logger)
    return server === undefined
      ? []
      : [{ server, address, protocols: protocolsOf(own), scheme: 'https' }]
  }
  if (inherited.length > 0) {
    const listenerOf = (socket: InheritedSocket): ReadonlyArray<Listener> => {
      const address = { fd: socket.descriptor }
      return isEncrypted(loaded, socket) ? secure(address) : [clear(address)]
    }
    return inherited.flatMap(listenerOf).toSorted((a, b) => b.scheme.length - a.scheme.length)
  }
  const { settings } = loaded
  const isEnabled = settings['fw.http.host-enabled']
  const encrypted = isEnabled ? secure(addressOf(loaded, settings['fw.http.ssl-port'])) : []
  const handling = tls === undefined ? 'enabled' : insecureRequests(loaded)
  const port = (): number =>
    encrypted.flatMap(({ server }) => portOf(server) ?? [])[0] ?? settings['fw.http.ssl-port']
  const address = addressOf(loaded, settings['fw.http.port'])
  const open =
    !isEnabled || handling === 'disabled'
      ? []
      : handling === 'redirect'
        ? [clear(address, createProtocols(redirectToHttps(core, port)))]
        : [clear(address)]
  const path = socketPath(loaded)
  return [...encrypted, ...open, ...(path === undefined ? [] : [clear({ path })])]
}

const protocolsOf = ({ http1, http2 }: Protocols): ReadonlyArray<Protocol> =>
  http2 === undefined ? [http1] : [http1, http2]

/** Returns a configured address. Without a host, Node.js listens on `::`, or on `0.0.0.0` if IPv6 is unavailable. */
const addressOf = ({ settings, origin }: LoadedSettings, port: number): ListenAddress => {
  const { 'fw.http.host': host } = settings
  const isAnyAddress = origin('fw.http.host') === 'default' && host === '0.0.0.0'
  return isAnyAddress ? { port } : { port, host }
}

const defaultPort = 443

/**
 * Creates a function that responds to requests with 308 and their `https` URL. `port` returns the TLS port.
 *
 * Requests that a trusted proxy has received with TLS are processed.
 */
const redirectToHttps =
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
