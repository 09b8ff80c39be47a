/** Reads the certificates that clients present during a TLS handshake. */
import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ClientCertificate } from '../../endpoint/context.ts'

/** Returns a function that reads the certificate of the client on a connection. The result is computed once per connection. */
export const clientCertificates = (): ((socket: Socket) => ClientCertificate | undefined) => {
  const known = new WeakMap<Socket, ClientCertificate | undefined>()
  return (socket) => {
    if (!isEncrypted(socket)) return undefined
    if (!known.has(socket)) known.set(socket, readCertificate(socket))
    return known.get(socket)
  }
}

/** Whether a socket uses TLS. `node:tls` is not imported, because servers without TLS do not need it. */
const isEncrypted = (socket: Socket): socket is TLSSocket =>
  'encrypted' in socket && socket.encrypted === true && 'getPeerX509Certificate' in socket

/** Returns the certificate of the client if it has been verified, and `undefined` otherwise. */
const readCertificate = (socket: TLSSocket): ClientCertificate | undefined => {
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  return certificate === undefined ? undefined : describeCertificate(certificate)
}

/** Converts a certificate to a plain value. */
export const describeCertificate = (certificate: X509Certificate): ClientCertificate => {
  const { CN: commonName } = certificate.toLegacyObject().subject
  return Object.freeze({
    subject: distinguishedName(certificate.subject),
    // a subject with several common names is an array
    commonName: typeof commonName === 'string' ? commonName : undefined,
    alternativeNames: alternativeNames(certificate.subjectAltName ?? ''),
    issuer: distinguishedName(certificate.issuer),
    serialNumber: certificate.serialNumber,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    validFrom: new Date(certificate.validFrom),
    validTo: new Date(certificate.validTo),
  })
}

/** Converts a name with one attribute per line, as in Node.js, to the notation of RFC 4514, which begins with the last attribute. */
const distinguishedName = (lines: string | undefined): string =>
  (lines ?? '').split('\n').toReversed().join(',')

/** Splits a list such as `DNS:a.example, URI:"spiffe://a, b"`. Node.js quotes values with special characters as in JSON. */
const alternativeNames = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/([^:,]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/g)].map(
    ([, type = '', value = '']) => `${type}:${value.startsWith('"') ? unquote(value) : value}`,
  )

const unquote = (text: string): string => {
  const value: unknown = JSON.parse(text)
  return typeof value === 'string' ? value : text
}
