/**
 * What a program can do between two characters: the instructions that read the next one, in the order in which a matcher tries
 * them, and the steps that it takes to try them all.
 */
import type { Edge, Instruction, Program } from './program.ts'
import { Unsupported } from './program.ts'

/** The kind of the character before a position. The kinds are what anchors and word boundaries tell apart. */
export type Before = 'start' | 'word' | 'line' | 'other'

/** The kinds of what comes after a position, as bits of a set; `end` is the end of the text. */
export const after = { word: 1, line: 2, other: 4, end: 8 } as const
const anything = 15

/** One way to continue. */
export interface Move {
  /** The `Read` instruction, or `accepted`. */
  readonly to: number
  /** The kinds of the next character with which this is possible. */
  readonly guard: number
  /** Whether it depends on a condition that is not analysed. */
  readonly doubtful: boolean
}

export const accepted = -1

export interface Moves {
  /** In the order of priority; the same instruction occurs once for each way to it. */
  readonly moves: ReadonlyArray<Move>
  readonly steps: number
}

/** What it takes to save the state of the matcher for a lookahead. */
const savingSteps = 3

/** Steps between two characters. A program that takes more is rejected. */
const mostSteps = 20_000

/** Prepares the moves from an instruction after a character of a kind. Each is computed once. */
export const movesOf = (program: Program): ((from: number, before: Before) => Moves) => {
  const known = new Map<Before, Map<number, Moves>>()
  return (from, before) => {
    const ofKind = known.get(before) ?? new Map<number, Moves>()
    known.set(before, ofKind)
    const made = ofKind.get(from) ?? walk(program.instructions, from, before)
    ofKind.set(from, made)
    return made
  }
}

interface Branch {
  readonly at: number
  readonly guard: number
  readonly doubtful: boolean
  /** The loops of which a round began since the last character. */
  readonly rounds: ReadonlySet<number>
}

const walk = (instructions: ReadonlyArray<Instruction>, from: number, before: Before): Moves => {
  const moves: Move[] = []
  const branches: Branch[] = [{ at: from, guard: anything, doubtful: false, rounds: new Set() }]
  let steps = 0
  for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
    const { guard, doubtful, rounds } = branch
    const instruction = instructions[branch.at]
    steps++
    if (steps > mostSteps) throw new Unsupported('it has too many ways to match an empty text')
    switch (instruction?.tag) {
      case 'Read':
        moves.push({ to: branch.at, guard, doubtful })
        break
      case 'Accept':
        moves.push({ to: accepted, guard, doubtful })
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
          rounds: new Set([...rounds, instruction.loop]),
        })
        break
      case 'Leave':
        steps++
        if (!rounds.has(instruction.loop)) branches.push({ ...branch, at: instruction.next })
        break
      case 'Look':
        steps += savingSteps
        branches.push(
          { ...branch, at: instruction.next, doubtful: true },
          { ...branch, at: instruction.body },
        )
        break
      case 'Doubt':
        steps += instruction.steps
        branches.push({ ...branch, at: instruction.next, doubtful: true })
        break
      case 'Assert': {
        const possible = guard & allowed(instruction.edge, before)
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

/** The kinds of the next character with which an edge is at a position. */
const allowed = (edge: Edge, before: Before): number => {
  switch (edge) {
    case 'start':
      return before === 'start' ? anything : 0
    case 'lineStart':
      return before === 'start' || before === 'line' ? anything : 0
    case 'end':
      return after.end
    case 'lineEnd':
      return after.end | after.line
    case 'boundary':
      return before === 'word' ? anything & ~after.word : after.word
    case 'noBoundary':
      return before === 'word' ? after.word : anything & ~after.word
  }
}
