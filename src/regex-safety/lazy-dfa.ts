/**
 * A DFA of a program, built on demand by an ordered subset construction.
 *
 * A state holds all threads of a backtracking matcher after the same characters, by descending priority. The matcher runs
 * them one after the other and stops at the first match. Threads after one that is certain to match never run.
 */
import type { Move, Moves, PreviousCharacter } from './epsilon-moves.ts'
import { accepted, epsilonMoves, nextCharacter } from './epsilon-moves.ts'
import type { Program } from './program.ts'
import { Unsupported } from './program.ts'

/** A `Read` instruction whose character was read, or the start. An uncertain thread may be unreachable. */
interface Thread {
  readonly at: number
  readonly isUncertain: boolean
}

/** The threads of the matcher after some text. */
export interface State {
  readonly previous: PreviousCharacter
  readonly threads: ReadonlyArray<Thread>
  /** By thread, the number of steps to the next character. */
  readonly steps: ReadonlyArray<number>
}

/** The effect of one letter on a state. */
export interface Transition {
  readonly state: State
  /** The moves between threads: index of the source thread, index of the target thread, and so on. */
  readonly pairs: ReadonlyArray<number>
  /** The index of the source thread whose first move is certain to match, so that its other moves never run; -1 for none. */
  readonly certain: number
}

/** A DFA whose states are created when they are reached. */
export interface LazyDfa {
  readonly start: State
  /** The distinct transitions of a state for all letters. */
  readonly transitions: (state: State) => ReadonlyArray<Transition>
}

/** An expression has more states than the analysis supports. */
export class TooAmbiguous extends Unsupported {}
const tooAmbiguous = 'too ambiguous to analyze'

/** An equivalence class of characters, as one bit of a set. */
export interface Letter {
  readonly bit: bigint
  readonly kind: Exclude<PreviousCharacter, 'start'>
}

/** Limits of the analysis, which correspond to about 100 milliseconds. */
const maxStates = 3000
const maxMoves = 1_000_000

/**
 * Creates the DFA of a program. `detectsCertainty` finds threads that match every rest of a text, which takes longer.
 *
 * Its functions throw `TooAmbiguous` beyond the limits of the analysis.
 */
export const lazyDfa = (
  program: Program,
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
    const known = states.get(key)
    if (known !== undefined) return known
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
    const known = certainties.get(key)
    if (known !== undefined) return known
    const certain = matchesEveryRest([thread], previous)
    certainties.set(key, certain)
    return certain
  }

  /** Whether one of the threads matches, for every rest of the text. */
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
    const found = new Map<number, Thread>()
    const indices = new Map<number, number>()
    const pairs: number[] = []
    const finish = (certain: number): Transition | undefined =>
      found.size === 0
        ? undefined
        : { state: stateOf(letter.kind, [...found.values()]), pairs, certain }
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
        const to = indices.get(key) ?? found.size
        indices.set(key, to)
        found.set(key, next)
        pairs.push(from, to)
        if (isCertain(next, letter.kind)) return finish(from)
      }
    return finish(-1)
  }

  const known = new Map<State, ReadonlyArray<Transition>>()
  return {
    start: stateOf('start', [{ at: beforeStart, isUncertain: false }]),
    transitions: (state) => {
      const before = known.get(state)
      if (before !== undefined) return before
      const distinct: Transition[] = []
      for (const letter of letters) {
        const next = transition(state, letter)
        if (next === undefined) continue
        if (!distinct.some((other) => isEqual(other, next))) distinct.push(next)
      }
      known.set(state, distinct)
      return distinct
    },
  }
}

const isEqual = (a: Transition, b: Transition): boolean =>
  a.state === b.state &&
  a.certain === b.certain &&
  a.pairs.length === b.pairs.length &&
  a.pairs.every((index, position) => index === b.pairs[position])

/** Not the index of an instruction, so the moves are those from the start of the program. */
const beforeStart = Number.MAX_SAFE_INTEGER

const maxSubsets = 200
