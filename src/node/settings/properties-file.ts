/**
 * Parses `application.properties`: one name and value per logical line. Quotes have no special meaning: in `log."x".level`, they are
 * part of the name.
 *
 * @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html#load(java.io.Reader)
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Separated } from 'fp-ts/lib/Separated.js'

export interface FileProperty {
  /** The profile to which the property is restricted: `dev` in `%dev.fw.http.port`. */
  readonly profile: O.Option<string>
  readonly name: string
  readonly value: string
  /** The number of the first line of the logical line, from 1. */
  readonly line: number
}

/** A logical line: not a comment, and not ended by an escaped line break. */
const logicalLine = /(?<![^\r\n])[ \t\f]*(?![ \t\f#!])((?:\\(?:\r\n|[^])|[^\\\r\n])+)/g

const continuation = /\\(?:(?:\r\n|[\r\n])[ \t\f]*|([^]))/g

const join = (logical: string): string =>
  logical.replace(continuation, (escape: string, other?: string) =>
    other === undefined ? '' : escape,
  )

const wellFormed = /^(?:[^\\]|\\u[0-9a-fA-F]{4}|\\[^u])*$/

const controls: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f'],
])

const unescape = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, hex?: string, letter = '') =>
    hex === undefined
      ? (controls.get(letter) ?? letter)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  )

const pair = /^((?:\\[^]|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*([^]*)$/

const property = (logical: string, line: number): FileProperty => {
  const [, key = '', value = ''] = pair.exec(logical) ?? []
  const [, profile, name = unescape(key)] = /^%([^.]+)\.([^]+)$/.exec(unescape(key)) ?? []
  return { profile: O.fromNullable(profile), name, value: unescape(value), line }
}

/**
 * Parses properties in the order of the text. On the left are the numbers of the malformed lines, in which `\u` is not followed by
 * four hexadecimal digits.
 *
 * ```text
 * line    = blanks ( comment / [ key [ blanks ( "=" / ":" ) blanks / 1*blank ] value ] )
 * comment = ( "#" / "!" ) *char
 * key     = *( escape / any char but "=", ":" and blank )
 * value   = *( escape / char )
 * escape  = "\" ( "t" / "n" / "r" / "f" / "u" 4HEXDIG / line break with the blanks after it / char )
 * blank   = SP / HTAB / FF
 * ```
 */
export const parseProperties = (
  text: string,
): Separated<ReadonlyArray<number>, ReadonlyArray<FileProperty>> => {
  const lines = Array.from(text.matchAll(logicalLine), ({ index, 1: logical = '' }) => ({
    line: text.slice(0, index).split(/\r\n|[\r\n]/).length,
    logical: join(logical),
  }))
  return {
    left: lines.filter(({ logical }) => !wellFormed.test(logical)).map(({ line }) => line),
    right: lines
      .filter(({ logical }) => wellFormed.test(logical))
      .map(({ logical, line }) => property(logical, line)),
  }
}
