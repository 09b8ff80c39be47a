/** The analysis of one regular expression: its longest safe text, and the reason for that bound. */
import type { AST } from '@eslint-community/regexpp'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Alphabet from './alphabet.ts'
import * as Ambiguity from './ambiguity.ts'
import { maxLengthOf } from './expression-metrics.ts'
import type { Letter } from './lazy-dfa.ts'
import { lazyDfa, TooAmbiguous } from './lazy-dfa.ts'
import * as Parser from './parser.ts'
import * as PositionAutomaton from './position-automaton.ts'
import type { CompileOptions, Program } from './program.ts'
import { compile, Unsupported } from './program.ts'
import type { Growth } from './step-growth.ts'
import { isLinear, measureGrowth } from './step-growth.ts'
import * as Quantifiers from './suspicious-quantifiers.ts'

/** Why the steps of an expression grow faster than the length of the text. */
export type Superlinear =
  /** Without its upper bound, `part` would match n repetitions of the text `pump` in 2ⁿ ways or more. */
  | { readonly _tag: 'Exponential'; readonly part: string; readonly pump: string }
  /** The steps grow with this power of the length, at least 2. */
  | { readonly _tag: 'Polynomial'; readonly degree: number }

/** The result of {@link analyze}. */
export interface Analysis {
  /** The longest text that takes at most the given steps; 0 for exponential expressions, `Infinity` without a bound. */
  readonly maxLength: number
  readonly superlinear: O.Option<Superlinear>
}

/** Analyzes an expression with the semantics of its flags. Throws `Unsupported` if the analysis cannot handle it. */
export const analyze = (pattern: AST.Pattern, flags: string, maxSteps: number): Analysis => {
  const { stringClass, scopes } = survey(pattern)
  if (stringClass !== undefined)
    throw new Unsupported(`${stringClass} matches several characters: write it as a group (?:…|…)`)
  const alphabet = Alphabet.of(pattern, flags, [wordAtom, lineAtom])
  const isMultiline = flags.includes('m')
  const lookaheads = isMultiline ? [] : leadingLookaheads(pattern.alternatives)
  const options: Omit<CompileOptions, 'unrollLimit'> = {
    read: alphabet.read,
    multiline: isMultiline,
    searches: isMultiline || !isAnchored(pattern),
    separate: new Set(lookaheads),
  }
  const letters = lettersOf(alphabet)
  const forEachProgram = <A>(use: (program: Program) => A): ReadonlyArray<A> =>
    withFallback((unrollLimit) => [
      use(compile(pattern.alternatives, { ...options, unrollLimit })),
      ...lookaheads.map(({ alternatives }) =>
        use(compile(alternatives, { ...options, unrollLimit, searches: false })),
      ),
    ])
  const linear = E.tryCatch(
    () => forEachProgram((program) => isLinear(lazyDfa(program, letters, false))).every(Boolean),
    E.toError,
  )
  if (E.isRight(linear) && linear.right) return { maxLength: Infinity, superlinear: O.none }
  const exponential = findExponential(pattern, alphabet)
  if (O.isSome(exponential)) return { maxLength: 0, superlinear: exponential }
  if (E.isLeft(linear)) throw linear.left
  const length = Math.min(Infinity, ...lookaheads.map(lengthBound))
  const growths = forEachProgram((program) => {
    const dfa = lazyDfa(program, letters, true)
    return isLinear(dfa)
      ? linearGrowth
      : measureGrowth(dfa, length, maxSteps / (lookaheads.length + 1))
  })
  const maxLength = Math.min(...growths.map((growth) => growth.maxLength))
  if (maxLength === Infinity) return { maxLength, superlinear: O.none }
  const degrees = isAnchored(pattern) ? degreesOf(scopes, alphabet) : []
  const degree = Math.max(
    ...(degrees.some((power) => power > 1) ? degrees : growths.map(measuredDegree)),
  )
  return { maxLength, superlinear: O.some({ _tag: 'Polynomial', degree: Math.max(2, degree) }) }
}

const linearGrowth: Growth = { maxLength: Infinity, steps: [] }

/**
 * Repeats an analysis with a lower limit on unrolled repetitions if it needs too many states.
 *
 * `[a-z]{1,500}` needs 500 states, and adjacent repetitions need their product. As a loop it needs one.
 */
const withFallback = <A>(run: (unrollLimit: number) => A): A => {
  try {
    return run(5000)
  } catch (error) {
    if (!(error instanceof TooAmbiguous)) throw error
    return run(16)
  }
}

