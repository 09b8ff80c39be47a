/** The certificates in use by a server: selection by server name (SNI), and reloading. */
import type { SecureContext, Server as TlsServer } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import { titles } from '../../endpoint/definition/configuration-error.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { ServerCertificate, ServerCertificates } from './certificate-files.ts'
import { readCertificateFiles } from './certificate-files.ts'

/** The certificates in use by the TLS listeners of a server. */
export class TlsCredentials {
  readonly #loaded: LoadedSettings
  readonly #servers = new Set<TlsServer>()
  #certificates: ServerCertificates
  #digest: string
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(loaded: LoadedSettings, digest: string, certificates: ServerCertificates) {
    this.#loaded = loaded
    this.#digest = digest
    this.#certificates = certificates
  }

  /** The certificate for clients that send no server name, or an unknown one. */
  get fallback(): ServerCertificate {
    return this.#certificates[0]
  }

  /**
   * Returns the context for a server name: that of the first certificate that contains the name, or otherwise of the first one with
   * a matching wildcard, or otherwise the default.
   */
  contextFor(serverName: string): SecureContext {
    const certificates = this.#certificates
    const found =
      certificates.find(({ leaf }) => contains(leaf, serverName, false)) ??
      certificates.find(({ leaf }) => contains(leaf, serverName, true)) ??
      certificates[0]
    return found.context
  }

  /** Reloads the certificates of a server periodically, until it is closed. */
  keepCurrent(server: TlsServer, logger: Logger): void {
    this.#servers.add(server)
    const period = this.#loaded.settings['fw.http.ssl.certificate.reload-period']
    if (period > 0)
      this.#timer ??= setInterval(
        () => void this.#reload(logger),
        Math.min(period, maxDelay),
      ).unref()
    server.once('close', () => {
      this.#servers.delete(server)
      if (this.#servers.size === 0) clearInterval(this.#timer)
    })
  }

  async #reload(logger: Logger): Promise<void> {
    const files = await readCertificateFiles(this.#loaded)
    if (files.digest === this.#digest) return
    this.#digest = files.digest
    const checked = files.check()
    if (E.isLeft(checked)) return logIssues(checked.left, logger)
    this.#certificates = checked.right
    for (const server of this.#servers) server.setSecureContext(this.fallback.options)
    logger.info(
      { certificates: checked.right.flatMap(({ leaf }) => leaf?.fingerprint256 ?? []) },
      'Certificates reloaded',
    )
  }
}

/** The longest delay of a timer in Node.js, in milliseconds. */
const maxDelay = 2 ** 31 - 1

const contains = (
  leaf: ServerCertificate['leaf'],
  serverName: string,
  wildcards: boolean,
): boolean => {
  try {
    return (
      leaf?.checkHost(serverName, { subject: 'never', wildcards, partialWildcards: false }) !==
      undefined
    )
  } catch {
    // the name is not a string without NUL
    return false
  }
}

const logIssues = (issues: ReadonlyArray<ConfigurationIssue>, logger: Logger): void => {
  for (const { code, concerns, remedy } of issues)
    logger.error(
      { code, concerns },
      `${titles[code]}: ${remedy}. The previous certificates stay in use.`,
    )
}
