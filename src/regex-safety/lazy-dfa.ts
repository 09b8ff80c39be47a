/**
 * Builds a deterministic finite automaton (DFA) for a program (see `program.ts`). States are created on demand by an
 * ordered subset construction.
 *
 * A thread is one of the attempts of a backtracking matcher to match a string. A state contains all threads that are
 * possible after a given sequence of characters, in descending order of priority. The matcher runs the threads one
 * after another, and stops at the first match. If a thread is certain to match, the threads after it never run.
 */
import type { Instruction, PositionAssertion, RegexProgram } from './program.ts'
import { Unsupported } from './program.ts'

/** The kind of the previous character. Anchors and word boundaries distinguish these kinds. */
export type PreviousCharacter = 'start' | 'word' | 'line' | 'other'

/** The kinds of characters that can come next, as the bits of a bit set. `end` represents the end of the string. */
const nextCharacter = { word: 1, line: 2, other: 4, end: 8 } as const
const anyNext = 15

/** A path through the program to the next instruction that reads a character, or to the end of the program. */
export interface Move {
  /** The index of the `Read` instruction that the path leads to, or {@link accepted} if it leads to the end. */
  readonly to: number
  /** A bit set of the kinds of next character for which all assertions on the path hold. */
  readonly guard: number
  /** Whether the path depends on a condition that is not analyzed, such as a lookahead. */
  readonly isUncertain: boolean
}

/** The target of a move to the end of the program. */
const accepted = -1

/** All moves from one instruction, and the number of steps that they take. */
export interface Moves {
  /**
   * The moves in descending order of priority. If multiple paths lead to the same instruction, each path is a separate
   * move.
   */
  readonly moves: ReadonlyArray<Move>
  readonly steps: number
}

/** The number of steps needed to save the state of the matcher for a lookahead. */
const lookaheadSteps = 3

/** The maximum number of steps between two characters. Programs that exceed this limit are rejected. */
const maxSteps = 20_000

/**
 * Returns a memoized function that computes the moves from an instruction, given the kind of the previous character.
 */
const epsilonMoves = (
  program: RegexProgram,
): ((from: number, previous: PreviousCharacter) => Moves) => {
  const cache = new Map<PreviousCharacter, Map<number, Moves>>()
  return (from, previous) => {
    const byInstruction = cache.get(previous) ?? new Map<number, Moves>()
    cache.set(previous, byInstruction)
    const moves = byInstruction.get(from) ?? walk(program.instructions, from, previous)
    byInstruction.set(from, moves)
    return moves
  }
}

interface Branch {
  readonly at: number
  readonly guard: number
  readonly isUncertain: boolean
  /** The loops in which an iteration has started since the last character was read. */
  readonly iterations: ReadonlySet<number>
}

const walk = (
  instructions: ReadonlyArray<Instruction>,
  from: number,
  previous: PreviousCharacter,
): Moves => {
  const moves: Move[] = []
  const branches: Branch[] = [
    { at: from, guard: anyNext, isUncertain: false, iterations: new Set() },
  ]
  let steps = 0
  for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
    const { guard, isUncertain, iterations } = branch
    const instruction = instructions[branch.at]
    steps++
    if (steps > maxSteps) throw new Unsupported('too many ways to match the empty string')
    switch (instruction?.tag) {
      case 'Read':
        moves.push({ to: branch.at, guard, isUncertain })
        break
      case 'Accept':
        moves.push({ to: accepted, guard, isUncertain })
        break
      case 'Split':
        branches.push({ ...branch, at: instruction.second }, { ...branch, at: instruction.first })
        break
      case 'Jump':
        steps += instruction.steps
        branches.push({ ...branch, at: instruction.next })
        break
      case 'Enter':
        steps++
        branches.push({
          ...branch,
          at: instruction.next,
          iterations: new Set([...iterations, instruction.loop]),
        })
        break
      case 'Leave':
        steps++
        if (!iterations.has(instruction.loop)) branches.push({ ...branch, at: instruction.next })
        break
      case 'Lookahead':
        steps += lookaheadSteps
        branches.push(
          { ...branch, at: instruction.next, isUncertain: true },
          { ...branch, at: instruction.body },
        )
        break
      case 'Uncertain':
        steps += instruction.steps
        branches.push({ ...branch, at: instruction.next, isUncertain: true })
        break
      case 'Assert': {
        const possible = guard & nextAllowed(instruction.assertion, previous)
        if (possible !== 0) branches.push({ ...branch, at: instruction.next, guard: possible })
        break
      }
      case 'Fail':
      case undefined:
        break
    }
  }
  return { moves, steps }
}

