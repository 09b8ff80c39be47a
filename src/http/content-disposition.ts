/**
 * Writes and parses the `Content-Disposition` header, which specifies how a client handles a body. The header can also contain a
 * file name and the name of a form field.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { textDecoder } from './text-decoder.ts'

export interface ContentDisposition {
  /** The disposition type in lower case, such as `attachment`, `inline` or `form-data`. */
  readonly type: string
  /** The name of the form field. */
  readonly name: string | undefined
  /** The file name without directories, or `undefined` if it is missing. Use the file name for display only, never as a path. */
  readonly fileName: string | undefined
}

/** The `Content-Disposition` of a part in a multipart form. */
export interface FormDataDisposition {
  readonly name: string
  /** The file name without directories. See {@link ContentDisposition.fileName}. */
  readonly fileName: string | undefined
}

/**
 * Writes an `attachment` disposition with a file name. Directories and control characters are removed from the name.
 *
 * If the name contains non-ASCII characters or percent escapes, the header also has a `filename*` parameter (RFC 8187). Clients
 * that do not support `filename*` use `filename`.
 */
export const attachment = (name: string): string => {
  const fileName = withoutDirectories(name)
  if (fileName === '') return 'attachment'
  const quoted = `attachment; filename="${fileName.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]/g, '\\$&')}"`
  // some clients decode percent escapes (RFC 6266, appendix D)
  return isPlain(fileName) ? quoted : `${quoted}; filename*=UTF-8''${encodeExtended(fileName)}`
}

/**
 * Writes the disposition of a part in a multipart form. Escapes names in the same way as browsers do.
 *
 * @see https://html.spec.whatwg.org/#multipart-form-data
 */
export const formData = (name: string, fileName?: string): string =>
  fileName === undefined
    ? `form-data; name="${escape(name)}"`
    : `form-data; name="${escape(name)}"; filename="${escape(withoutDirectories(fileName))}"`

const isPlain = (name: string): boolean => /^[\x20-\x7e]*$/.test(name) && !/%[\da-f]{2}/i.test(name)

/** Removes directories and control characters from a file name, and replaces lone surrogates with U+FFFD. */
const withoutDirectories = (name: string): string =>
  name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()

const encodeExtended = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * Escapes a name for use in a quoted string. Browsers send backslashes unescaped, and some parsers read them literally. A backslash is
 * therefore doubled only where a parser could interpret it as an escape.
 */
const escape = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\\{2,}|\\$/g, '$&$&')
    .replace(/\r\n|[\r\n]/g, '%0D%0A')
    .replace(/"/g, '%22')

const parameterPattern =
  /[\t ]*;[\t ]*(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=(?:"((?:[^"\\]|\\[^])*)"|([^\t ";]*)))?/gy

/**
 * Parses a `Content-Disposition` value. Returns `none` if the value is malformed. If a parameter is repeated, the first value
 * applies.
 */
export const parse = (value: string): O.Option<ContentDisposition> => {
  const [type = ''] = /^[^\t ;]*/.exec(value) ?? []
  const parameters = new Map<string, string>()
  parameterPattern.lastIndex = type.length
  while (parameterPattern.lastIndex < value.length) {
    const { lastIndex } = parameterPattern
    const match = parameterPattern.exec(value)
    if (match === null) {
      if (/[^\t ]/.test(value.slice(lastIndex))) return O.none
      break
    }
    const [, name = '', quoted, token = ''] = match
    const key = name.toLowerCase()
    if (!parameters.has(key)) parameters.set(key, quoted === undefined ? token : unescape(quoted))
  }
  const extended = parameters.get('filename*')
  const fileName =
    extended === undefined ? O.some(parameters.get('filename')) : decodeExtended(extended)
  return pipe(
    fileName,
    O.map((name) => ({
      type: type.toLowerCase(),
      name: parameters.get('name'),
      fileName: name === undefined ? name : baseName(name),
    })),
  )
}

/**
 * Parses the disposition of a part in a multipart form. Returns `none` if the disposition is malformed, has a type other than
 * `form-data`, or has no name.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578#section-4.2
 */
export const parseFormData = (value: string): O.Option<FormDataDisposition> => {
  const disposition = parse(value)
  if (O.isNone(disposition) || disposition.value.type !== 'form-data') return O.none
  const { name, fileName } = disposition.value
  return name === undefined || name === '' ? O.none : O.some({ name, fileName })
}

/** Reverses the escapes defined by the HTML standard, and the quoted pairs `\"` and `\\`. Other backslashes are literal. */
const unescape = (quoted: string): string =>
  quoted.replaceAll(
    /\\(["\\])|%(22|0D|0A)/gi,
    (_, character: string | undefined, hex: string | undefined) =>
      character ?? String.fromCharCode(Number.parseInt(hex ?? '', 16)),
  )

/** Decodes an extended parameter value (RFC 8187, 3.2). The charset must be UTF-8 or ISO-8859-1. */
const decodeExtended = (value: string): O.Option<string> => {
  const [, charset = '', encoded = ''] =
    /^(utf-8|iso-8859-1)'[^']*'((?:[^%\s"]|%[\da-f]{2})*)$/i.exec(value) ?? []
  if (charset === '') return O.none
  const bytes = Uint8Array.from(
    encoded.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    (character) => character.charCodeAt(0),
  )
  try {
    const text = textDecoder(charset)?.decode(bytes)
    return text === undefined || text.includes('\0') ? O.none : O.some(text)
  } catch {
    return O.none
  }
}

const baseName = (path: string): string => {
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return last === '.' || last === '..' ? '' : last
}
