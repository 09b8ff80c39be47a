/**
 * Computes the degree of ambiguity of a position automaton, which describes how the number of runs grows with the string length.
 * A run is a path through the automaton that reads a string.
 *
 * A backtracking matcher tries all runs before it fails. The number of runs grows exponentially if and only if two different
 * runs over the same characters lead from a position back to that position. Otherwise, the number grows polynomially.
 *
 * @see https://doi.org/10.1016/0304-3975(91)90381-B Weber and Seidl, On the degree of ambiguity of finite automata
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Loop, PositionAutomaton } from './position-automaton.ts'

/** A graph, as a function that returns the successors of a node. */
export type Graph = (node: number) => ReadonlyArray<number>

/**
 * Maps each reachable node to the previous node on a shortest path, starting with the nearest node. The start node is mapped to
 * itself.
 */
export type Reached = ReadonlyMap<number, number>

/** Finds all nodes that can be reached from a node, including the node itself. */
export const reachable = (graph: Graph, start: number): Reached => {
  const reached = new Map([[start, start]])
  // breadth-first search: the iteration includes entries that are added while it runs
  for (const [node] of reached)
    for (const next of graph(node)) if (!reached.has(next)) reached.set(next, node)
  return reached
}

/** Returns a shortest path from the start node to a reachable node. */
export const shortestPath = (reached: Reached, node: number): ReadonlyArray<number> => {
  const previous = reached.get(node) ?? node
  return previous === node ? [node] : [...shortestPath(reached, previous), node]
}

/** Returns a graph with the edges that begin at the given nodes, in reverse direction. */
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
 * Returns the product of several graphs. A walk in the product consists of one walk in each graph, and all walks read the same
 * characters.
 *
 * For each node, `letters` contains the set of letters that is read on the way to the node. The nodes of the product are numbers
 * that {@link pack} returns if `size` is the length of `letters`.
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

/** Decodes `count` nodes that {@link pack} has encoded. */
export const unpack = (size: number, count: number, packed: number): ReadonlyArray<number> =>
  count === 0 ? [] : [...unpack(size, count - 1, Math.floor(packed / size)), packed % size]

/** A set of strings, given by the set of possible letters for each character. */
export type LetterSets = ReadonlyArray<bigint>

/**
 * Finds a string that leads from a position in a loop back to the same position in two ways. If the string is repeated n times,
 * there are at least 2ⁿ runs.
 *
 * The positions in a loop are mutually reachable, so the search starts from only one position. Returns `none` if there is no
 * such string.
 */
export const exponentialPump = ({ letters, follow }: PositionAutomaton): O.Option<LetterSets> => {
  if (letters.length === 0) return O.none
  const start = 0
  // a position that is reached in two ways gets a twin, so that the ways have different targets
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
 * Computes the degree of the polynomial that describes how the matching time grows. The automaton must not contain exponential
 * loops.
 *
 * The degree is 0 if there are no loops. Otherwise, the degree is 1, plus 1 for each loop on a path that can match the same string
 * as an earlier loop, as in `a*a*`.
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

/** The longest chain of loops that starts with `loop` and in which adjacent loops can match the same string. */
interface Chain {
  readonly loop: Loop
  readonly length: number
}

/** Whether the same string can lead through the first loop, through the second loop, and from the first loop to the second. */
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
  // positions are in source order, so each iteration contains a step that does not go forward; the string may begin at this step
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