/** Returns a bit set of the kinds of next character for which an assertion holds. */
const nextAllowed = (assertion: PositionAssertion, previous: PreviousCharacter): number => {
  switch (assertion) {
    case 'start':
      return previous === 'start' ? anyNext : 0
    case 'lineStart':
      return previous === 'start' || previous === 'line' ? anyNext : 0
    case 'end':
      return nextCharacter.end
    case 'lineEnd':
      return nextCharacter.end | nextCharacter.line
    case 'boundary':
      return previous === 'word' ? anyNext & ~nextCharacter.word : nextCharacter.word
    case 'noBoundary':
      return previous === 'word' ? nextCharacter.word : anyNext & ~nextCharacter.word
  }
}

/**
 * A thread that has just executed the `Read` instruction at the index `at`, or is at the start of the program. An
 * uncertain thread is one that the matcher might never reach.
 */
interface Thread {
  readonly at: number
  readonly isUncertain: boolean
}

/** The set of threads that can be active in a matcher after it has read a given sequence of characters. */
export interface State {
  readonly previous: PreviousCharacter
  readonly threads: ReadonlyArray<Thread>
  /** For each thread, the number of steps that the matcher executes before it reads the next character. */
  readonly steps: ReadonlyArray<number>
}

/** The effect of reading one letter in a state. */
export interface Transition {
  readonly state: State
  /**
   * The moves between threads, as a flat list of pairs. Each pair consists of the index of a source thread and the
   * index of a target thread.
   */
  readonly pairs: ReadonlyArray<number>
  /**
   * The index of the source thread that is certain to match, or `-1` if there is no such thread. Moves of lower
   * priority never run and are not included in `pairs`.
   */
  readonly certain: number
}

/** A deterministic finite automaton (DFA) whose states are created on demand. */
export interface LazyDfa {
  readonly start: State
  /** Returns the transitions from a state, without duplicates. */
  readonly transitions: (state: State) => ReadonlyArray<Transition>
}

/** Error thrown if an expression requires more states or moves than the analysis supports. */
export class TooAmbiguous extends Unsupported {}
const tooAmbiguous = 'too ambiguous to analyze'

/** A class of equivalent characters, represented by one bit in a bit set. */
export interface Letter {
  readonly bit: bigint
  readonly kind: Exclude<PreviousCharacter, 'start'>
}

/** Limits on the number of states and moves. The analysis takes about 100 milliseconds to reach them. */
const maxStates = 3000
const maxMoves = 1_000_000

/**
 * Creates the DFA for a program. If `detectsCertainty` is `true`, the DFA detects threads that match regardless of the
 * rest of the string. This detection takes additional time.
 *
 * The `transitions` function throws {@link TooAmbiguous} if the limits of the analysis are exceeded.
 */
