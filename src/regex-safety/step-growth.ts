/** Upper bounds on the steps of a backtracking matcher, for texts of a given length. */
import type { State, LazyDfa, Transition } from './lazy-dfa.ts'

/** By thread of a state, the number of ways in which a text can lead to it. */
type Ways = ReadonlyArray<number>

/** More ways than this in one state count as growth. */
const maxWays = 100

/**
 * Whether the steps grow at most linearly: the number of ways that a matcher may still try is bounded for all texts.
 *
 * Texts that lead to the same state are not distinguished; the largest number of ways counts.
 */
export const isLinear = ({ start, transitions }: LazyDfa): boolean => {
  const ways = new Map<State, Ways>([[start, [1]]])
  const pending = new Set([start])
  for (const state of pending) {
    pending.delete(state)
    const before = ways.get(state) ?? []
    for (const transition of transitions(state)) {
      const reached = advance(before, transition)
      if (sum(reached) > maxWays) return false
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

/** The ways to a state, and the steps so far. */
interface Progress {
  readonly ways: Ways
  readonly steps: number
}

/** The steps by length of the text. */
export interface Growth {
  /** The greatest length within the budget; `Infinity` if there is no bound. */
  readonly maxLength: number
  /** The steps for each length, up to the first one that exceeds the budget. */
  readonly steps: ReadonlyArray<number>
}

/** Counts the steps for increasing lengths, up to `length` or until the budget is exceeded. */
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
    let most = steps.at(-1) ?? 0
    for (const [state, effort] of level) {
      const total =
        effort.steps + state.steps.reduce((all, each, at) => all + each * (effort.ways[at] ?? 0), 0)
      most = Math.max(most, total)
      for (const transition of transitions(state)) {
        work += transition.pairs.length + 1
        merge(next, transition.state, { ways: advance(effort.ways, transition), steps: total })
      }
    }
    steps.push(most)
    if (most > budget || work > maxWork) return { maxLength: steps.length - 2, steps }
    if (next.size === 0) return { maxLength: Infinity, steps }
    level = next
  }
  return { maxLength: Infinity, steps }
}

/** Bounds the analysis itself to about 100 milliseconds. */
const maxWork = 3_000_000

const merge = (level: Map<State, Progress>, state: State, { ways, steps }: Progress): void => {
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

/** Returns the ways after one more character. */
const advance = (before: Ways, { state, pairs, certain }: Transition): Ways => {
  const ways = Array<number>(state.threads.length).fill(0)
  for (let index = 0; index < pairs.length; index += 2) {
    const [from = 0, to = 0] = [pairs[index], pairs[index + 1]]
    const count = before[from] ?? 0
    ways[to] = (ways[to] ?? 0) + (from === certain ? Math.min(1, count) : count)
  }
  return ways
}

const sum = (ways: Ways): number => ways.reduce((all, count) => all + count, 0)
