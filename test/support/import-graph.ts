/** The imports between the files and folders of `src`, and cycles in them. */
import { posix } from 'node:path'
import type { SourceFile } from './source.ts'
import { importsOf } from './source.ts'

/** Returns the files that a file imports, including type imports. */
export const importedBy = ({ path, text }: SourceFile): ReadonlyArray<string> =>
  importsOf(text)
    .filter((from) => from.startsWith('.'))
    .map((from) => posix.join(posix.dirname(path), from))

type Graph = ReadonlyMap<string, ReadonlyArray<string>>

/** Returns the nodes of a cycle, or `undefined` without one. The first node is repeated at the end. */
const cycleOf = (graph: Graph): ReadonlyArray<string> | undefined => {
  const acyclic = new Set<string>()
  const from = (node: string, trail: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    const start = trail.indexOf(node)
    if (start !== -1) return [...trail.slice(start), node]
    if (acyclic.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const cycle = from(next, [...trail, node])
      if (cycle !== undefined) return cycle
    }
    acyclic.add(node)
    return undefined
  }
  for (const node of graph.keys()) {
    const cycle = from(node, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

/** Returns the files of an import cycle, or `undefined` without one. */
export const cycleIn = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<string> | undefined =>
  cycleOf(new Map(sources.map((source) => [source.path, importedBy(source)])))

/** Returns the subfolder of a layer that contains a file: `codec/json`. A file that lies in the layer itself is its own node. */
const subfolderOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Describes a cycle of subfolders with the imports that cause it. Returns `undefined` without a cycle. */
export const folderCycleIn = (sources: ReadonlyArray<SourceFile>): string | undefined => {
  const imports = sources
    .flatMap((source) => importedBy(source).map((to) => ({ from: source.path, to })))
    .filter(({ from, to }) => subfolderOf(from) !== subfolderOf(to))
  const graph = new Map<string, string[]>()
  for (const { from, to } of imports)
    graph.set(subfolderOf(from), [...(graph.get(subfolderOf(from)) ?? []), subfolderOf(to)])
  const cycle = cycleOf(graph)
  return cycle
    ?.slice(1)
    .map((to, index) => {
      const [first, ...others] = imports.filter(
        (imported) =>
          subfolderOf(imported.from) === cycle[index] && subfolderOf(imported.to) === to,
      )
      const further = others.length === 0 ? '' : `, and ${others.length} more`
      return `${cycle[index]} -> ${to}: ${first?.from} imports ${first?.to}${further}`
    })
    .join('\n')
}
