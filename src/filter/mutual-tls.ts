/** An authentication filter for TLS client certificates. */
import { checkOptions } from '../endpoint/internal/combinator.ts'
import type { ClientCertificate, Context, Principal } from '../endpoint/context.ts'
import { Unauthorized } from '../endpoint/http-error.ts'
import { authenticationFilter, clientCertificateScheme } from '../endpoint/authentication.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { makeFilter } from '../endpoint/filter.ts'
import type { NamedSecurityScheme } from '../endpoint/security-scheme.ts'
import { securityScheme } from '../endpoint/security-scheme.ts'
import type { Reject, Verified } from './authentication.ts'
import { toAuthenticationResult } from './authentication.ts'

/** Options for {@link mutualTls}. */
export interface MutualTlsOptions {
  /**
   * The roles of all principals, or a function that returns the roles of the principal identified by a certificate. Default: no
   * roles. Ignored if `verify` is set.
   */
  readonly roles?:
    | ReadonlyArray<string>
    | ((certificate: ClientCertificate) => ReadonlyArray<string>)
  /**
   * Returns the principal identified by a certificate. Default: a principal whose name is the common name of the subject, or the
   * whole distinguished name if it does not have exactly one common name.
   */
  readonly verify?: (certificate: ClientCertificate, context: Context) => Verified
  /**
   * Whether requests with a certificate that `verify` rejects are rejected even if the operation does not require authentication.
   * Default: `true`.
   */
  readonly proactive?: boolean
  /** How OpenAPI documents describe the filter. Default: mutual TLS with the name `mutualTls`. */
  readonly describedAs?: NamedSecurityScheme
}

/**
 * Creates a filter that authenticates requests with the certificate that the client presented during the TLS handshake.
 *
 * The server must request certificates from clients (`fw.http.ssl.client-auth`). Only certificates that an authority in
 * `fw.http.ssl.certificate.trust-store-files` has issued reach the filter. Without a certificate, the request is anonymous, and
 * operations that require authentication respond with 401. No authentication scheme is registered for certificates. Therefore, the
 * challenge is `ClientCertificate`. The claims of the default principal are `subject`, `alternativeNames` and `fingerprint`.
 *
 * If the server does not request certificates, an operation that requires authentication and has no other authentication filter is a
 * configuration error (`FW-TLS-004`). With `nodeListener`, certificates are requested by the other server (`requestCert`).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, mutualTls, path, produces, rolesAllowed, routes, text, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const partners = mutualTls({
 *   roles: ({ alternativeNames }) =>
 *     alternativeNames.includes('URI:spiffe://library/loans') ? ['partner'] : [],
 * })
 * const loans = pipe(
 *   path('/loans'),
 *   get(),
 *   rolesAllowed('partner'),
 *   produces(text),
 *   handle((_, { security }) => `Loans, for ${security.principal?.name}`),
 * )
 * const api = pipe(routes({ loans }), withFilter(partners))
 * const clientCertificate = {
 *   subject: 'CN=loans,O=Library',
 *   commonName: 'loans',
 *   alternativeNames: ['URI:spiffe://library/loans'],
 *   issuer: 'CN=Library CA',
 *   serialNumber: '01',
 *   fingerprint: '00'.repeat(32),
 *   validFrom: new Date(0),
 *   validTo: new Date(2 ** 41),
 * }
 *
 * const response = await inMemory(api, { clientCertificate })('https://localhost/loans')
 * assert.equal(await response.text(), 'Loans, for loans')
 * assert.equal((await inMemory(api)('https://localhost/loans')).status, 401)
 * ```
 */
export const mutualTls = (options: MutualTlsOptions = {}): PlainFilter => {
  const {
    roles = [],
    verify = defaultPrincipal(roles),
    proactive = true,
    describedAs = securityScheme('mutualTls', { type: 'mutualTLS' }),
  } = checkOptions('mutualTls', ['roles', 'verify', 'proactive', 'describedAs'], options)
  const reject: Reject = (message, cause) =>
    new Unauthorized(challenge, message, { cause, expose: false })
  const description = { schemes: [describedAs], rejectsMalformed: false }
  const run = (context: Context) => {
    const { clientCertificate } = context.request
    return clientCertificate === undefined
      ? undefined
      : toAuthenticationResult(verify(clientCertificate, context), reject)
  }
  return makeFilter(authenticationFilter({ challenge, proactive }, run, description))
}

const challenge = clientCertificateScheme

const defaultPrincipal =
  (roles: NonNullable<MutualTlsOptions['roles']>) =>
  (certificate: ClientCertificate): Principal => {
    const { subject, commonName = subject, alternativeNames, fingerprint } = certificate
    return {
      name: commonName,
      roles: typeof roles === 'function' ? roles(certificate) : roles,
      claims: { subject, alternativeNames, fingerprint },
    }
  }
