/** Determines where HTTP/2 is served. The modules of HTTP/2 are loaded only if it is. */
import type { Logger } from '../../compiler/settings/logger.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { Protocol } from '../connection/connections.ts'
import type { Receive } from '../exchange/received-exchange.ts'
import type { ServerCore } from '../server-core.ts'

/** HTTP/2, and where it is served. */
export interface Http2 {
  /** Whether HTTP/2 is offered in TLS handshakes. */
  readonly onTlsPort: boolean
  /** Whether HTTP/2 is served without TLS to clients with prior knowledge. */
  readonly onClearPort: boolean
  /** Creates the protocol. `receive` processes the requests. */
  readonly createProtocol: (core: ServerCore, receive: Receive, logger: Logger) => Protocol
}

/**
 * Returns whether `node:http2` has known vulnerabilities with which clients can exhaust the memory (CVE-2026-56846, CVE-2026-56848). They
 * are fixed in Node.js 22.23.2, 24.18.1 and 26.
 */
export const isHttp2Vulnerable = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const isFrom = (fixedMinor: number, fixedPatch: number): boolean =>
    minor > fixedMinor || (minor === fixedMinor && patch >= fixedPatch)
  if (major === 22) return !isFrom(23, 2)
  if (major === 24) return !isFrom(18, 1)
  return major < 26
}

const vulnerabilities =
  'known vulnerabilities with which clients can exhaust the memory (CVE-2026-56846, CVE-2026-56848)'
const fixed = 'Node.js 22.23.2, 24.18.1 or 26'

/**
 * Loads HTTP/2 if it is on. Returns `undefined` if it is off. Logs one line if it is off because of the version of Node.js, or on
 * although the version has known vulnerabilities.
 */
export const loadHttp2 = async (
  { settings }: LoadedSettings,
  usesTls: boolean,
  logger: Logger,
  version: string = process.versions.node,
): Promise<Http2 | undefined> => {
  const { 'fw.http.http2': configured, 'fw.http.http2-clear-text': onClearPort } = settings
  const isVulnerable = isHttp2Vulnerable(version)
  const onTlsPort = usesTls && (configured === 'auto' ? !isVulnerable : configured)
  if (isVulnerable && (onTlsPort || onClearPort))
    logger.warn(
      { version },
      `HTTP/2 is on, but Node.js ${version} has ${vulnerabilities}: update to ${fixed}, or set fw.http.http2=false and fw.http.http2-clear-text=false`,
    )
  else if (isVulnerable && usesTls && configured === 'auto')
    logger.info(
      { version },
      `HTTP/2 is off, because Node.js ${version} has ${vulnerabilities}: update to ${fixed}`,
    )
  if (!onTlsPort && !onClearPort) return undefined
  const { createHttp2Protocol } = await import('../http2/http2-protocol.ts')
  return { onTlsPort, onClearPort, createProtocol: createHttp2Protocol }
}
