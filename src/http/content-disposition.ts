/**
 * `Content-Disposition`: what a client is to do with a content, and under which name it may keep it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */

import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

export interface ContentDisposition {
  /** In lower case: `attachment`, `inline`, `form-data`. */
  readonly type: string
  /** That of a field. */
  readonly name: string | undefined
  /** The name of the file without any directory; `undefined` when none is said. It is to be shown, and no path. */
  readonly fileName: string | undefined
}

/**
 * `attachment` with a name. Directories before the name and control characters are left out. What US-ASCII does not have, or
 * clients read in several ways, is said in `filename*` (RFC 8187), with a name beside it for clients that do not know that.
 */
export const attachment = (name: string): string => {
  const own = plain(name)
  if (own === '') return 'attachment'
  const quoted = `attachment; filename="${own.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]/g, '\\$&')}"`
  // some clients decode what looks like an escape (RFC 6266, appendix D)
  return isSimple(own) ? quoted : `${quoted}; filename*=UTF-8''${extended(own)}`
}

/**
 * A part of a form, with the name of its file where it has one. Escapes as browsers write them.
 *
 * @see https://html.spec.whatwg.org/#multipart-form-data
 */
export const formData = (name: string, fileName?: string): string =>
  fileName === undefined
    ? `form-data; name="${escaped(name)}"`
    : `form-data; name="${escaped(name)}"; filename="${escaped(plain(fileName))}"`

const isSimple = (name: string): boolean =>
  /^[\x20-\x7e]*$/.test(name) && !/%[\da-f]{2}/i.test(name)

/** The name alone, in well-formed Unicode. */
const plain = (name: string): string =>
  name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()

const extended = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** A backslash is a character of its own to browsers; one that other readers would take for half of a pair is written as a pair. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\\{2,}|\\$/g, '$&$&')
    .replace(/\r\n|[\r\n]/g, '%0D%0A')
    .replace(/"/g, '%22')

const parameters =
  /[\t ]*;[\t ]*(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=(?:"((?:[^"\\]|\\[^])*)"|([^\t ";]*)))?/gy

/** Reads the value of the field; `none` when it cannot be read to its end. */
export const parse = (value: string): O.Option<ContentDisposition> => {
  const [, type = '', rest = ''] = /^([^\t ;]*)([^]*)$/.exec(value) ?? []
  const found = [...rest.matchAll(parameters)]
  const length = found.reduce((sum, [whole]) => sum + whole.length, 0)
  if (!/^[\t ]*$/.test(rest.slice(length))) return O.none
  const values = new Map<string, string>()
  for (const [, name = '', quoted, token = ''] of found) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, quoted === undefined ? token : unescape(quoted))
  }
  const encoded = values.get('filename*')
  const fileName = encoded === undefined ? O.some(values.get('filename')) : decode(encoded)
  return pipe(
    fileName,
    O.map((given) => ({
      type: type.toLowerCase(),
      name: values.get('name'),
      fileName: given === undefined ? given : baseName(given),
    })),
  )
}

/** Undoes what the HTML standard escapes, and the pairs of a quoted string; any other backslash is a character of its own. */
const unescape = (quoted: string): string =>
  quoted.replaceAll(
    /\\(["\\])|%(22|0D|0A)/gi,
    (_, char: string | undefined, octet: string | undefined) =>
      char ?? String.fromCharCode(Number.parseInt(octet ?? '', 16)),
  )

/** A text with its charset, of which there are two (RFC 8187, 3.2). */
const decode = (value: string): O.Option<string> => {
  const [, charset = '', octetsText = ''] =
    /^(utf-8|iso-8859-1)'[^']*'((?:[^%\s"]|%[\da-f]{2})*)$/i.exec(value) ?? []
  if (charset === '') return O.none
  const octets = Uint8Array.from(
    octetsText.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    (char) => char.charCodeAt(0),
  )
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(octets)
    return text.includes('\0') ? O.none : O.some(text)
  } catch {
    return O.none
  }
}

const baseName = (given: string): string => {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
  return last === '.' || last === '..' ? '' : last
}
