/** Intersections of objects as one object, which is what most of them are. */
import type { Codec } from '../codec.ts'
import type { ObjectSchema, Schema } from './schema.ts'

/**
 * The object that has the members of all; `undefined` where the members of an intersection are not all objects, or two
 * declare the same member, so that it has to be worked out what becomes of it.
 */
export const flattened = (
  members: ReadonlyArray<Schema>,
  codec: Codec,
): ObjectSchema | undefined => {
  const objects = members.filter((member) => member._tag === 'Object')
  const all = objects.flatMap((object) => object.members)
  const keys = new Set(all.map(({ key }) => key))
  return objects.length === members.length && keys.size === all.length
    ? {
        _tag: 'Object',
        members: all,
        drops: objects.every(({ drops }) => drops),
        merged: true,
        codec,
      }
    : undefined
}
