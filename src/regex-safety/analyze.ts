/**
 * Analyzes a regular expression. The result is the maximum length of a string that is safe to match, and the reason for
 * this limit.
 */
import type { State, LazyDfa, Transition, Letter } from './lazy-dfa.ts'
import type { AST } from '@eslint-community/regexpp'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Alphabet from './alphabet.ts'
import * as Ambiguity from './ambiguity.ts'
import { maxLengthOf } from './expression-metrics.ts'
import { lazyDfa, TooAmbiguous } from './lazy-dfa.ts'
import * as Parser from './expression-metrics.ts'
import * as PositionAutomaton from './position-automaton.ts'
import type { RegexOptions, RegexProgram } from './program.ts'
import { compile, Unsupported } from './program.ts'

/**
 * The number of ways in which a string can lead to each thread of a state. Threads and states are defined in
 * `lazy-dfa.ts`.
 */
type Ways = ReadonlyArray<number>

/** The maximum total number of ways to reach the threads of a state. A greater number is treated as unbounded. */
const maxWays = 100

/**
 * Whether the number of steps grows at most linearly with the length of the string. This is the case if no string can
 * lead to the threads of a state in more than {@link maxWays} ways.
 *
 * If multiple strings lead to the same state, the largest number of ways is used.
 */
export const isLinear = ({ start, transitions }: LazyDfa): boolean => {
  const ways = new Map<State, Ways>([[start, [1]]])
  const pending = new Set([start])
  for (const state of pending) {
    pending.delete(state)
    const current = ways.get(state) ?? []
    for (const transition of transitions(state)) {
      const reached = advance(current, transition)
      if (sum(reached) > maxWays) return false
      const earlier = ways.get(transition.state)
      if (earlier !== undefined && earlier.every((count, at) => count >= (reached[at] ?? 0)))
        continue
      ways.set(
        transition.state,
        earlier === undefined
          ? reached
          : earlier.map((count, at) => Math.max(count, reached[at] ?? 0)),
      )
      pending.add(transition.state)
    }
  }
  return true
}

/** The number of ways to reach each thread of a state, and the number of steps taken to reach the state. */
interface Progress {
  readonly ways: Ways
  readonly steps: number
}

/** Describes how the number of steps grows with the length of the string. */
export interface Growth {
  /**
   * The length of the longest string that can be matched within the budget of steps, or `Infinity` if the length is
   * unlimited.
   */
  readonly maxLength: number
  /** The number of steps for each length, up to the first length at which the number of steps exceeds the budget. */
  readonly steps: ReadonlyArray<number>
}

/** Counts the steps for strings of increasing length, until `length` is reached or the budget is exceeded. */
export const measureGrowth = (
  { start, transitions }: LazyDfa,
  length: number,
  budget: number,
): Growth => {
  let level = new Map<State, Progress>([[start, { ways: [1], steps: 0 }]])
  const steps: number[] = []
  let work = 0
  while (steps.length <= length) {
    const next = new Map<State, Progress>()
    let maximum = steps.at(-1) ?? 0
    for (const [state, effort] of level) {
      const total =
        effort.steps + state.steps.reduce((all, each, at) => all + each * (effort.ways[at] ?? 0), 0)
      maximum = Math.max(maximum, total)
      for (const transition of transitions(state)) {
        work += transition.pairs.length + 1
        merge(next, transition.state, { ways: advance(effort.ways, transition), steps: total })
      }
    }
    steps.push(maximum)
    if (maximum > budget || work > maxWork) return { maxLength: steps.length - 2, steps }
    if (next.size === 0) return { maxLength: Infinity, steps }
    level = next
  }
  return { maxLength: Infinity, steps }
}

/**
 * The maximum number of transitions and thread moves that the analysis evaluates. Evaluating this number takes about 100
 * milliseconds.
 */
const maxWork = 3_000_000

const merge = (level: Map<State, Progress>, state: State, { ways, steps }: Progress): void => {
  const earlier = level.get(state)
  level.set(
    state,
    earlier === undefined
      ? { ways, steps }
      : {
          ways: earlier.ways.map((count, at) => Math.max(count, ways[at] ?? 0)),
          steps: Math.max(earlier.steps, steps),
        },
  )
}

/**
 * Returns the number of ways to reach each thread of the transition's target state. `current` contains these numbers
 * for the threads of the source state.
 */
const advance = (current: Ways, { state, pairs, certain }: Transition): Ways => {
  const ways = Array<number>(state.threads.length).fill(0)
  for (let index = 0; index < pairs.length; index += 2) {
    const [from = 0, to = 0] = [pairs[index], pairs[index + 1]]
    const count = current[from] ?? 0
    ways[to] = (ways[to] ?? 0) + (from === certain ? Math.min(1, count) : count)
  }
  return ways
}

const sum = (ways: Ways): number => ways.reduce((all, count) => all + count, 0)

/** The reason why the number of steps grows faster than linearly with the length of the string. */
export type Superlinear =
  /**
   * If the repetitions in `part` were unbounded, it would match n repetitions of the string `pump` in at least 2ⁿ ways.
   */
  | { readonly _tag: 'Exponential'; readonly part: string; readonly pump: string }
  /** The number of steps is proportional to the string length raised to the power of `degree`, which is at least 2. */
  | { readonly _tag: 'Polynomial'; readonly degree: number }

/** The maximum safe string length for an expression, and the reason for this limit. */
export interface Analysis {
  /**
   * The length of the longest string that can be matched within the given number of steps. `0` for exponential
   * expressions, and `Infinity` if the length is unlimited.
   */
  readonly maxLength: number
  readonly superlinear: O.Option<Superlinear>
}

