/** Trees of which both `blocking` and `nonBlocking` is said. Of endpoints, their definition notes it. */
import type { AnyNode } from '../../endpoint/routes.ts'

/** The keys of each such tree, joined by dots; empty for the tree as a whole. */
export const conflictingExecutionModes = (
  node: AnyNode,
  keys: ReadonlyArray<string> = [],
): ReadonlyArray<string> => {
  if (node._tag === 'Endpoint') return []
  const said = node.wrappers.flatMap((wrap) =>
    wrap._tag === 'Attributes' ? [wrap.changes.execution] : [],
  )
  const own = said.includes('blocking') && said.includes('nonBlocking') ? [keys.join('.')] : []
  return [
    ...own,
    ...[...node.children].flatMap(([key, child]) =>
      conflictingExecutionModes(child, [...keys, key]),
    ),
  ]
}
