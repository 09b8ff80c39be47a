/**
 * In how many ways one text can run through a position automaton, which is what a backtracking matcher tries before it
 * gives up. The number grows exponentially with the text exactly when two different runs over the same characters lead
 * from a position back to itself; otherwise it grows as a power of the length.
 *
 * @see https://doi.org/10.1016/0304-3975(91)90381-B Weber and Seidl, On the degree of ambiguity of finite automata
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Graph from './graph.ts'
import type { Loop, PositionAutomaton } from './position-automaton.ts'

/** A text, as the letters that each of its characters can be. */
export type Text = ReadonlyArray<bigint>

/**
 * A text that leads through a loop (`PositionAutomaton.loop`) and back to where it began in two ways, so that n of them
 * in a row can be run through in 2ⁿ ways at least; `none` when there is no such text.
 *
 * All positions of a loop lead to one another, so one of them is enough to set out from and to come back to.
 */
export const exponential = ({ letters, follow }: PositionAutomaton): O.Option<Text> => {
  if (letters.length === 0) return O.none
  const start = 0
  // A position with two ways to it gets a twin, so that the second way has an end of its own.
  const twinned = [...letters, ...letters]
  const next = [...follow, ...follow].map((ways) =>
    Array.from(ways).flatMap(([p, count]) => (count > 1 ? [p, p + letters.length] : [p])),
  )
  const run = graph(next)
  const pairs = Graph.product(twinned, [run, run])
  const there = Graph.reach(pairs, start)
  const back = Graph.reach(Graph.reverse(pairs, there.keys()), start)
  const both = (pair: number): ReadonlyArray<number> => Graph.unpack(twinned.length, 2, pair)
  const apart = [...there.keys()].find((pair) => {
    const [p, q] = both(pair)
    return p !== q && back.has(pair)
  })
  if (apart === undefined) return O.none
  const round = [
    ...Graph.trail(there, apart),
    ...Graph.trail(back, apart).slice(1, -1).toReversed(),
  ]
  return O.some(
    round.map((pair) => both(pair).reduce((shared, p) => shared & (twinned[p] ?? 0n), -1n)),
  )
}

/**
 * The power of the length with which the time to match grows, of an automaton without exponential loops: 0 where there is
 * no loop, else 1, and 1 more for each loop along the way that can share out a text with one before it, as in `a*a*`.
 */
export const degree = ({ letters, follow, loops }: PositionAutomaton): number => {
  const run = graph(follow.map((ways) => [...ways.keys()]))
  const chains = loops.reduceRight<ReadonlyArray<Chain>>((later, loop) => {
    const reached = Graph.reach(run, loop.start)
    const lengths = later
      .filter((chain) => reached.has(chain.loop.start))
      .map((chain) => chain.length + (share(letters, run, loop, chain.loop) ? 1 : 0))
    return [{ loop, length: Math.max(1, ...lengths) }, ...later]
  }, [])
  return Math.max(0, ...chains.map(({ length }) => length))
}

/** The most loops, from this one on, that share out texts with one another. */
interface Chain {
  readonly loop: Loop
  readonly length: number
}

/** Whether one and the same text leads round the first loop, round the second, and from the first to the second. */
const share = (
  letters: PositionAutomaton['letters'],
  run: Graph.Graph,
  first: Loop,
  second: Loop,
): boolean => {
  const within =
    ({ start, end }: Loop): Graph.Graph =>
    (p) =>
      run(p).filter((q) => start <= q && q < end)
  const walks = Graph.product(letters, [within(first), run, within(second)])
  const leads = (p: number, q: number): boolean =>
    Graph.reach(walks, Graph.pack(letters.length, [p, p, q])).has(
      Graph.pack(letters.length, [p, q, q]),
    )
  // Positions are in the order of the source, so every round has a step that does not go forward; the text may begin there.
  const heads = positions(first).filter((p) =>
    positions(first).some((q) => p <= q && run(q).includes(p)),
  )
  return heads.some((p) => positions(second).some((q) => leads(p, q)))
}

const positions = ({ start, end }: Loop): ReadonlyArray<number> =>
  Array.from({ length: end - start }, (_, i) => start + i)

const graph =
  (next: ReadonlyArray<ReadonlyArray<number>>): Graph.Graph =>
  (p) =>
    next[p] ?? []
