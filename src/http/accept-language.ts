/**
 * The Accept-Language field: which languages the client wants.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as Quality from './quality.ts'

/**
 * The ranges of the field, the most preferred first, in the order of the field among equals. Malformed members and those
 * that are not wanted at all are left out.
 *
 * ```text
 * Accept-Language = #( language-range [ OWS ";" OWS "q=" qvalue ] )
 * language-range  = ( 1*8ALPHA *( "-" 1*8alphanum ) ) / "*"           RFC 4647, 2.1
 * ```
 */
export const preferred = (text: string): ReadonlyArray<string> =>
  Grammar.splitList(text)

    .flatMap(weighted)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range)

const weighted = (
  member: string,
): ReadonlyArray<{ readonly range: string; readonly quality: Quality.Quality }> => {
  const found =
    /^(?<range>\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[qQ]=(?<weight>[0-9.]+))?$/.exec(
      member,
    )
  const range = found?.groups?.['range']
  if (range === undefined) return []
  const weight = found?.groups?.['weight']
  const quality = weight === undefined ? O.some(Quality.mostPreferred) : Quality.parse(weight)
  return O.isNone(quality) || quality.value === Quality.notAcceptable
    ? []
    : [{ range, quality: quality.value }]
}
