/** Determines whether object members can be missing, and which roles they require. */
import * as E from 'fp-ts/lib/Either.js'
import type { Member, Schema } from '../../codec/schema/schema.ts'
import type { Use } from './fold.ts'

/** Whether a received object can omit a member with this schema, or whether a sent object can lack it. */
export const mayBeMissing = (schema: Schema, { direction }: Use): boolean =>
  direction === 'input'
    ? (attemptTo(() => E.isRight(schema.reported.decode(undefined))) ?? false)
    : encodesUndefined(schema)

/** Whether the encoded form of a value can be `undefined`, which is omitted in objects and `null` in arrays. */
export const encodesUndefined = (
  schema: Schema,
  targets: ReadonlyArray<() => Schema> = [],
): boolean => {
  const encodes = (part: Schema): boolean => encodesUndefined(part, targets)
  switch (schema._tag) {
    case 'Attempt':
      return true
    case 'Union':
      return schema.members.some(encodes)
    case 'AnyOf':
      return schema.tests.some(encodes)
    case 'Holding':
      return encodes(schema.test)
    case 'Refinement':
    case 'Default':
    case 'Masked':
      return encodes(schema.inner)
    case 'Recursion': {
      const { target } = schema
      return !targets.includes(target) && encodesUndefined(target(), [...targets, target])
    }
    case 'Opaque':
      return schema.structure === undefined ? acceptsUndefined(schema) : encodes(schema.structure())
    case 'Object':
    case 'Record':
    case 'List':
    case 'Set':
    case 'Tuple':
    case 'Intersection':
    case 'Anything':
    case 'TypeOf':
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
      return acceptsUndefined(schema)
  }
}

const acceptsUndefined = ({ reported }: Schema): boolean =>
  attemptTo(() => reported.is(undefined)) ?? false

/** Calls a function of a codec. Returns `undefined` if it throws. */
export const attemptTo = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Returns the lists of roles that a member requires. A principal needs one role of each list. */
export const requiredRoles = (
  { restrictions }: Member,
  { rolesOf }: Use,
): ReadonlyArray<ReadonlyArray<string>> =>
  rolesOf === undefined
    ? []
    : restrictions.flatMap((restriction) =>
        restriction._tag === 'Roles' ? [rolesOf(restriction.roles)] : [],
      )
