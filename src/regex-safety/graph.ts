/**
 * Directed graphs as functions from a node to its successors.
 *
 * A product graph follows several walks that read the same characters. It is computed on demand.
 */

/** Returns the successors of a node. */
export type Graph = (node: number) => ReadonlyArray<number>

/** The reachable nodes, nearest first, each with its predecessor. The predecessor of the start is the start itself. */
export type Reached = ReadonlyMap<number, number>

/** Finds all nodes that can be reached from a node, including the node itself. */
export const reachable = (graph: Graph, start: number): Reached => {
  const reached = new Map([[start, start]])
  // Iterating over a map also visits entries added meanwhile: a breadth-first search.
  for (const [node] of reached)
    for (const next of graph(node)) if (!reached.has(next)) reached.set(next, node)
  return reached
}

/** Returns a shortest path from the start to a reachable node. */
export const shortestPath = (reached: Reached, node: number): ReadonlyArray<number> => {
  const before = reached.get(node) ?? node
  return before === node ? [node] : [...shortestPath(reached, before), node]
}

/** Reverses the edges that begin at the given nodes. */
export const reverse = (graph: Graph, nodes: Iterable<number>): Graph => {
  const before = new Map<number, Array<number>>()
  for (const node of nodes)
    for (const next of graph(node)) {
      const known = before.get(next)
      if (known === undefined) before.set(next, [node])
      else known.push(node)
    }
  return (node) => before.get(node) ?? []
}

/**
 * Returns the product of graphs: one walk in each of them, all reading the same characters.
 *
 * `letters` contains, by node, the set of letters that is read on the way to it. Nodes of the product are numbers, see
 * {@link pack}; `size` is the length of `letters`.
 */
export const product =
  (letters: ReadonlyArray<bigint>, graphs: ReadonlyArray<Graph>): Graph =>
  (node) =>
    unpack(letters.length, graphs.length, node)
      .reduce<ReadonlyArray<readonly [number, bigint]>>(
        (partial, at, walk) =>
          partial.flatMap(([packed, shared]) =>
            (graphs[walk]?.(at) ?? []).flatMap((next) => {
              const left = shared & (letters[next] ?? 0n)
              return left === 0n ? [] : [[packed * letters.length + next, left] as const]
            }),
          ),
        [[0, -1n]],
      )
      .map(([packed]) => packed)

/** Encodes several nodes of graphs with `size` nodes as one number. */
export const pack = (size: number, nodes: ReadonlyArray<number>): number =>
  nodes.reduce((packed, node) => packed * size + node, 0)

/** Decodes `count` nodes that {@link pack} has encoded. */
export const unpack = (size: number, count: number, packed: number): ReadonlyArray<number> =>
  count === 0 ? [] : [...unpack(size, count - 1, Math.floor(packed / size)), packed % size]
