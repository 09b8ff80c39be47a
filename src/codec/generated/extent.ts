/** How deep and how wide the values can be that fit a schema. */
import type { Schema } from './schema.ts'
import { isTest } from './schema.ts'

export interface Extent {
  /** Arrays and objects inside each other. */
  readonly depth: number
  /** Members of one object. */
  readonly keys: number
}

/** The bounds of all values with declared members only; parts that may have any take none with members (`fits`). */
export const extentOf = (schema: Schema): Extent => {
  if (isTest(schema)) return flat
  switch (schema._tag) {
    case 'Object':
      return around(
        schema.members.map((member) => extentOf(member.schema)),
        schema.members.length,
      )
    case 'List':
    case 'Set':
      return around([extentOf(schema.element)], 0)
    case 'Tuple':
      return around(schema.elements.map(extentOf), 0)
    case 'Union':
      return largest(schema.members.map(extentOf))
    case 'Refinement':
    case 'Default':
      return extentOf(schema.inner)
    case 'Record':
    case 'Intersection':
    case 'Recursion':
    case 'Attempt':
    case 'Opaque':
      return flat
  }
}

const flat: Extent = { depth: 0, keys: 0 }

const largest = (extents: ReadonlyArray<Extent>): Extent => ({
  depth: Math.max(0, ...extents.map(({ depth }) => depth)),
  keys: Math.max(0, ...extents.map(({ keys }) => keys)),
})

const around = (inner: ReadonlyArray<Extent>, keys: number): Extent => {
  const most = largest(inner)
  return { depth: most.depth + 1, keys: Math.max(most.keys, keys) }
}
