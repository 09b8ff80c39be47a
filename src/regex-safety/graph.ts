/**
 * Directed graphs, as functions from a node to the nodes after it. A product follows several walks at once that read the
 * same characters, and is made only as far as it is walked.
 */

export type Graph = (node: number) => ReadonlyArray<number>

/** The nodes that can be reached, nearest first, each with the one before it; the start comes before itself. */
export type Reached = ReadonlyMap<number, number>

/** What can be reached from a node, the node itself included. */
export const reach = (graph: Graph, start: number): Reached => {
  const reached = new Map([[start, start]])
  // Iterating over a map also visits what is added meanwhile: a breadth-first search.
  for (const [node] of reached)
    for (const next of graph(node)) if (!reached.has(next)) reached.set(next, node)
  return reached
}

/** A shortest way to a node that was reached, from the start to the node. */
export const trail = (reached: Reached, node: number): ReadonlyArray<number> => {
  const before = reached.get(node) ?? node
  return before === node ? [node] : [...trail(reached, before), node]
}

/** The arrows that begin at these nodes, turned round. */
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
 * One walk in each of the graphs, all stepping over the same character. `letters` says by node, as a set of bits, what is
 * read on coming to it; a node of the product is made and taken apart by `pack` and `unpack`, with their number as size.
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

/** Several nodes of graphs of `size` nodes, as one number. */
export const pack = (size: number, nodes: ReadonlyArray<number>): number =>
  nodes.reduce((packed, node) => packed * size + node, 0)

/** The `count` nodes that were packed. */
export const unpack = (size: number, count: number, packed: number): ReadonlyArray<number> =>
  count === 0 ? [] : [...unpack(size, count - 1, Math.floor(packed / size)), packed % size]
