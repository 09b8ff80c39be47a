/**
 * Schemas, which are plain objects that describe codecs. Both back ends process schemas. A schema is read from the exact form
 * of a codec (`read-schema.ts`), and behaves like that form in io-ts.
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
  /** The codec that validation errors contain. It is the outermost codec for the value, including wrappers. */
  readonly reported: Codec
}

/** A schema that accepts or rejects values, and that decodes and encodes accepted values unchanged. */
export type Test = Reported &
  (
    | { readonly _tag: 'Anything' }
    /** Values for which `typeof` returns `type`. */
    | { readonly _tag: 'TypeOf'; readonly type: TypeName }
    /** Any object except arrays. */
    | { readonly _tag: 'AnyRecord' }
    | { readonly _tag: 'AnyArray' }
    /** One of several primitive values. The comparison is strict. */
    | { readonly _tag: 'OneOf'; readonly values: ReadonlyArray<unknown> }
    | { readonly _tag: 'AnyOf'; readonly tests: ReadonlyArray<Test> }
    | { readonly _tag: 'AllOf'; readonly tests: ReadonlyArray<Test> }
    /** Values that pass a test and satisfy a predicate, which the application may provide. */
    | { readonly _tag: 'Holding'; readonly test: Test; readonly holds: Predicate }
  )

export type TypeName = 'string' | 'number' | 'boolean' | 'bigint' | 'undefined' | 'function'

export type Predicate = (value: unknown) => boolean

/** A schema with its codec. Generated code calls the codec for values of unexpected types. */
interface WithCodec extends Reported {
  readonly codec: Codec
}

export interface ObjectSchema extends WithCodec {
  readonly _tag: 'Object'
  readonly members: ReadonlyArray<Member>
  /** The names of members that are decoded and encoded. */
  readonly visible: ReadonlySet<string>
  readonly undeclared: UndeclaredMembers
  /** If an intersection was flattened to this schema, its member schemas. Results are then always plain objects. */
  readonly merged: ReadonlyArray<Schema> | undefined
}

/** How decoding handles undeclared members. They are always stripped, and some of them may also be validation errors. */
export interface UndeclaredMembers {
  /** Whether undeclared members are stripped without a validation error. */
  readonly areDropped: boolean
  /** Returns whether an undeclared member with this name is a validation error. */
  readonly isRejected: MemberPredicate
}

export interface Member {
  readonly key: string
  readonly schema: Schema
  /** Whether a missing member is passed to the codec. `false` for members of `t.partial`, which may always be missing. */
  readonly required: boolean
  /** Whether the member is neither decoded nor encoded. Values in the application may still contain the member. */
  readonly hidden: boolean
}

export interface RecordSchema extends WithCodec {
  readonly _tag: 'Record'
  /** The test that keys must pass. */
  readonly domain: Test
  readonly codomain: Schema
  readonly undeclared: UndeclaredMembers
  /** Whether arrays are accepted unchanged, as io-ts does if the codec for values is `t.any`. */
  readonly acceptsArrays: boolean
}

export interface ListSchema extends WithCodec {
  readonly _tag: 'List'
  readonly element: Schema
}

export interface TupleSchema extends WithCodec {
  readonly _tag: 'Tuple'
  readonly elements: ReadonlyArray<Schema>
  /** Whether decoding always returns a new array. This applies to tuples with objects (`codec/structure/combine.ts`). */
  readonly isCopied: boolean
}

/** A set of distinct values, which is encoded as an array. */
export interface SetSchema extends WithCodec {
  readonly _tag: 'Set'
  readonly element: Schema
  readonly arrange: (values: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
}

export interface UnionSchema extends WithCodec {
  readonly _tag: 'Union'
  readonly members: ReadonlyArray<Schema>
  /** In a tagged union, the name of the tag and the tests that select a member. */
  readonly tag: UnionTag | undefined
}

export interface UnionTag {
  readonly key: string
  readonly tests: ReadonlyArray<Test>
}

/** Several schemas for the same value, whose results are merged. */
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

/** A schema that decodes to an `Either`, with validation errors or the decoded value. */
export interface AttemptSchema extends WithCodec {
  readonly _tag: 'Attempt'
  readonly inner: Schema
}

/** A reference to an enclosing schema. */
export interface RecursionSchema extends WithCodec {
  readonly _tag: 'Recursion'
  /** The index of the enclosing schema in `definitions`. */
  readonly definition: number
}

/** A codec whose own functions are called, because its structure is not known or does not describe its behavior. */
export interface OpaqueSchema extends WithCodec {
  readonly _tag: 'Opaque'
  /** The schema for decoding, if it is known. If it is `undefined`, `codec.validate` is called. */
  readonly decodes: Schema | undefined
}

/** A schema, with the definitions that recursive schemas refer to. */
export interface SchemaWithDefinitions {
  readonly schema: Schema
  readonly definitions: ReadonlyArray<Schema>
}

/** Returns an object schema without its hidden members. */
export const visibleSchema = (schema: ObjectSchema): ObjectSchema =>
  hidesAny(schema) ? { ...schema, members: schema.members.filter(({ hidden }) => !hidden) } : schema

export const hidesAny = ({ members }: ObjectSchema): boolean => members.some(({ hidden }) => hidden)

/**
 * Returns the names of members that are decoded and encoded. `__proto__` is excluded, because io-ts assigns to members, and
 * this assignment would change the prototype.
 */
export const visibleNames = (members: ReadonlyArray<Member>): ReadonlySet<string> =>
  new Set(members.flatMap(({ key, hidden }) => (hidden || key === '__proto__' ? [] : [key])))

/** Returns the names of hidden members in an object schema. */
export const hiddenNames = ({ members }: ObjectSchema): ReadonlyArray<string> =>
  members.flatMap(({ key, hidden }) => (hidden ? [key] : []))

/** Whether a schema is a test, which decodes and encodes values unchanged. */
export const isTest = (schema: Schema): schema is Test => tests.has(schema._tag)

/** Whether a schema contains no other schemas for parts of the value. */
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

/** Whether the `encode` function for a schema returns every value unchanged. */
export const encodesByIdentity = (schema: Schema): boolean =>
  isTest(schema) || schema.codec.encode === t.identity

/**
 * Combines the members of several object schemas in a single object schema. Returns `undefined` if a schema is not an object
 * schema, or if two schemas declare the same member. Decoded results must then be merged instead.
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
