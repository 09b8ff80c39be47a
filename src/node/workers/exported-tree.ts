/** Imports the route tree of a worker from the application's module. */
import type { AnyNode } from '../../endpoint/routes.ts'

/** Returns the route tree that a module exports under a name. Rejects with an error that names the remedy. */
export const exportedTree = async (module: string, name: string): Promise<AnyNode> => {
  const exported = await importModule(module)
  if (!Object.hasOwn(exported, name)) {
    const names = Object.keys(exported)
    const others = names.length === 0 ? 'it has no exports' : `its exports are ${names.join(', ')}`
    throw new TypeError(
      `${module} has no export "${name}" (${others}): export the route tree as "${name}", or name its export with serve(api, { export: "…" })`,
    )
  }
  const tree = exported[name]
  if (isTree(tree)) return tree
  throw new TypeError(
    `the export "${name}" of ${module} is not a route tree: export what routes({ … }) returns`,
  )
}

const importModule = async (module: string): Promise<Readonly<Record<string, unknown>>> => {
  try {
    return await import(module)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `cannot import ${module} (${message}): the option module of serve must be the URL of a module, such as import.meta.url, that can be imported in a worker`,
      { cause },
    )
  }
}

const isTree = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'Routes'
