/**
 * The header section of a part of a multipart body. Unlike HTTP headers, those of MIME may be folded and may contain UTF-8.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 * @see https://www.rfc-editor.org/rfc/rfc7578#section-5.1
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import type { Headers } from './headers.ts'

/** Parses a header section without its final empty line. Returns `none` if a header is malformed. */
export const parse = (section: Uint8Array): O.Option<Headers> => {
  const text = decodeUtf8(section)
  if (text === undefined) return O.none
  const lines = text === '' ? [] : text.replaceAll(/\r\n[\t ]+/g, ' ').split('\r\n')
  const headers: string[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    const value = Grammar.trim(line.slice(colon + 1))
    if (!Grammar.isToken(name) || !/^[\t \x21-\x7e\u0080-\uffff]*$/.test(value)) return O.none
    headers.push(name, value)
  }
  return O.some(headers)
}

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
