/** Intersections of objects as one object. */
import type { ObjectSchema, Schema } from './schema.ts'
import { visibleNames } from './schema.ts'

/**
 * Returns the object that has the members of all objects. Returns `undefined` if a schema is not an object, or if two of them
 * declare the same member: their results must then be merged.
 */
export const flattened = (
  members: ReadonlyArray<Schema>,
): Pick<ObjectSchema, 'members' | 'visible' | 'undeclared' | 'merged'> | undefined => {
  const objects = members.filter((member) => member._tag === 'Object')
  const all = objects.flatMap((object) => object.members)
  const keys = new Set(all.map(({ key }) => key))
  return objects.length === members.length && keys.size === all.length
    ? {
        members: all,
        visible: visibleNames(all),
        undeclared: {
          areDropped: objects.every(({ undeclared }) => undeclared.areDropped),
          isRejected: (name) => objects.every(({ undeclared }) => undeclared.isRejected(name)),
        },
        merged: members,
      }
    : undefined
}
