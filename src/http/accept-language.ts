/**
 * Parses the `Accept-Language` header, which lists the languages that a client prefers, and matches its language ranges with
 * language tags.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
 * @see https://www.rfc-editor.org/rfc/rfc4647#section-3
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as Quality from './quality.ts'

/** A parsed `Accept-Language` header. The members keep the order of the header. Empty if any language is acceptable. */
export type AcceptLanguage = ReadonlyArray<LanguagePreference>

/** A language range and its weight. */
export interface LanguagePreference {
  /** The range as received, such as `de-CH` or `*`. */
  readonly range: string
  readonly quality: Quality.Quality
}

const languagePattern =
  /^(?<range>\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[qQ]=(?<weight>[0-9.]+))?$/

/**
 * Parses an `Accept-Language` header. Ignores malformed members.
 *
 * ```text
 * Accept-Language = #( language-range [ OWS ";" OWS "q=" qvalue ] )
 * language-range  = ( 1*8ALPHA *( "-" 1*8alphanum ) ) / "*"           RFC 4647, 2.1
 * ```
 */
export const parse = (text: string): AcceptLanguage =>
  Grammar.splitList(text).flatMap((member) => {
    const { range, weight } = languagePattern.exec(member)?.groups ?? {}
    if (range === undefined) return []
    const quality = weight === undefined ? O.some(Quality.mostPreferred) : Quality.parse(weight)
    return O.isNone(quality) ? [] : [{ range, quality: quality.value }]
  })

/** Whether a text is a language tag, such as `de` or `zh-Hant`. Subtags are not looked up in the registry (RFC 5646). */
export const isTag = (text: string): boolean => /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(text)

/**
 * Returns the language ranges in descending order of preference. Equally preferred ranges keep the order of the header. Omits
 * ranges with weight 0.
 */
export const preferred = (accept: AcceptLanguage): ReadonlyArray<string> =>
  accept
    .filter(({ quality }) => quality !== Quality.notAcceptable)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range)

/** The result of matching a language tag with an `Accept-Language` header. */
export interface LanguageMatch {
  /** The client's weight for the language, or 0 if the language is not acceptable. */
  readonly quality: Quality.Quality
  /** A number that is greater for a more specific match, and 0 if no range determines the weight. */
  readonly specificity: number
  /** The index of the range that determines the weight. */
  readonly position: number
}

/** The match of a representation for which the language does not matter. */
export const anyLanguage: LanguageMatch = {
  quality: Quality.mostPreferred,
  specificity: 0,
  position: 0,
}

/**
 * Matches a language tag. The first kind of match that exists determines the weight:
 *
 * ```text
 * 4  the range equals the tag           de-CH      de-CH
 * 3  the range is a prefix of the tag   de         de-CH       basic filtering (RFC 4647, 3.3.1); the longest range
 * 2  the tag is a prefix of the range   de-CH      de          lookup (RFC 4647, 3.4); not for weight 0
 * 1  any language                       *          de
 * ```
 *
 * If multiple ranges match equally well, the greatest weight applies. If the header has no members, or if the representation has
 * no language, any language is acceptable.
 */
export const match = (accept: AcceptLanguage, tag: string | undefined): LanguageMatch => {
  if (accept.length === 0 || tag === undefined) return anyLanguage
  const lowerCaseTag = tag.toLowerCase()
  let best: LanguageMatch = { quality: Quality.notAcceptable, specificity: 0, position: 0 }
  let bestLength = 0
  for (const [position, { range, quality }] of accept.entries()) {
    const specificity = specificityOf(range.toLowerCase(), lowerCaseTag)
    if (specificity === 0 || (specificity === lookup && quality === Quality.notAcceptable)) continue
    // the lengths of ranges distinguish only prefixes of the tag
    const length = specificity === prefix ? range.length : 0
    const order = specificity - best.specificity || length - bestLength || quality - best.quality
    if (order > 0) {
      best = { quality, specificity, position }
      bestLength = length
    }
  }
  return best
}

const [exact, prefix, lookup, wildcard] = [4, 3, 2, 1]

const specificityOf = (range: string, tag: string): number =>
  range === tag
    ? exact
    : range === '*'
      ? wildcard
      : tag.startsWith(`${range}-`)
        ? prefix
        : range.startsWith(`${tag}-`)
          ? lookup
          : 0
