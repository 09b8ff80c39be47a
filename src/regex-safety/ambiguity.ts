/**
 * The degree of ambiguity of a position automaton: how the number of runs over one text grows with its length.
 *
 * A backtracking matcher tries all runs before it fails. Their number grows exponentially if and only if two different
 * runs over the same characters lead from a position back to itself. Otherwise it is polynomial.
 *
 * @see https://doi.org/10.1016/0304-3975(91)90381-B Weber and Seidl, On the degree of ambiguity of finite automata
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Graph from './graph.ts'
import type { Loop, PositionAutomaton } from './position-automaton.ts'

/** A set of texts: for each character, the set of possible letters. */
export type LetterSets = ReadonlyArray<bigint>

/**
 * Finds a text that leads from a position of a loop back to it in two ways. Repeated n times, it has at least 2ⁿ runs.
 *
 * The positions of a loop are mutually reachable, so the search starts from only one of them. Returns `none` if there is
 * no such text.
 */
export const exponentialPump = ({ letters, follow }: PositionAutomaton): O.Option<LetterSets> => {
  if (letters.length === 0) return O.none
  const start = 0
  // A position with two ways to it gets a twin, so that the ways have different targets.
  const twinned = [...letters, ...letters]
  const next = [...follow, ...follow].map((ways) =>
    Array.from(ways).flatMap(([p, count]) => (count > 1 ? [p, p + letters.length] : [p])),
  )
  const run = graph(next)
  const pairs = Graph.product(twinned, [run, run])
  const there = Graph.reachable(pairs, start)
  const back = Graph.reachable(Graph.reverse(pairs, there.keys()), start)
  const both = (pair: number): ReadonlyArray<number> => Graph.unpack(twinned.length, 2, pair)
  const apart = [...there.keys()].find((pair) => {
    const [p, q] = both(pair)
    return p !== q && back.has(pair)
  })
  if (apart === undefined) return O.none
  const round = [
    ...Graph.shortestPath(there, apart),
    ...Graph.shortestPath(back, apart).slice(1, -1).toReversed(),
  ]
  return O.some(
    round.map((pair) => both(pair).reduce((shared, p) => shared & (twinned[p] ?? 0n), -1n)),
  )
}

/**
 * Computes the degree of the polynomial by which the matching time grows, for automata without exponential loops.
 *
 * It is 0 without loops. Otherwise it is 1, plus 1 for each loop on a path that can match the same text as an earlier one, as
 * in `a*a*`.
 */
export const polynomialDegree = ({ letters, follow, loops }: PositionAutomaton): number => {
  const run = graph(follow.map((ways) => [...ways.keys()]))
  const chains = loops.reduceRight<ReadonlyArray<Chain>>((later, loop) => {
    const reached = Graph.reachable(run, loop.start)
    const lengths = later
      .filter((chain) => reached.has(chain.loop.start))
      .map((chain) => chain.length + (canShareText(letters, run, loop, chain.loop) ? 1 : 0))
    return [{ loop, length: Math.max(1, ...lengths) }, ...later]
  }, [])
  return Math.max(0, ...chains.map(({ length }) => length))
}

/** The longest chain of loops from `loop` on that can match the same text. */
interface Chain {
  readonly loop: Loop
  readonly length: number
}

/** Whether one text leads through the first loop, through the second loop, and from the first to the second. */
const canShareText = (
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
    Graph.reachable(walks, Graph.pack(letters.length, [p, p, q])).has(
      Graph.pack(letters.length, [p, q, q]),
    )
  // Positions are in source order, so each iteration has a step that does not go forward. The text may begin there.
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
