/**
 * Regular expressions for which a backtracking matcher may need catastrophic time, recognised when a template is compiled
 * so that no request can hold up the server. An expression is judged as it is used: the whole of a text has to match
 * `^(?:source)$` under the flag `u`.
 *
 * The judgement errs on the side of caution: assertions are taken to hold, and some end of the text is taken to make the
 * match fail. It is about growth with the length of the text. What the source itself spells out is not growth, and is
 * the author's to answer for: `a?a?a?aaa`, a repetition of at most ten rounds.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as Alphabet from './alphabet.ts'
import * as Ambiguity from './ambiguity.ts'
import * as PositionAutomaton from './position-automaton.ts'

/** Why an expression cannot be used in a template. */
export type Objection =
  | { readonly _tag: 'Syntax'; readonly message: string }
  /** Captures are renumbered when a template is compiled, so nothing may refer to one. */
  | { readonly _tag: 'Backreference'; readonly part: string }
  /** `part` of the source matches n repetitions of the text `pump` in 2ⁿ ways or more. */
  | { readonly _tag: 'Exponential'; readonly part: string; readonly pump: string }
  /** The time grows with this power of the length, the fourth or a higher one. */
  | { readonly _tag: 'Polynomial'; readonly degree: number }

/** What is wrong with an expression; `none` when it is safe to match texts of some thousand characters with it. */
export const objection = (source: string): O.Option<Objection> =>
  pipe(
    E.tryCatch(() => new RegExp(source, 'u'), E.toError),
    E.chain(() =>
      isPlain(source)
        ? E.right(O.none)
        : E.tryCatch(
            () => O.some(parser.parsePattern(source, 0, source.length, { unicode: true })),
            E.toError,
          ),
    ),
    E.match(({ message }) => O.some({ _tag: 'Syntax', message }), O.chain(judge)),
  )

/** An objection as a sentence for the author of the expression, without a full stop. */
export const format = (found: Objection): string => {
  switch (found._tag) {
    case 'Syntax':
      return found.message
    case 'Backreference':
      return `${found.part} refers to a capture, and captures are renumbered when the template is compiled`
    case 'Exponential':
      return `${found.part} can match a repetition of ${JSON.stringify(found.pump)} in so many ways that the time doubles with each`
    case 'Polynomial':
      return `${found.degree} repetitions can share out one text among them, so that the time grows with the power ${found.degree} of its length`
  }
}

/** Rounds of a counted repetition that do no harm, even if each doubles the ways to match. */
const harmlessRounds = 10

/** The least power of the length that is refused: 1,000 characters to the fourth, divided by 4!, is 4 · 10¹⁰ steps. */
const refusedDegree = 4

/** What every supported engine reads; later syntax is refused, so that a template means the same everywhere. */
const parser = new RegExpParser({ ecmaVersion: 2024 })

/** Whether a glance shows that there is nothing to judge: no loop round a group, and few loops. */
const isPlain = (source: string): boolean =>
  !/\)[*+?{]|\\[1-9k]/.test(source) && [...source.matchAll(/[*+{]/g)].length < refusedDegree

const judge = (pattern: AST.Pattern): O.Option<Objection> => {
  const { backreferences, lookarounds, quantifiers } = survey(pattern)
  const { letters, read } = Alphabet.of(pattern)
  const isExponential = (quantifier: AST.Quantifier): O.Option<Objection> =>
    pipe(
      repeated(quantifier, read),
      O.chain(Ambiguity.exponential),
      O.map((text) => ({
        _tag: 'Exponential',
        part: quantifier.raw,
        pump: text.map((set) => letters.find((_, i) => (set >> BigInt(i)) & 1n)).join(''),
      })),
    )
  const isPolynomial = ({
    alternatives,
  }: AST.Pattern | AST.LookaroundAssertion): O.Option<Objection> =>
    pipe(
      Ambiguity.degree(PositionAutomaton.ofAlternatives(read)(alternatives)),
      O.fromPredicate((degree) => degree >= refusedDegree),
      O.map((degree) => ({ _tag: 'Polynomial', degree })),
    )
  return pipe(
    RA.head(backreferences),
    O.map(({ raw }): Objection => ({ _tag: 'Backreference', part: raw })),
    O.alt(() => pipe(quantifiers, RA.findFirstMap(isExponential))),
    O.alt(() => pipe([pattern, ...lookarounds], RA.findFirstMap(isPolynomial))),
  )
}

/** The quantifiers are in the order in which they end, so that the innermost of several is found first. */
const survey = (
  pattern: AST.Pattern,
): {
  readonly backreferences: ReadonlyArray<AST.Backreference>
  readonly lookarounds: ReadonlyArray<AST.LookaroundAssertion>
  readonly quantifiers: ReadonlyArray<AST.Quantifier>
} => {
  const backreferences: Array<AST.Backreference> = []
  const lookarounds: Array<AST.LookaroundAssertion> = []
  const quantifiers: Array<AST.Quantifier> = []
  visitRegExpAST(pattern, {
    onAssertionEnter: (node) => {
      if (node.kind === 'lookahead' || node.kind === 'lookbehind') lookarounds.push(node)
    },
    onBackreferenceEnter: (node) => {
      backreferences.push(node)
    },
    onQuantifierLeave: (node) => {
      quantifiers.push(node)
    },
  })
  return { backreferences, lookarounds, quantifiers }
}

/** The loop that a repetition is or, when it has many rounds, resembles; `none` when it cannot be ambiguous. */
const repeated = (
  quantifier: AST.Quantifier,
  read: ReadonlyMap<string, bigint>,
): O.Option<PositionAutomaton.PositionAutomaton> => {
  const { element, min, max } = quantifier
  const outer = rounds(quantifier.parent)
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return O.none
  if (max * outer <= harmlessRounds) return O.none
  const body = PositionAutomaton.of(read)(element)
  // Required rounds may be empty, so that a text is divided among them in many ways.
  const ways = body.empty > 0 && min * outer > harmlessRounds ? 2 : 1
  return O.some(PositionAutomaton.loop(body, ways))
}

/** How often the counted repetitions around a node make it occur. */
const rounds = (node: AST.Node | null): number => {
  if (node === null) return 1
  const own =
    node.type !== 'Quantifier' ? 1 : node.max === Infinity ? Math.max(1, node.min) : node.max
  return own * rounds(node.parent)
}
