/**
 * In how many ways one text can run through a position automaton, which is what a backtracking matcher tries before it
 * gives up. The number grows exponentially with the text exactly when two different runs over the same characters lead
 * from a position back to itself; otherwise it grows as a power of the length.
 *
 * @see https://doi.org/10.1016/0304-3975(91)90381-B Weber and Seidl, On the degree of ambiguity of finite automata
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Graph from './graph.ts'
import type { PositionAutomaton } from './position-automaton.ts'

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
  const run: Graph.Graph = (p) => next[p] ?? []
  const pairs = Graph.product(twinned, [run, run])
  const there = Graph.reach(pairs, start)
  const back = Graph.reach(Graph.reverse(pairs, there.keys()), start)
  const positions = (pair: number): ReadonlyArray<number> => Graph.unpack(twinned.length, 2, pair)
  const apart = [...there.keys()].find((pair) => {
    const [p, q] = positions(pair)
    return p !== q && back.has(pair)
  })
  if (apart === undefined) return O.none
  const round = [
    ...Graph.trail(there, apart),
    ...Graph.trail(back, apart).slice(1, -1).toReversed(),
  ]
  return O.some(
    round.map((pair) => positions(pair).reduce((shared, p) => shared & (twinned[p] ?? 0n), -1n)),
  )
}

/**
 * The exponent with which the time to match grows, of an automaton without exponential loops: how many loops, one after
 * the other, can share out one text among them. It is 1 for `a*b*`, 2 for `a*a*`, and 0 where there is no loop.
 */
export const degree = ({ letters, follow }: PositionAutomaton): number => {
  const next = follow.map((ways) => [...ways.keys()])
  const run: Graph.Graph = (p) => next[p] ?? []
  const reached = letters.map((_, p) => Graph.reach(run, p))
  const leads = (p: number, q: number): boolean => reached[p]?.has(q) === true
  const loops = letters
    .map((_, p): Loop => next.flatMap((__, q) => (leads(p, q) && leads(q, p) ? [q] : [])))
    .filter((loop, p) => loop[0] === p && (loop.length > 1 || follow[p]?.has(p)))
  const within =
    (loop: Loop): Graph.Graph =>
    (p) =>
      run(p).filter((q) => loop.includes(q))
  // Positions are in the order of the source, so every round has a step that does not go forward; it is enough to begin
  // where such a step ends.
  const heads = (loop: Loop): Loop =>
    loop.filter((p) => loop.some((q) => q >= p && follow[q]?.has(p)))
  const share = (a: Loop, b: Loop): boolean => {
    const walks = Graph.product(letters, [within(a), run, within(b)])
    const at = (...positions: ReadonlyArray<number>): number =>
      Graph.pack(letters.length, positions)
    return heads(a).some((p) => b.some((q) => Graph.reach(walks, at(p, p, q)).has(at(p, q, q))))
  }
  // A loop leads only to itself and to later ones.
  const chains = loops.reduceRight<ReadonlyArray<Chain>>((later, loop) => {
    const lengths = later
      .filter((chain) => leads(loop[0] ?? 0, chain.loop[0] ?? 0))
      .map((chain) => chain.length + (share(loop, chain.loop) ? 1 : 0))
    return [{ loop, length: Math.max(1, ...lengths) }, ...later]
  }, [])
  return Math.max(0, ...chains.map(({ length }) => length))
}

/** The positions of a loop that is inside no other, in ascending order; never empty. */
type Loop = ReadonlyArray<number>

/** The most loops, from this one on, of which each shares a text with the next. */
interface Chain {
  readonly loop: Loop
  readonly length: number
}
