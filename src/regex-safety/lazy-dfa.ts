/**
 * The states of a backtracking matcher: where all the ways through a program are that it may still try, after as many characters.
 *
 * A matcher takes these ways one after the other; a state has them side by side, in the order in which they are tried. A way
 * that is certain to match ends the search, so the ways after it are never tried.
 */
import type { Before, Move, Moves } from './epsilon-moves.ts'
import { accepted, after, movesOf } from './epsilon-moves.ts'
import type { Program } from './program.ts'
import { Unsupported } from './program.ts'

/** A place: a `Read` instruction whose character was read, or the start. Doubtful places may never be reached. */
interface Place {
  readonly at: number
  readonly doubtful: boolean
}

export interface State {
  readonly before: Before
  readonly places: ReadonlyArray<Place>
  /** By place, the steps that each way there takes to the next character. */
  readonly steps: ReadonlyArray<number>
}

/** What one of the letters makes of a state. */
export interface Transition {
  readonly state: State
  /** From which place to which, one after the other: two numbers for each way. */
  readonly pairs: ReadonlyArray<number>
  /**
   * The place from which the first way is certain to match, so that the other ways there are never tried; -1 if there is none.
   */
  readonly last: number
}

export interface States {
  readonly start: State
  /** The transitions by all letters, without those that are the same. */
  readonly from: (state: State) => ReadonlyArray<Transition>
}

/** An expression has more states than are analysed. */
export class TooAmbiguous extends Unsupported {}
const tooAmbiguous = 'it is too ambiguous to be analysed'

export interface Letter {
  readonly bit: bigint
  readonly kind: Exclude<Before, 'start'>
}

/** More states, or moves between them, are not analysed; they take some 100 milliseconds. */
const mostStates = 3000
const mostMoves = 1_000_000

/** Prepares the states of a program. `looksAhead` finds places from which every rest of a text matches, which takes longer. */
export const statesOf = (
  program: Program,
  letters: ReadonlyArray<Letter>,
  looksAhead: boolean,
): States => {
  const { instructions } = program
  const walk = movesOf(program)
  const nextOf = ({ at }: Place): number => {
    const instruction = instructions[at]
    return instruction?.tag === 'Read' ? instruction.next : program.start
  }
  const movesAt = (place: Place, before: Before): Moves => walk(nextOf(place), before)
  const reads = (at: number, { bit }: Letter): boolean => {
    const instruction = instructions[at]
    return instruction?.tag === 'Read' && (instruction.letters & bit) !== 0n
  }
  const isOpen = ({ to, guard }: Move, letter: Letter): boolean =>
    (guard & after[letter.kind]) !== 0 && reads(to, letter)

  const states = new Map<string, State>()
  const stateOf = (before: Before, places: ReadonlyArray<Place>): State => {
    const key = `${before} ${places.map(({ at, doubtful }) => (doubtful ? -at : at)).join()}`
    const known = states.get(key)
    if (known !== undefined) return known
    if (states.size >= mostStates) throw new TooAmbiguous(tooAmbiguous)
    const steps = places.map((place) => movesAt(place, before).steps)
    const state = { before, places, steps }
    states.set(key, state)
    return state
  }

  const certainties = new Map<string, boolean>()
  const isCertain = (place: Place, before: Before): boolean => {
    if (!looksAhead || place.doubtful) return false
    const key = `${before} ${place.at}`
    const known = certainties.get(key)
    if (known !== undefined) return known
    const certain = matchesEveryRest([place], before)
    certainties.set(key, certain)
    return certain
  }

  /** Whether some way from these places matches, whatever follows. */
  const matchesEveryRest = (places: ReadonlyArray<Place>, before: Before): boolean => {
    const seen = new Map([[`${before} ${places.map(({ at }) => at).join()}`, { places, before }]])
    for (const one of seen.values()) {
      const all = one.places.flatMap((place) => movesAt(place, one.before).moves)
      const sure = all.filter(({ doubtful }) => !doubtful)
      const accepts = (kind: keyof typeof after): boolean =>
        sure.some(({ to, guard }) => to === accepted && (guard & after[kind]) !== 0)
      if (!accepts('end')) return false
      for (const letter of letters) {
        if (accepts(letter.kind)) continue
        const reached = [
          ...new Set(sure.filter((move) => isOpen(move, letter)).map(({ to }) => to)),
        ].toSorted((a, b) => a - b)
        if (reached.length === 0 || seen.size > mostSets) return false
        const next = reached.map((at) => ({ at, doubtful: false }))
        seen.set(`${letter.kind} ${reached.join()}`, { places: next, before: letter.kind })
      }
    }
    return true
  }

  let tried = 0
  const by = ({ before, places }: State, letter: Letter): Transition | undefined => {
    const found = new Map<number, Place>()
    const positions = new Map<number, number>()
    const pairs: number[] = []
    const finish = (last: number): Transition | undefined =>
      found.size === 0
        ? undefined
        : { state: stateOf(letter.kind, [...found.values()]), pairs, last }
    for (const [from, place] of places.entries())
      for (const move of movesAt(place, before).moves) {
        if (++tried > mostMoves) throw new TooAmbiguous(tooAmbiguous)
        if ((move.guard & after[letter.kind]) === 0) continue
        const doubtful = place.doubtful || move.doubtful
        if (move.to === accepted) {
          if (!doubtful) return finish(from)
          continue
        }
        if (!reads(move.to, letter)) continue
        const next = { at: move.to, doubtful }
        const key = doubtful ? -move.to : move.to
        const to = positions.get(key) ?? found.size
        positions.set(key, to)
        found.set(key, next)
        pairs.push(from, to)
        if (isCertain(next, letter.kind)) return finish(from)
      }
    return finish(-1)
  }

  const transitions = new Map<State, ReadonlyArray<Transition>>()
  return {
    start: stateOf('start', [{ at: startPlace, doubtful: false }]),
    from: (state) => {
      const known = transitions.get(state)
      if (known !== undefined) return known
      const different: Transition[] = []
      for (const letter of letters) {
        const made = by(state, letter)
        if (made === undefined) continue
        if (!different.some((one) => isSame(one, made))) different.push(made)
      }
      transitions.set(state, different)
      return different
    },
  }
}

const isSame = (a: Transition, b: Transition): boolean =>
  a.state === b.state &&
  a.last === b.last &&
  a.pairs.length === b.pairs.length &&
  a.pairs.every((place, index) => place === b.pairs[index])

/** No instruction, so that the moves are those from the start of the program. */
const startPlace = Number.MAX_SAFE_INTEGER

const mostSets = 200
