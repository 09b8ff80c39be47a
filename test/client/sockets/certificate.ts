/** Creates a self-signed certificate for `localhost`, so that the repository contains no key and no certificate that expires. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Encodes a DER value (X.690, section 8.1): tag, length and content. */
const der = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...members: ReadonlyArray<Uint8Array>): Buffer => der(0x30, ...members)
const set = (member: Uint8Array): Buffer => der(0x31, member)
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const text = (tag: number, content: string): Buffer => der(tag, Buffer.from(content, 'latin1'))

/** Encodes a `UTCTime`: `YYMMDDHHMMSSZ`. */
const time = (milliseconds: number): Buffer =>
  text(
    0x17,
    new Date(milliseconds)
      .toISOString()
      .replace(/[-:T]|\.\d+/g, '')
      .slice(2),
  )

const day = 86_400_000

export const certificate = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
  const commonName = sequence(set(sequence(objectId('550403'), text(0x0c, 'localhost'))))
  const now = Date.now()
  const isAuthority = sequence(
    objectId('551d13'),
    der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
  )
  const names = sequence(objectId('551d11'), der(0x04, sequence(text(0x82, 'localhost'))))
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    commonName,
    sequence(time(now - day), time(now + day)),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isAuthority, names)),
  )
  const signature = sign('sha256', signed, privateKey)
  const encoded = sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = encoded.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}
