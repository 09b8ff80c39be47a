/** Upper bounds of the steps that a backtracking matcher takes, for any text. */
import type { State, States, Transition } from './lazy-dfa.ts'

/** By place of a state, in how many ways a text can lead there. */
type Ways = ReadonlyArray<number>

/** More ways at a time than this count as growth. */
const mostWays = 100

/**
 * Whether the steps grow no faster than the length of a text: the ways that a matcher may still try are bounded, whatever it has
 * read. The ways of different texts to a state are not told apart; the greatest number counts.
 */
export const isLinear = ({ start, from }: States): boolean => {
  const ways = new Map<State, Ways>([[start, [1]]])
  const pending = new Set([start])
  for (const state of pending) {
    pending.delete(state)
    const before = ways.get(state) ?? []
    for (const transition of from(state)) {
      const reached = lead(before, transition)
      if (sum(reached) > mostWays) return false
      const known = ways.get(transition.state)
      if (known !== undefined && known.every((count, at) => count >= (reached[at] ?? 0))) continue
      ways.set(
        transition.state,
        known === undefined ? reached : known.map((count, at) => Math.max(count, reached[at] ?? 0)),
      )
      pending.add(transition.state)
    }
  }
  return true
}

/** The ways and the steps so far, to one state. */
interface Effort {
  readonly ways: Ways
  readonly steps: number
}

/** What a text of some length takes. */
export interface Growth {
  /** The greatest length that stays within the budget; `Infinity` if all do. */
  readonly longest: number
  /** The steps for each length up to the one after it. */
  readonly steps: ReadonlyArray<number>
}

/** Counts the steps for longer and longer texts, up to a length or until a budget is spent. */
export const growth = ({ start, from }: States, length: number, budget: number): Growth => {
  let level = new Map<State, Effort>([[start, { ways: [1], steps: 0 }]])
  const steps: number[] = []
  let work = 0
  while (steps.length <= length) {
    const next = new Map<State, Effort>()
    let most = steps.at(-1) ?? 0
    for (const [state, effort] of level) {
      const total =
        effort.steps + state.steps.reduce((all, each, at) => all + each * (effort.ways[at] ?? 0), 0)
      most = Math.max(most, total)
      for (const transition of from(state)) {
        work += transition.pairs.length + 1
        join(next, transition.state, { ways: lead(effort.ways, transition), steps: total })
      }
    }
    steps.push(most)
    if (most > budget || work > mostWork) return { longest: steps.length - 2, steps }
    if (next.size === 0) return { longest: Infinity, steps }
    level = next
  }
  return { longest: Infinity, steps }
}

/** Bounds the analysis itself, to some 100 milliseconds. */
const mostWork = 3_000_000

const join = (level: Map<State, Effort>, state: State, { ways, steps }: Effort): void => {
  const known = level.get(state)
  level.set(
    state,
    known === undefined
      ? { ways, steps }
      : {
          ways: known.ways.map((count, at) => Math.max(count, ways[at] ?? 0)),
          steps: Math.max(known.steps, steps),
        },
  )
}

/** The ways after one more character. */
const lead = (before: Ways, { state, pairs, last }: Transition): Ways => {
  const ways = Array<number>(state.places.length).fill(0)
  for (let index = 0; index < pairs.length; index += 2) {
    const [from = 0, to = 0] = [pairs[index], pairs[index + 1]]
    const count = before[from] ?? 0
    ways[to] = (ways[to] ?? 0) + (from === last ? Math.min(1, count) : count)
  }
  return ways
}

const sum = (ways: Ways): number => ways.reduce((all, count) => all + count, 0)
