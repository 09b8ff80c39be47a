/**
 * Epsilon moves: the instructions that a program can reach without reading a character.
 *
 * They are listed in the order in which a backtracking matcher tries them, with the number of steps to try them all.
 */
import type { Instruction, PositionAssertion, Program } from './program.ts'
import { Unsupported } from './program.ts'

/** The kind of the character before a position, as far as anchors and word boundaries distinguish characters. */
export type PreviousCharacter = 'start' | 'word' | 'line' | 'other'

/** The kinds of the character after a position, as bits of a set; `end` is the end of the text. */
export const nextCharacter = { word: 1, line: 2, other: 4, end: 8 } as const
const anyNext = 15

/** A path to an instruction that reads a character, or to the end of the program. */
export interface Move {
  /** The `Read` instruction, or `accepted`. */
  readonly to: number
  /** The kinds of the next character for which the assertions on the path hold. */
  readonly guard: number
  /** Whether the path depends on a condition that is not analyzed, such as a lookahead. */
  readonly isUncertain: boolean
}

/** The target of moves to the end of the program. */
export const accepted = -1

/** All moves from one instruction. */
export interface Moves {
  /** By descending priority. An instruction occurs once for each path to it. */
  readonly moves: ReadonlyArray<Move>
  readonly steps: number
}

/** The steps to save the state of the matcher for a lookahead. */
const lookaheadSteps = 3

/** The maximum number of steps between two characters. Programs that take more are rejected. */
const maxSteps = 20_000

/** Returns a memoized function that computes the moves from an instruction after a character of the given kind. */
export const epsilonMoves = (
  program: Program,
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
  /** The loops that started an iteration since the last character. */
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
    if (steps > maxSteps) throw new Unsupported('too many ways to match the empty text')
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

/** The kinds of the next character for which an assertion holds. */
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
