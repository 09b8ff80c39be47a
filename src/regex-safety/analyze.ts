/** The analysis of one expression: how long a text may be, and why longer ones take too long. */
import type { AST } from '@eslint-community/regexpp'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Alphabet from './alphabet.ts'
import * as Ambiguity from './ambiguity.ts'
import * as PositionAutomaton from './position-automaton.ts'
import { bound, prelude } from './prelude.ts'
import type { Options, Program } from './program.ts'
import { compile, Unsupported } from './program.ts'
import * as Repetition from './suspicious-quantifiers.ts'
import type { Letter } from './lazy-dfa.ts'
import { statesOf, TooAmbiguous } from './lazy-dfa.ts'
import type { Growth } from './step-growth.ts'
import { growth, isLinear } from './step-growth.ts'
import * as Syntax from './parser.ts'

/** What needs more steps than a text has characters. */
export type Growing =
  /** `part`, were it not bounded, would match n repetitions of the text `pump` in 2ⁿ ways or more. */
  | { readonly _tag: 'Exponential'; readonly part: string; readonly pump: string }
  /** The time grows with this power of the length, the second or a higher one. */
  | { readonly _tag: 'Polynomial'; readonly degree: number }

export interface Verdict {
  /** The longest text that takes no more than the given steps; 0 if the expression is exponential. */
  readonly longest: number
  readonly growing: O.Option<Growing>
}

/** Judges an expression as the engine runs it with these flags. Throws `Unsupported` for one that is not analysed. */
export const judge = (pattern: AST.Pattern, flags: string, mostSteps: number): Verdict => {
  const { stringClass, wholes } = survey(pattern)
  if (stringClass !== undefined)
    throw new Unsupported(`${stringClass} matches several characters: write it as a group (?:…|…)`)
  const alphabet = Alphabet.of(pattern, flags, [wordAtom, lineAtom])
  const isMultiline = flags.includes('m')
  const settled = isMultiline ? [] : prelude(pattern.alternatives)
  const options: Omit<Options, 'writtenOut'> = {
    read: alphabet.read,
    multiline: isMultiline,
    searches: isMultiline || !isAnchored(pattern),
    settled: new Set(settled),
  }
  const letters = lettersOf(alphabet)
  const analyse = <A>(one: (program: Program) => A): ReadonlyArray<A> =>
    withFewerStates((writtenOut) => [
      one(compile(pattern.alternatives, { ...options, writtenOut })),
      ...settled.map(({ alternatives }) =>
        one(compile(alternatives, { ...options, writtenOut, searches: false })),
      ),
    ])
  const linear = E.tryCatch(
    () => analyse((program) => isLinear(statesOf(program, letters, false))).every(Boolean),
    E.toError,
  )
  if (E.isRight(linear) && linear.right) return { longest: Infinity, growing: O.none }
  const found = exponential(pattern, alphabet)
  if (O.isSome(found)) return { longest: 0, growing: found }
  if (E.isLeft(linear)) throw linear.left
  const length = Math.min(Infinity, ...settled.map(bound))
  const growths = analyse((program) => {
    const states = statesOf(program, letters, true)
    return isLinear(states) ? slow : growth(states, length, mostSteps / (settled.length + 1))
  })
  const longest = Math.min(...growths.map((one) => one.longest))
  if (longest === Infinity) return { longest, growing: O.none }
  const powers = isAnchored(pattern) ? sharing(wholes, alphabet) : []
  const degree = Math.max(...(powers.some((power) => power > 1) ? powers : growths.map(degreeOf)))
  return { longest, growing: O.some({ _tag: 'Polynomial', degree: Math.max(2, degree) }) }
}

/** The growth of linear steps. */
const slow: Growth = { longest: Infinity, steps: [] }

/** `[a-z]{1,500}` has as many states, and with others next to it their product; as a loop it has one. */
const withFewerStates = <A>(analyse: (writtenOut: number) => A): A => {
  try {
    return analyse(5000)
  } catch (error) {
    if (!(error instanceof TooAmbiguous)) throw error
    return analyse(16)
  }
}

const isAnchored = ({ alternatives }: AST.Pattern): boolean =>
  alternatives.every(
    ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
  )

/** What `\b` and the flag `m` tell apart. */
const wordAtom = '\\w'
const lineAtom = '[\\n\\r\\u2028\\u2029]'

const lettersOf = ({ letters, read }: Alphabet.Alphabet): ReadonlyArray<Letter> => {
  const [words, lines] = [read.get(wordAtom) ?? 0n, read.get(lineAtom) ?? 0n]
  return letters.map((_, index) => {
    const bit = 1n << BigInt(index)
    return { bit, kind: (words & bit) !== 0n ? 'word' : (lines & bit) !== 0n ? 'line' : 'other' }
  })
}

/** The power with which steps grow, from those for the longest text and for one half as long. */
const degreeOf = ({ steps }: Growth): number => {
  const last = steps.length - 1
  const [whole = 1, half = 1] = [steps[last], steps[Math.floor(last / 2)]]
  return last < 4 ? 0 : Math.round(Math.log2(whole / half))
}

/** The powers that the loops of the expression, and of its lookarounds, account for. */
const sharing = (
  wholes: ReadonlyArray<ReadonlyArray<AST.Alternative>>,
  { read }: Alphabet.Alphabet,
): ReadonlyArray<number> =>
  wholes
    .map((alternatives) => PositionAutomaton.ofAlternatives(read)(alternatives))
    .filter(({ letters }) => letters.length <= mostPositions)
    .map(Ambiguity.degree)

/** The exact degree of larger expressions takes too long. */
const mostPositions = 40

const exponential = (
  pattern: AST.Pattern,
  { letters, read }: Alphabet.Alphabet,
): O.Option<Growing> => {
  const spell = (text: Ambiguity.Text): string =>
    text.map((set) => letters.find((_, i) => (set >> BigInt(i)) & 1n)).join('')
  for (const quantifier of Repetition.suspects(pattern)) {
    const found = Ambiguity.exponential(Repetition.asLoop(quantifier, read))
    if (O.isSome(found))
      return O.some({ _tag: 'Exponential', part: quantifier.raw, pump: spell(found.value) })
  }
  return O.none
}

/** What is matched for itself: the expression and the insides of its lookarounds; and what reads several characters as one atom. */
const survey = (
  pattern: AST.Pattern,
): {
  readonly wholes: ReadonlyArray<ReadonlyArray<AST.Alternative>>
  readonly stringClass: string | undefined
} => {
  const wholes = [pattern.alternatives]
  let stringClass: string | undefined
  Syntax.visit(pattern, {
    onAssertionEnter: (node) => {
      if ('alternatives' in node) wholes.push(node.alternatives)
    },
    onClassStringDisjunctionEnter: ({ raw }) => {
      stringClass = raw
    },
    onCharacterSetEnter: (node) => {
      if (node.kind === 'property' && node.strings) stringClass = node.raw
    },
  })
  return { wholes, stringClass }
}
