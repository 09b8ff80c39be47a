/**
 * `Content-Disposition: form-data` of a part: the names of a field and of a file. Clients write them in several ways, and none
 * of them may make a part vanish.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578#section-4.2
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

export interface FormData {
  readonly name: string
  /** The name of the file without any directory; `undefined` when the part says of no file. It is to be shown, and no path. */
  readonly fileName: string | undefined
}

const parameters =
  /[\t ]*;[\t ]*(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=(?:"((?:[^"\\]|\\[^])*)"|([^\t ";]*)))?/gy

/** Reads the value of the field; `none` when it is something else, has no name, or cannot be read to its end. */
export const parse = (value: string): O.Option<FormData> => {
  const [, type = '', rest = ''] = /^([^\t ;]*)([^]*)$/.exec(value) ?? []
  const found = [...rest.matchAll(parameters)]
  const length = found.reduce((sum, [whole]) => sum + whole.length, 0)
  if (type.toLowerCase() !== 'form-data' || !/^[\t ]*$/.test(rest.slice(length))) return O.none
  const values = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of found) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, quoted === undefined ? plain : unescape(quoted))
  }
  const name = values.get('name')
  const extended = values.get('filename*')
  const fileName = extended === undefined ? O.some(values.get('filename')) : decode(extended)
  return name === undefined || name === ''
    ? O.none
    : pipe(
        fileName,
        O.map((given) => ({ name, fileName: given === undefined ? given : baseName(given) })),
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
const decode = (extended: string): O.Option<string> => {
  const [, charset = '', escaped = ''] =
    /^(utf-8|iso-8859-1)'[^']*'((?:[^%\s"]|%[\da-f]{2})*)$/i.exec(extended) ?? []
  if (charset === '') return O.none
  const octets = Uint8Array.from(
    escaped.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
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
