/**
 * Computes the degree of ambiguity of a position automaton. The degree describes how the number of runs grows with the
 * length of the string. A run is a path through the automaton that reads the string.
 *
 * A backtracking matcher tries all runs before it fails. Their number grows exponentially if and only if two different
 * runs over the same string lead from a position back to the same position. Otherwise, it grows polynomially.
 *
 * @see https://doi.org/10.1016/0304-3975(91)90381-B Weber and Seidl, On the degree of ambiguity of finite automata
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Loop, PositionAutomaton } from './position-automaton.ts'

/** A graph, represented by a function that returns the successors of a node. */
export type Graph = (node: number) => ReadonlyArray<number>

/**
 * Maps each reachable node to its predecessor on a shortest path. Nodes are ordered by their distance from the start
 * node, which is mapped to itself.
 */
export type Reached = ReadonlyMap<number, number>

/** Finds all nodes reachable from a start node, including the start node itself. */
export const reachable = (graph: Graph, start: number): Reached => {
  const reached = new Map([[start, start]])
  // breadth-first search: the iteration also visits entries added during the loop
  for (const [node] of reached)
    for (const next of graph(node)) if (!reached.has(next)) reached.set(next, node)
  return reached
}

/** Returns a shortest path from the start node to a reachable node. */
export const shortestPath = (reached: Reached, node: number): ReadonlyArray<number> => {
  const previous = reached.get(node) ?? node
  return previous === node ? [node] : [...shortestPath(reached, previous), node]
}

/** Returns a graph that contains the outgoing edges of the given nodes, with their direction reversed. */
export const reverse = (graph: Graph, nodes: Iterable<number>): Graph => {
  const predecessors = new Map<number, Array<number>>()
  for (const node of nodes)
    for (const next of graph(node)) {
      const earlier = predecessors.get(next)
      if (earlier === undefined) predecessors.set(next, [node])
      else earlier.push(node)
    }
  return (node) => predecessors.get(node) ?? []
}

/**
 * Returns the product of several graphs. A walk in the product consists of one walk in each graph, all of which read
 * the same string.
 *
 * For each node, `letters` contains the letters that can be read on entering the node. A node of the product is a
 * number returned by {@link pack}, where `size` is the length of `letters`.
 */
export const product =
  (letters: ReadonlyArray<bigint>, graphs: ReadonlyArray<Graph>): Graph =>
  (node) =>
    unpack(letters.length, graphs.length, node)
      .reduce<ReadonlyArray<readonly [number, bigint]>>(
        (partial, at, walk) =>
          partial.flatMap(([packed, shared]) =>
            (graphs[walk]?.(at) ?? []).flatMap((next) => {
              const common = shared & (letters[next] ?? 0n)
              return common === 0n ? [] : [[packed * letters.length + next, common] as const]
            }),
          ),
        [[0, -1n]],
      )
      .map(([packed]) => packed)

/** Encodes several nodes as one number. Each node belongs to a graph with `size` nodes. */
export const pack = (size: number, nodes: ReadonlyArray<number>): number =>
  nodes.reduce((packed, node) => packed * size + node, 0)

/** Decodes `count` nodes encoded by {@link pack}. */
export const unpack = (size: number, count: number, packed: number): ReadonlyArray<number> =>
  count === 0 ? [] : [...unpack(size, count - 1, Math.floor(packed / size)), packed % size]

/** A set of strings of equal length. Each element is a bit set that contains the possible letters for one character. */
export type LetterSets = ReadonlyArray<bigint>

/**
 * Finds a string that leads from a position in a loop back to the same position in two different ways. For n
 * repetitions of this string, there are at least 2ⁿ runs.
 *
 * The search starts from a single position, because all positions in a loop are mutually reachable. Returns `none` if
 * there is no such string.
 */
export const exponentialPump = ({ letters, follow }: PositionAutomaton): O.Option<LetterSets> => {
  if (letters.length === 0) return O.none
  const start = 0
  // a position that can be reached in two ways is duplicated, which gives the two ways different targets
  const twinned = [...letters, ...letters]
  const next = [...follow, ...follow].map((ways) =>
    Array.from(ways).flatMap(([p, count]) => (count > 1 ? [p, p + letters.length] : [p])),
  )
  const run = graph(next)
  const pairs = product(twinned, [run, run])
  const forward = reachable(pairs, start)
  const backward = reachable(reverse(pairs, forward.keys()), start)
  const unpackPair = (pair: number): ReadonlyArray<number> => unpack(twinned.length, 2, pair)
  const divergent = [...forward.keys()].find((pair) => {
    const [p, q] = unpackPair(pair)
    return p !== q && backward.has(pair)
  })
  if (divergent === undefined) return O.none
  const cycle = [
    ...shortestPath(forward, divergent),
    ...shortestPath(backward, divergent).slice(1, -1).toReversed(),
  ]
  return O.some(
    cycle.map((pair) => unpackPair(pair).reduce((shared, p) => shared & (twinned[p] ?? 0n), -1n)),
  )
}

/**
 * Computes the degree of the polynomial that describes the growth of the matching time. The automaton must not contain
 * exponential loops.
 *
 * The degree is 0 for an automaton without loops. Otherwise, it is the maximum degree of any path through the loops.
 * The degree of a path is 1, plus 1 for each loop that can match the same string as an earlier loop. For `a*a*`, for
 * example, the degree is 2.
 */
export const polynomialDegree = ({ letters, follow, loops }: PositionAutomaton): number => {
  const run = graph(follow.map((ways) => [...ways.keys()]))
  const chains = loops.reduceRight<ReadonlyArray<Chain>>((later, loop) => {
    const reached = reachable(run, loop.start)
    const lengths = later
      .filter((chain) => reached.has(chain.loop.start))
      .map((chain) => chain.length + (canShareText(letters, run, loop, chain.loop) ? 1 : 0))
    return [{ loop, length: Math.max(1, ...lengths) }, ...later]
  }, [])
  return Math.max(0, ...chains.map(({ length }) => length))
}

/** A loop and the maximum degree (`length`) of the paths that start with this loop. */
interface Chain {
  readonly loop: Loop
  readonly length: number
}

/**
 * Whether the same string can be read in the first loop, in the second loop, and on the way from the first loop to the
 * second.
 */
const canShareText = (
  letters: PositionAutomaton['letters'],
  run: Graph,
  first: Loop,
  second: Loop,
): boolean => {
  const within =
    ({ start, end }: Loop): Graph =>
    (p) =>
      run(p).filter((q) => start <= q && q < end)
  const walks = product(letters, [within(first), run, within(second)])
  const leads = (p: number, q: number): boolean =>
    reachable(walks, pack(letters.length, [p, p, q])).has(pack(letters.length, [p, q, q]))
  // positions are in source order, so each iteration has a step that does not advance, at which the string may begin
  const heads = positions(first).filter((p) =>
    positions(first).some((q) => p <= q && run(q).includes(p)),
  )
  return heads.some((p) => positions(second).some((q) => leads(p, q)))
}

const positions = ({ start, end }: Loop): ReadonlyArray<number> =>
  Array.from({ length: end - start }, (_, i) => start + i)

const graph =
  (next: ReadonlyArray<ReadonlyArray<number>>): Graph =>
  (p) =>
    next[p] ?? []
