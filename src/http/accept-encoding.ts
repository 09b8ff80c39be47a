/**
 * The Accept-Encoding field: which content codings the client can read.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as Quality from './quality.ts'

/**
 * The coding on offer that the client weighs most; among equals the first on offer. `none` when it reads none of them, or
 * would rather have the content as it is. Malformed members are left out. Names on offer are in lower case; `x-gzip` is
 * another name of `gzip` (8.4.1.3).
 *
 * ```text
 * Accept-Encoding = #( codings [ OWS ";" OWS "q=" qvalue ] )
 * codings         = content-coding / "identity" / "*"
 * ```
 *
 * Who sends no field at all may be sent any coding by the RFC, and is best sent none: whoever can read one says so.
 */
export const choose = <Coding extends string>(
  text: string,
  offered: ReadonlyArray<Coding>,
): O.Option<Coding> => {
  const weights = weightsOf(text)
  const least = weights.get('identity') ?? Quality.notAcceptable
  return offered.reduce<O.Option<Coding>>((best, coding) => {
    const weight = weighing(weights, coding)
    const beaten = O.isNone(best) ? Quality.notAcceptable : weighing(weights, best.value)
    return weight > beaten && weight >= least ? O.some(coding) : best
  }, O.none)
}

type Weights = ReadonlyMap<string, Quality.Quality>

const weighing = (weights: Weights, coding: string): Quality.Quality =>
  weights.get(coding) ?? weights.get('*') ?? Quality.notAcceptable

/** What is said first of a coding counts. */
const weightsOf = (text: string): Weights =>
  new Map(Grammar.splitList(text).flatMap(weighted).toReversed())

const member = /^(?<coding>[!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:[ \t]*;[ \t]*[qQ]=(?<weight>[0-9.]+))?$/

const weighted = (text: string): ReadonlyArray<readonly [string, Quality.Quality]> => {
  const { coding = '', weight = '1' } = member.exec(text)?.groups ?? {}
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