/**
 * Analyzes an expression with the given flags. Throws {@link Unsupported} if the analysis cannot handle the expression.
 */
export const analyze = (pattern: AST.Pattern, flags: string, maxSteps: number): Analysis => {
  const { stringClass, scopes } = survey(pattern)
  if (stringClass !== undefined)
    throw new Unsupported(
      `unsupported ${stringClass}, which can match a string of more than one character: write it as a group (?:…|…)`,
    )
  const alphabet = Alphabet.of(pattern, flags, [wordAtom, lineAtom])
  const isMultiline = flags.includes('m')
  const lookaheads = isMultiline ? [] : leadingLookaheads(pattern.alternatives)
  const options: Omit<RegexOptions, 'unrollLimit'> = {
    read: alphabet.read,
    multiline: isMultiline,
    searches: isMultiline || !isAnchored(pattern),
    separate: new Set(lookaheads),
  }
  const letters = lettersOf(alphabet)
  const forEachProgram = <A>(use: (program: RegexProgram) => A): ReadonlyArray<A> =>
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
 * Runs an analysis. If the analysis requires too many states, repeats it with a lower limit on unrolled repetitions.
 *
 * For example, `[a-z]{1,500}` requires 500 states. Two adjacent repetitions require as many states as the product of
 * their maximum counts. A repetition that is treated as a loop requires only one state.
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
 * The matcher tries these lookaheads once for each string, and continues with the rest of the expression only if they
 * hold. They are therefore analyzed separately. This function must not be called for expressions with the `m` flag.
 */
const leadingLookaheads = (
  alternatives: ReadonlyArray<AST.Alternative>,
  isAnchoredBefore = false,
): ReadonlyArray<AST.LookaheadAssertion> => {
  const [only] = alternatives
  if (only === undefined || alternatives.length > 1) return []
  const lookaheads: AST.LookaheadAssertion[] = []
  let anchored = isAnchoredBefore
  for (const element of only.elements) {
    if (element.type === 'Assertion' && element.kind === 'start') anchored = true
    else if (element.type === 'Assertion' && element.kind === 'lookahead' && anchored)
      lookaheads.push(element)
    else if (element.type === 'Group' || element.type === 'CapturingGroup')
      return lookaheads.concat(leadingLookaheads(element.alternatives, anchored))
    else return lookaheads
  }
  return lookaheads
}

/**
 * Returns the maximum string length enforced by a lookahead such as `(?=.{1,253}$)`, or `Infinity` if the lookahead
 * does not limit the length.
 */
const lengthBound = ({ negate, alternatives }: AST.LookaheadAssertion): number =>
  !negate && alternatives.every(isAnchoredAtEnd) ? maxLengthOf(alternatives) : Infinity

const isAnchoredAtEnd = ({ elements }: AST.Alternative): boolean => {
  const last = elements.at(-1)
  return last?.type === 'Assertion' && last.kind === 'end'
}

/**
 * Atoms for the word characters, which affect `\b`, and for the line terminators, which affect `^` and `$` with the `m`
 * flag.
 */
const wordAtom = '\\w'
const lineAtom = '[\\n\\r\\u2028\\u2029]'

const lettersOf = ({ letters, read }: Alphabet.Alphabet): ReadonlyArray<Letter> => {
  const [words, lines] = [read.get(wordAtom) ?? 0n, read.get(lineAtom) ?? 0n]
  return letters.map((_, index) => {
    const bit = 1n << BigInt(index)
    return { bit, kind: (words & bit) !== 0n ? 'word' : (lines & bit) !== 0n ? 'line' : 'other' }
  })
}

/**
 * Estimates the degree of the polynomial that describes the number of steps. Compares the number of steps for the longest
 * string with that for a string of half the length.
 */
const measuredDegree = ({ steps }: Growth): number => {
  const last = steps.length - 1
  const [whole = 1, half = 1] = [steps[last], steps[Math.floor(last / 2)]]
  return last < 4 ? 0 : Math.round(Math.log2(whole / half))
}

/** Computes the exact degree of growth in the number of steps, for the whole expression and for each lookaround. */
const degreesOf = (
  scopes: ReadonlyArray<ReadonlyArray<AST.Alternative>>,
  { read }: Alphabet.Alphabet,
): ReadonlyArray<number> =>
  scopes
    .map((alternatives) => PositionAutomaton.ofAlternatives(read)(alternatives))
    .filter(({ letters }) => letters.length <= maxPositions)
    .map(Ambiguity.polynomialDegree)

/** The exact degree is computed only for automata with at most this number of positions. */
const maxPositions = 40

const findExponential = (
  pattern: AST.Pattern,
  { letters, read }: Alphabet.Alphabet,
): O.Option<Superlinear> => {
  const spell = (text: Ambiguity.LetterSets): string =>
    text.map((set) => letters.find((_, i) => (set >> BigInt(i)) & 1n)).join('')
  for (const quantifier of PositionAutomaton.suspiciousQuantifiers(pattern)) {
    const pump = Ambiguity.exponentialPump(PositionAutomaton.asLoop(quantifier, read))
    if (O.isSome(pump))
      return O.some({ _tag: 'Exponential', part: quantifier.raw, pump: spell(pump.value) })
  }
  return O.none
}

/**
 * Collects the parts of an expression that are analyzed separately: the whole expression and each lookaround. Also
 * finds a character class, if any, that can match a string of several characters.
 */
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
