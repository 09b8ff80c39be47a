/** Multipart content, octet by octet; its boundary is `XX`. */
import { base } from './contract.ts'

interface Stated {
  readonly fileName?: string
  readonly type?: string | undefined
}

/** A part: its header and its content. */
export const field = (name: string, content: string, { fileName, type }: Stated = {}): string =>
  [
    `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '',
    content,
  ].join('\r\n')

export const formOf = (...parts: ReadonlyArray<string>): string =>
  `${parts.map((one) => `--XX\r\n${one}\r\n`).join('')}--XX--\r\n`

export const multipart = 'multipart/form-data; boundary=XX'

/** A request with such content; without a media type when it is empty. */
export const send = (path: string, content: string | Uint8Array, type = multipart): Request =>
  new Request(`${base}${path}`, {
    method: 'POST',
    body: Buffer.from(content),
    headers: type === '' ? {} : { 'Content-Type': type },
  })