export const lazyDfa = (
  program: RegexProgram,
  letters: ReadonlyArray<Letter>,
  detectsCertainty: boolean,
): LazyDfa => {
  const { instructions } = program
  const movesFrom = epsilonMoves(program)
  const nextOf = ({ at }: Thread): number => {
    const instruction = instructions[at]
    return instruction?.tag === 'Read' ? instruction.next : program.start
  }
  const movesOf = (thread: Thread, previous: PreviousCharacter): Moves =>
    movesFrom(nextOf(thread), previous)
  const reads = (at: number, { bit }: Letter): boolean => {
    const instruction = instructions[at]
    return instruction?.tag === 'Read' && (instruction.letters & bit) !== 0n
  }
  const isPossible = ({ to, guard }: Move, letter: Letter): boolean =>
    (guard & nextCharacter[letter.kind]) !== 0 && reads(to, letter)

  const states = new Map<string, State>()
  const stateOf = (previous: PreviousCharacter, threads: ReadonlyArray<Thread>): State => {
    const key = `${previous} ${threads.map(({ at, isUncertain }) => (isUncertain ? -at : at)).join()}`
    const existing = states.get(key)
    if (existing !== undefined) return existing
    if (states.size >= maxStates) throw new TooAmbiguous(tooAmbiguous)
    const steps = threads.map((thread) => movesOf(thread, previous).steps)
    const state = { previous, threads, steps }
    states.set(key, state)
    return state
  }

  const certainties = new Map<string, boolean>()
  const isCertain = (thread: Thread, previous: PreviousCharacter): boolean => {
    if (!detectsCertainty || thread.isUncertain) return false
    const key = `${previous} ${thread.at}`
    const cached = certainties.get(key)
    if (cached !== undefined) return cached
    const certain = matchesEveryRest([thread], previous)
    certainties.set(key, certain)
    return certain
  }

  /** Whether, for every possible continuation of the string, at least one of the threads matches. */
  const matchesEveryRest = (
    threads: ReadonlyArray<Thread>,
    previous: PreviousCharacter,
  ): boolean => {
    const seen = new Map([
      [`${previous} ${threads.map(({ at }) => at).join()}`, { threads, previous }],
    ])
    for (const subset of seen.values()) {
      const moves = subset.threads
        .flatMap((thread) => movesOf(thread, subset.previous).moves)
        .filter(({ isUncertain }) => !isUncertain)
      const accepts = (kind: keyof typeof nextCharacter): boolean =>
        moves.some(({ to, guard }) => to === accepted && (guard & nextCharacter[kind]) !== 0)
      if (!accepts('end')) return false
      for (const letter of letters) {
        if (accepts(letter.kind)) continue
        const reached = [
          ...new Set(moves.filter((move) => isPossible(move, letter)).map(({ to }) => to)),
        ].toSorted((a, b) => a - b)
        if (reached.length === 0 || seen.size > maxSubsets) return false
        const next = reached.map((at) => ({ at, isUncertain: false }))
        seen.set(`${letter.kind} ${reached.join()}`, { threads: next, previous: letter.kind })
      }
    }
    return true
  }

  let moveCount = 0
  const transition = ({ previous, threads }: State, letter: Letter): Transition | undefined => {
    const reached = new Map<number, Thread>()
    const indices = new Map<number, number>()
    const pairs: number[] = []
    const finish = (certain: number): Transition | undefined =>
      reached.size === 0
        ? undefined
        : { state: stateOf(letter.kind, [...reached.values()]), pairs, certain }
    for (const [from, thread] of threads.entries())
      for (const move of movesOf(thread, previous).moves) {
        if (++moveCount > maxMoves) throw new TooAmbiguous(tooAmbiguous)
        if ((move.guard & nextCharacter[letter.kind]) === 0) continue
        const isUncertain = thread.isUncertain || move.isUncertain
        if (move.to === accepted) {
          if (!isUncertain) return finish(from)
          continue
        }
        if (!reads(move.to, letter)) continue
        const next = { at: move.to, isUncertain }
        const key = isUncertain ? -move.to : move.to
        const to = indices.get(key) ?? reached.size
        indices.set(key, to)
        reached.set(key, next)
        pairs.push(from, to)
        if (isCertain(next, letter.kind)) return finish(from)
      }
    return finish(-1)
  }

  const cache = new Map<State, ReadonlyArray<Transition>>()
  return {
    start: stateOf('start', [{ at: beforeStart, isUncertain: false }]),
    transitions: (state) => {
      const cached = cache.get(state)
      if (cached !== undefined) return cached
      const distinct: Transition[] = []
      for (const letter of letters) {
        const next = transition(state, letter)
        if (next === undefined) continue
        if (!distinct.some((other) => isEqual(other, next))) distinct.push(next)
      }
      cache.set(state, distinct)
      return distinct
    },
  }
}

const isEqual = (a: Transition, b: Transition): boolean =>
  a.state === b.state &&
  a.certain === b.certain &&
  a.pairs.length === b.pairs.length &&
  a.pairs.every((index, position) => index === b.pairs[position])

/** The position of a thread that has not read any characters. It is not a valid instruction index. */
const beforeStart = Number.MAX_SAFE_INTEGER

const maxSubsets = 200
