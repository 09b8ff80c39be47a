/** Multipart bodies with the boundary `XX`. */
import { base } from './contract.ts'

interface PartOptions {
  readonly fileName?: string
  readonly type?: string | undefined
}

/** Encodes a part: its headers and its body. */
export const encodePart = (
  name: string,
  body: string,
  { fileName, type }: PartOptions = {},
): string =>
  [
    `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '',
    body,
  ].join('\r\n')

/** Encodes a multipart body from encoded parts. */
export const encodeMultipart = (...parts: ReadonlyArray<string>): string =>
  `${parts.map((part) => `--XX\r\n${part}\r\n`).join('')}--XX--\r\n`

/** The media type of the bodies. */
export const multipartType = 'multipart/form-data; boundary=XX'

/** Creates a POST request with a multipart body. An empty `type` omits `Content-Type`. */
export const multipartRequest = (
  path: string,
  body: string | Uint8Array,
  type = multipartType,
): Request =>
  new Request(`${base}${path}`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: type === '' ? {} : { 'Content-Type': type },
  })
