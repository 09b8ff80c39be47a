/**
 * The schema of a codec: a plain value that both back ends process. It is read from an exact form (`read-schema.ts`), and
 * behaves like that form in io-ts.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { MemberPredicate } from '../structure/undeclared-members.ts'

export type Schema =
  | Test
  | ObjectSchema
  | RecordSchema
  | ListSchema
  | TupleSchema
  | SetSchema
  | UnionSchema
  | IntersectionSchema
  | RefinementSchema
  | DefaultSchema
  | AttemptSchema
  | RecursionSchema
  | OpaqueSchema

interface Reported {
  /** The codec in validation errors: the outermost one that describes the value, including wrappers. */
  readonly reported: Codec
}

/** Accepts values and encodes them unchanged. */
export type Test = Reported &
  (
    | { readonly _tag: 'Anything' }
    /** The result of `typeof`. */
    | { readonly _tag: 'TypeOf'; readonly type: TypeName }
    /** Any object except arrays. */
    | { readonly _tag: 'AnyRecord' }
    | { readonly _tag: 'AnyArray' }
    /** One of several primitive values. */
    | { readonly _tag: 'OneOf'; readonly values: ReadonlyArray<unknown> }
    | { readonly _tag: 'AnyOf'; readonly tests: ReadonlyArray<Test> }
    | { readonly _tag: 'AllOf'; readonly tests: ReadonlyArray<Test> }
    /** A test, followed by an application predicate. */
    | { readonly _tag: 'Holding'; readonly test: Test; readonly holds: Predicate }
  )

export type TypeName = 'string' | 'number' | 'boolean' | 'bigint' | 'undefined' | 'function'

export type Predicate = (value: unknown) => boolean

/** Schemas with a codec, which encodes values of unexpected types. */
interface WithCodec extends Reported {
  readonly codec: Codec
}

export interface ObjectSchema extends WithCodec {
  readonly _tag: 'Object'
  readonly members: ReadonlyArray<Member>
  /** Names of the members that are read and written. */
  readonly visible: ReadonlySet<string>
  readonly undeclared: UndeclaredMembers
  /** The schemas of an intersection that was flattened to this object. Its results are always plain objects. */
  readonly merged: ReadonlyArray<Schema> | undefined
}

/** The handling of undeclared members while decoding. They are always stripped. */
export interface UndeclaredMembers {
  /** Whether no undeclared member is a validation error. */
  readonly areDropped: boolean
  /** Whether an undeclared member is a validation error, by name. */
  readonly isRejected: MemberPredicate
}

export interface Member {
  readonly key: string
  readonly schema: Schema
  /** Whether the codec decodes a missing member. Members of `t.partial` may be missing. */
  readonly required: boolean
  /** Whether the member is neither read nor written. Values may still have it. */
  readonly hidden: boolean
}

export interface RecordSchema extends WithCodec {
  readonly _tag: 'Record'
  /** The test for keys. */
  readonly domain: Test
  readonly codomain: Schema
  readonly undeclared: UndeclaredMembers
  /** Whether arrays are accepted unchanged, as io-ts does for `t.any`. */
  readonly acceptsArrays: boolean
}

export interface ListSchema extends WithCodec {
  readonly _tag: 'List'
  readonly element: Schema
}

export interface TupleSchema extends WithCodec {
  readonly _tag: 'Tuple'
  readonly elements: ReadonlyArray<Schema>
  /** Whether decoding always returns a new array. Tuples that contain objects do (`codec/structure/combine.ts`). */
  readonly isCopied: boolean
}

/** Distinct values, encoded as an array. */
export interface SetSchema extends WithCodec {
  readonly _tag: 'Set'
  readonly element: Schema
  readonly arrange: (values: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
}

export interface UnionSchema extends WithCodec {
  readonly _tag: 'Union'
  readonly members: ReadonlyArray<Schema>
  /** The discriminator of a tagged union, and the values that select each member. */
  readonly tag: UnionTag | undefined
}

export interface UnionTag {
  readonly key: string
  readonly tests: ReadonlyArray<Test>
}

/** Several codecs of the same value, whose results are merged. */
export interface IntersectionSchema extends WithCodec {
  readonly _tag: 'Intersection'
  readonly members: ReadonlyArray<Schema>
  readonly merge: (base: unknown, results: ReadonlyArray<unknown>) => unknown
}

export interface RefinementSchema extends WithCodec {
  readonly _tag: 'Refinement'
  readonly inner: Schema
  readonly holds: Predicate
}

export interface DefaultSchema extends WithCodec {
  readonly _tag: 'Default'
  readonly inner: Schema
  readonly defaultValue: unknown
}

/** Decodes to an `Either` of validation errors and the value. */
export interface AttemptSchema extends WithCodec {
  readonly _tag: 'Attempt'
  readonly inner: Schema
}

/** A reference to an enclosing schema. */
export interface RecursionSchema extends WithCodec {
  readonly _tag: 'Recursion'
  /** Index in the definitions. */
  readonly definition: number
}

/** A codec whose functions are called. */
export interface OpaqueSchema extends WithCodec {
  readonly _tag: 'Opaque'
  /** The structure for decoding, if it is known. `codec.validate` is called otherwise. */
  readonly decodes: Schema | undefined
}

/** A schema together with its recursive definitions. */
export interface SchemaWithDefinitions {
  readonly schema: Schema
  readonly definitions: ReadonlyArray<Schema>
}

/** Returns the schema without hidden members. */
export const visibleSchema = (schema: ObjectSchema): ObjectSchema =>
  hidesAny(schema) ? { ...schema, members: schema.members.filter(({ hidden }) => !hidden) } : schema

export const hidesAny = ({ members }: ObjectSchema): boolean => members.some(({ hidden }) => hidden)

/**
 * Returns the names of the members that are read and written. `__proto__` is excluded, because io-ts writes members by
 * assignment.
 */
export const visibleNames = (members: ReadonlyArray<Member>): ReadonlySet<string> =>
  new Set(members.flatMap(({ key, hidden }) => (hidden || key === '__proto__' ? [] : [key])))

/** Returns the names of hidden members. */
export const hiddenNames = ({ members }: ObjectSchema): ReadonlyArray<string> =>
  members.flatMap(({ key, hidden }) => (hidden ? [key] : []))

/** Whether a schema only tests values, and encodes them unchanged. */
export const isTest = (schema: Schema): schema is Test => tests.has(schema._tag)

/** Whether a schema has no parts. */
export const isLeaf = (schema: Schema): boolean =>
  schema._tag === 'Opaque' ? schema.decodes === undefined : isTest(schema)

const tests: ReadonlySet<Schema['_tag']> = new Set<Test['_tag']>([
  'Anything',
  'TypeOf',
  'AnyRecord',
  'AnyArray',
  'OneOf',
  'AnyOf',
  'AllOf',
  'Holding',
])

/** Whether `encode` returns every value unchanged. */
export const encodesByIdentity = (schema: Schema): boolean =>
  isTest(schema) || schema.codec.encode === t.identity

/**
 * Combines the members of several objects in one object. Returns `undefined` if a schema is not an object, or if two of them
 * declare the same member, so that results must be merged.
 */
export const flattenObjects = (
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
