/**
 * Regular expressions for which a backtracking matcher may need catastrophic time, recognised when it is given,
 * so that no request can hold up the server. An expression is judged as it is used: the whole of a text has to match
 * `^(?:source)$` under the flag `u`.
 *
 * The judgement errs on the side of caution: assertions are taken to hold, and some end of the text is taken to make the
 * match fail. It is about growth with the length of the text; what the source itself spells out is no growth, however much
 * it is: `a?a?a?aaa`, counted repetitions one after the other.
 */
import type { AST } from '@eslint-community/regexpp'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Alphabet from './alphabet.ts'
import * as Ambiguity from './ambiguity.ts'
import * as PositionAutomaton from './position-automaton.ts'
import * as Repetition from './repetition.ts'
import * as Syntax from './syntax.ts'

/** Why an expression cannot be used in a template. */
export type Objection =
  | { readonly _tag: 'Syntax'; readonly message: string }
  /** Captures are renumbered when a template is compiled, so nothing may refer to one. */
  | { readonly _tag: 'Backreference'; readonly part: string }
  /** `part`, were it not bounded, would match n repetitions of the text `pump` in 2ⁿ ways or more. */
  | { readonly _tag: 'Exponential'; readonly part: string; readonly pump: string }
  /** The time grows with this power of the length, the fourth or a higher one. */
  | { readonly _tag: 'Polynomial'; readonly degree: number }

/** What is wrong with an expression; `none` when it is safe for texts of about a thousand characters. */
export const objection = (source: string): O.Option<Objection> =>
  pipe(
    E.tryCatch(() => new RegExp(source, 'u'), E.toError),
    E.chain(() => parse(source)),
    E.match(({ message }) => O.some({ _tag: 'Syntax', message }), O.chain(judge)),
  )

/** An objection in words for the author of the expression, without a full stop. */
export const format = (found: Objection): string => {
  switch (found._tag) {
    case 'Syntax':
      return found.message
    case 'Backreference':
      return `${found.part} refers to a capture, and captures are renumbered when the template is compiled`
    case 'Exponential':
      return `${found.part} divides a text such as ${JSON.stringify(found.pump)} in several ways, so each repetition of it doubles the time`
    case 'Polynomial':
      return `${found.degree} repetitions can share out one text, so the time grows with the power ${found.degree} of its length`
  }
}

/** What is dangerous about an expression, whatever else it has; `none` for one that cannot be judged. */
export const danger = ({ source }: RegExp): O.Option<Objection> =>
  pipe(
    objection(source),
    O.filter(({ _tag }) => _tag === 'Exponential' || _tag === 'Polynomial'),
  )

/** The least power that is refused: 1,000 characters to the power 4, divided by 4!, are 40 thousand million steps. */
const refusedDegree = 4

/** Whether a glance shows that there is nothing to find: no group repeated, and too few loops to share out a text. */
const isPlain = (source: string): boolean =>
  !/\)[*+?{]|\\[1-9k]/.test(source) && [...source.matchAll(/[*+{]/g)].length < refusedDegree

/** `none` where there is nothing to judge. */
const parse = (source: string): E.Either<Error, O.Option<AST.Pattern>> =>
  isPlain(source)
    ? E.right(O.none)
    : pipe(
        E.tryCatch(() => Syntax.parse(source), E.toError),
        E.map(O.some),
      )

const judge = (pattern: AST.Pattern): O.Option<Objection> => {
  const { letters, read } = Alphabet.of(pattern)
  const spell = (text: Ambiguity.Text): string =>
    text.map((set) => letters.find((_, i) => (set >> BigInt(i)) & 1n)).join('')
  const exponential = (quantifier: AST.Quantifier): O.Option<Objection> =>
    pipe(
      Ambiguity.exponential(Repetition.asLoop(quantifier, read)),
      O.map((text) => ({ _tag: 'Exponential', part: quantifier.raw, pump: spell(text) })),
    )
  const polynomial = (alternatives: ReadonlyArray<AST.Alternative>): O.Option<Objection> =>
    pipe(
      O.some(Ambiguity.degree(PositionAutomaton.ofAlternatives(read)(alternatives))),
      O.filter((degree) => degree >= refusedDegree),
      O.map((degree) => ({ _tag: 'Polynomial', degree })),
    )
  const { backreferences, wholes } = survey(pattern)
  return pipe(
    O.fromNullable(backreferences[0]),
    O.map(({ raw }): Objection => ({ _tag: 'Backreference', part: raw })),
    O.alt(() => firstOf(Repetition.suspects(pattern), exponential)),
    O.alt(() => firstOf(wholes, polynomial)),
  )
}

/** The first objection to one of several parts; those behind it are not judged. */
const firstOf = <A>(
  parts: ReadonlyArray<A>,
  judgement: (part: A) => O.Option<Objection>,
): O.Option<Objection> =>
  parts.reduce<O.Option<Objection>>(
    (found, part) =>
      pipe(
        found,
        O.alt(() => judgement(part)),
      ),
    O.none,
  )

/** What refers to captures, and what is matched for itself: the expression and the insides of its lookarounds. */
const survey = (
  pattern: AST.Pattern,
): {
  readonly backreferences: ReadonlyArray<AST.Backreference>
  readonly wholes: ReadonlyArray<ReadonlyArray<AST.Alternative>>
} => {
  const backreferences: Array<AST.Backreference> = []
  const wholes = [pattern.alternatives]
  Syntax.visit(pattern, {
    onBackreferenceEnter: (node) => {
      backreferences.push(node)
    },
    onAssertionEnter: (node) => {
      if ('alternatives' in node) wholes.push(node.alternatives)
    },
  })
  return { backreferences, wholes }
}
