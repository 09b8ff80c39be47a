/**
 * The `Accept-Language` header: the languages that a client prefers.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as Quality from './quality.ts'

/**
 * Returns the language ranges of the header, the most preferred first, in the order of the header among equals. Omits
 * malformed members and those of weight 0.
 *
 * ```text
 * Accept-Language = #( language-range [ OWS ";" OWS "q=" qvalue ] )
 * language-range  = ( 1*8ALPHA *( "-" 1*8alphanum ) ) / "*"           RFC 4647, 2.1
 * ```
 */
export const preferred = (text: string): ReadonlyArray<string> =>
  Grammar.splitList(text)
    .flatMap(parseMember)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range)

const memberPattern =
  /^(?<range>\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[qQ]=(?<weight>[0-9.]+))?$/

const parseMember = (
  text: string,
): ReadonlyArray<{ readonly range: string; readonly quality: Quality.Quality }> => {
  const { range, weight } = memberPattern.exec(text)?.groups ?? {}
  if (range === undefined) return []
  const quality = weight === undefined ? O.some(Quality.mostPreferred) : Quality.parse(weight)
  return O.isNone(quality) || quality.value === Quality.notAcceptable
    ? []
    : [{ range, quality: quality.value }]
}
