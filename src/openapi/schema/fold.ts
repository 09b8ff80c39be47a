/** What the modules of the schema generator share: types, and functions that determine whether members can be missing. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import type { Member, Schema } from '../../codec/schema/schema.ts'
import { isValueOf } from '../../codec/structure/invalid-part.ts'
import type { View } from '../../codec/structure/restricted-member.ts'

/** The use of values in a document, on which their description depends. */
export interface Use {
  readonly direction: 'input' | 'output'
  /** The selected view. `undefined` if views do not hide any members. */
  readonly view: View | undefined
  /** Resolves the expressions in role names. `undefined` if role restrictions do not apply. */
  readonly rolesOf: ((roles: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
  readonly isText: boolean
  readonly isLossless: boolean
}

/** The use of a component. The view is `undefined` if the component has no restrictions. */
export interface ComponentUse extends Omit<Use, 'rolesOf'> {
  readonly rejectsUndeclared: boolean
}

/** The functions by which a module describes the parts of a schema. */
export interface Fold extends Use {
  readonly version: '3.1' | '3.2'
  /** Describes a schema. The description of a named codec is a reference to a component. */
  readonly describe: (schema: Schema) => JsonSchema
  /** Describes the keys of a record, even if their codec is named. */
  readonly describeKeys: (domain: Schema) => JsonSchema
  /** Adds a component for a part of a schema, which `key` identifies. Equal keys result in the same component. */
  readonly addComponent: (
    name: string,
    key: object,
    schema: Schema,
    describe: () => JsonSchema,
  ) => JsonSchema
  /** Reports a codec without a description. */
  readonly reportOpaque: (codec: Codec) => void
}

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

const acceptsUndefined = ({ reported }: Schema): boolean => isValueOf(reported, undefined)

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