const isAnchored = ({ alternatives }: AST.Pattern): boolean =>
  alternatives.every(
    ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
  )

/**
 * Returns the lookaheads at the beginning of an expression, as in `^(?=.{8,64}$)(?!.*--)`.
 *
 * They are tried once per text, before the rest of the expression, which is tried only if they hold. They are therefore
 * analyzed separately. Does not apply to the flag `m`.
 */
const leadingLookaheads = (
  alternatives: ReadonlyArray<AST.Alternative>,
  isAnchoredBefore = false,
): ReadonlyArray<AST.LookaheadAssertion> => {
  const [only] = alternatives
  if (only === undefined || alternatives.length > 1) return []
  const found: AST.LookaheadAssertion[] = []
  let anchored = isAnchoredBefore
  for (const element of only.elements) {
    if (element.type === 'Assertion' && element.kind === 'start') anchored = true
    else if (element.type === 'Assertion' && element.kind === 'lookahead' && anchored)
      found.push(element)
    else if (element.type === 'Group' || element.type === 'CapturingGroup')
      return found.concat(leadingLookaheads(element.alternatives, anchored))
    else return found
  }
  return found
}

/** The maximum text length that a lookahead such as `(?=.{1,253}$)` enforces; `Infinity` for other lookaheads. */
const lengthBound = ({ negate, alternatives }: AST.LookaheadAssertion): number =>
  !negate && alternatives.every(isAnchoredAtEnd) ? maxLengthOf(alternatives) : Infinity

const isAnchoredAtEnd = ({ elements }: AST.Alternative): boolean => {
  const last = elements.at(-1)
  return last?.type === 'Assertion' && last.kind === 'end'
}

/** The characters that `\b` and the flag `m` distinguish. */
const wordAtom = '\\w'
const lineAtom = '[\\n\\r\\u2028\\u2029]'

const lettersOf = ({ letters, read }: Alphabet.Alphabet): ReadonlyArray<Letter> => {
  const [words, lines] = [read.get(wordAtom) ?? 0n, read.get(lineAtom) ?? 0n]
  return letters.map((_, index) => {
    const bit = 1n << BigInt(index)
    return { bit, kind: (words & bit) !== 0n ? 'word' : (lines & bit) !== 0n ? 'line' : 'other' }
  })
}

/** Estimates the degree from the steps for the longest text and for a text of half that length. */
const measuredDegree = ({ steps }: Growth): number => {
  const last = steps.length - 1
  const [whole = 1, half = 1] = [steps[last], steps[Math.floor(last / 2)]]
  return last < 4 ? 0 : Math.round(Math.log2(whole / half))
}

/** The exact degrees of the expression and of its lookarounds. */
const degreesOf = (
  scopes: ReadonlyArray<ReadonlyArray<AST.Alternative>>,
  { read }: Alphabet.Alphabet,
): ReadonlyArray<number> =>
  scopes
    .map((alternatives) => PositionAutomaton.ofAlternatives(read)(alternatives))
    .filter(({ letters }) => letters.length <= maxPositions)
    .map(Ambiguity.polynomialDegree)

/** The exact degree of larger expressions takes too long to compute. */
const maxPositions = 40

const findExponential = (
  pattern: AST.Pattern,
  { letters, read }: Alphabet.Alphabet,
): O.Option<Superlinear> => {
  const spell = (text: Ambiguity.LetterSets): string =>
    text.map((set) => letters.find((_, i) => (set >> BigInt(i)) & 1n)).join('')
  for (const quantifier of Quantifiers.suspiciousQuantifiers(pattern)) {
    const pump = Ambiguity.exponentialPump(Quantifiers.asLoop(quantifier, read))
    if (O.isSome(pump))
      return O.some({ _tag: 'Exponential', part: quantifier.raw, pump: spell(pump.value) })
  }
  return O.none
}

/** Collects the parts that match independently: the expression and its lookarounds. Also finds atoms that match several characters. */
const survey = (
  pattern: AST.Pattern,
): {
  readonly scopes: ReadonlyArray<ReadonlyArray<AST.Alternative>>
  readonly stringClass: string | undefined
} => {
  const scopes = [pattern.alternatives]
  let stringClass: string | undefined
  Parser.visit(pattern, {
    onAssertionEnter: (node) => {
      if ('alternatives' in node) scopes.push(node.alternatives)
    },
    onClassStringDisjunctionEnter: ({ raw }) => {
      stringClass = raw
    },
    onCharacterSetEnter: (node) => {
      if (node.kind === 'property' && node.strings) stringClass = node.raw
    },
  })
  return { scopes, stringClass }
}
