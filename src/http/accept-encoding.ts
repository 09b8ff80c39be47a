/**
 * The `Accept-Encoding` header: the content codings that a client accepts.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as Quality from './quality.ts'

/**
 * Returns the offered coding with the greatest client weight, the first among equals. Returns `none` if the client accepts
 * none of them, or prefers `identity`.
 *
 * ```text
 * Accept-Encoding = #( codings [ OWS ";" OWS "q=" qvalue ] )
 * codings         = content-coding / "identity" / "*"
 * ```
 *
 * Offered names are in lower case. `x-gzip` is an alias of `gzip` (8.4.1.3). Malformed members are ignored.
 *
 * The RFC allows any coding if the header is missing. Callers should then send the body uncompressed: clients that can
 * decompress send the header.
 */
export const choose = <Coding extends string>(
  text: string,
  offered: ReadonlyArray<Coding>,
): O.Option<Coding> => {
  const weights = parseWeights(text)
  const identityWeight = weights.get('identity') ?? Quality.notAcceptable
  return offered.reduce<O.Option<Coding>>((best, coding) => {
    const weight = weightOf(weights, coding)
    const bestWeight = O.isNone(best) ? Quality.notAcceptable : weightOf(weights, best.value)
    return weight > bestWeight && weight >= identityWeight ? O.some(coding) : best
  }, O.none)
}

type Weights = ReadonlyMap<string, Quality.Quality>

const weightOf = (weights: Weights, coding: string): Quality.Quality =>
  weights.get(coding) ?? weights.get('*') ?? Quality.notAcceptable

/** Parses the weights of a header. The first of several weights of the same coding counts. */
const parseWeights = (text: string): Weights =>
  new Map(Grammar.splitList(text).flatMap(parseMember).toReversed())

const memberPattern =
  /^(?<coding>[!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:[ \t]*;[ \t]*[qQ]=(?<weight>[0-9.]+))?$/

const parseMember = (text: string): ReadonlyArray<readonly [string, Quality.Quality]> => {
  const { coding = '', weight = '1' } = memberPattern.exec(text)?.groups ?? {}
  const name = coding.toLowerCase()
  return name === ''
    ? []
    : pipe(
        Quality.parse(weight),
        O.match(
          () => [],
          (quality) => [[name === 'x-gzip' ? 'gzip' : name, quality] as const],
        ),
      )
}
