/**
 * Parses and writes quality values (weights). Also parses the `Accept-Encoding` header, which contains weights.
 *
 * Weights are stored as integer thousandths to make comparisons exact.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

/** A weight in thousandths, as an integer from 0 to 1000. */
export type Quality = number

/** The greatest weight, which is also the default. */
export const mostPreferred: Quality = 1000

/** The weight of alternatives that are not acceptable. */
export const notAcceptable: Quality = 0

/**
 * Parses the value of a `q` parameter. Returns `none` if the value is invalid.
 *
 * ```text
 * qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
 * ```
 */
export const parse = (text: string): O.Option<Quality> =>
  pipe(
    text,
    O.fromPredicate((qvalue) => /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(qvalue)),
    O.map((qvalue) => Math.round(Number(qvalue) * 1000)),
  )

/** Writes a weight in its shortest form, such as `1`, `0.5` or `0.001`. */
export const format = (quality: Quality): string => String(quality / 1000)

/** The supported content codings. `deflate` is the zlib format (RFC 1950), and `zstd` is the format of RFC 8878. */
export const contentCodings = ['gzip', 'deflate', 'br', 'zstd'] as const

export type ContentCoding = (typeof contentCodings)[number]

export const isContentCoding = (name: unknown): name is ContentCoding =>
  contentCodings.some((coding) => coding === name)

/**
 * Returns the offered coding with the greatest weight in an `Accept-Encoding` header. If multiple codings have this weight,
 * returns the first one. Returns `none` if the client does not accept any offered coding or prefers `identity`.
 *
 * ```text
 * Accept-Encoding = #( codings [ OWS ";" OWS "q=" qvalue ] )
 * codings         = content-coding / "identity" / "*"
 * ```
 *
 * Offered names must be in lower case. `x-gzip` is an alias for `gzip` (RFC 9110, 8.4.1.3). Malformed members are ignored.
 *
 * If the header is missing, any coding is acceptable (RFC 9110, 12.5.3). Callers should then send the body uncompressed, because
 * clients that support compression send the header.
 */
export const chooseCoding = <Coding extends string>(
  text: string,
  offered: ReadonlyArray<Coding>,
): O.Option<Coding> => {
  const weights = parseWeights(text)
  const identityWeight = weights.get('identity') ?? notAcceptable
  return offered.reduce<O.Option<Coding>>((best, coding) => {
    const weight = weightOf(weights, coding)
    const bestWeight = O.isNone(best) ? notAcceptable : weightOf(weights, best.value)
    return weight > bestWeight && weight >= identityWeight ? O.some(coding) : best
  }, O.none)
}

type Weights = ReadonlyMap<string, Quality>

const weightOf = (weights: Weights, coding: string): Quality =>
  weights.get(coding) ?? weights.get('*') ?? notAcceptable

/** Parses the weights in an `Accept-Encoding` header. If a coding occurs multiple times, the first weight applies. */
const parseWeights = (text: string): Weights =>
  new Map(Grammar.splitList(text).flatMap(parseCoding).toReversed())

const codingPattern =
  /^(?<coding>[!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:[ \t]*;[ \t]*[qQ]=(?<weight>[0-9.]+))?$/

const parseCoding = (text: string): ReadonlyArray<readonly [string, Quality]> => {
  const { coding = '', weight = '1' } = codingPattern.exec(text)?.groups ?? {}
  const name = coding.toLowerCase()
  return name === ''
    ? []
    : pipe(
        parse(weight),
        O.match(
          () => [],
          (quality) => [[name === 'x-gzip' ? 'gzip' : name, quality] as const],
        ),
      )
}

/**
 * Returns the weight of a content coding in an `Accept-Encoding` header (RFC 9110, 12.5.3). `undefined` as the coding means that a
 * body has no content coding.
 *
 * An uncompressed body that the header does not list is acceptable with the lowest weight, unless `*` has the weight 0. If the
 * header is missing, any coding is acceptable, and uncompressed bodies are preferred.
 */
export const codingQuality = (text: string | undefined, coding: string | undefined): Quality => {
  if (text === undefined) return coding === undefined ? mostPreferred : leastPreferred
  const weights = parseWeights(text)
  const name = coding?.toLowerCase() ?? 'identity'
  return (
    weights.get(name === 'x-gzip' ? 'gzip' : name) ??
    weights.get('*') ??
    (coding === undefined ? leastPreferred : notAcceptable)
  )
}

/** The smallest weight of an acceptable alternative. */
const leastPreferred: Quality = 1
