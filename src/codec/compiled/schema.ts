/**
 * What a codec means, as a plain value: the one description from which both back ends of compiled codecs are made. It is read
 * off the exact form of a codec (`read-schema.ts`), so it means what io-ts means by that form.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'

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
  | Recursion
  | Opaque

/** Values that are taken and written as they are, or not at all. */
export type Test =
  | { readonly _tag: 'Anything' }
  /** What `typeof` says. */
  | { readonly _tag: 'TypeOf'; readonly type: TypeName }
  /** Any object that is no array. */
  | { readonly _tag: 'AnyRecord' }
  | { readonly _tag: 'AnyArray' }
  /** One of a few primitive values. */
  | { readonly _tag: 'OneOf'; readonly values: ReadonlyArray<unknown> }
  | { readonly _tag: 'AnyOf'; readonly tests: ReadonlyArray<Test> }
  | { readonly _tag: 'AllOf'; readonly tests: ReadonlyArray<Test> }
  /** A test and a predicate of the application's, in this order. */
  | { readonly _tag: 'Holding'; readonly test: Test; readonly holds: Predicate }

export type TypeName = 'string' | 'number' | 'boolean' | 'bigint' | 'undefined' | 'function'

export type Predicate = (value: unknown) => boolean

/** Every schema but a test has the codec that it stands for: for values that its back ends leave to io-ts. */
interface Standing {
  readonly codec: Codec
}

export interface ObjectSchema extends Standing {
  readonly _tag: 'Object'
  readonly members: ReadonlyArray<Member>
  /** Whether undeclared members are dropped; otherwise io-ts says what is wrong with them. */
  readonly drops: boolean
  /** Whether it stands for an intersection, which makes a plain object of any other. */
  readonly merged: boolean
}

export interface Member {
  readonly key: string
  readonly schema: Schema
  /** Whether it is given to its codec when it is missing; a member of `t.partial` is not. */
  readonly required: boolean
  /** Whether it is not written, and not read; a value has it all the same. */
  readonly hidden: boolean
}

export interface RecordSchema extends Standing {
  readonly _tag: 'Record'
  /** What keys have to be. */
  readonly domain: Test
  readonly codomain: Schema
  readonly drops: boolean
}

export interface ListSchema extends Standing {
  readonly _tag: 'List'
  readonly element: Schema
}

export interface TupleSchema extends Standing {
  readonly _tag: 'Tuple'
  readonly elements: ReadonlyArray<Schema>
}

/** Distinct values; on the wire they are a list. */
export interface SetSchema extends Standing {
  readonly _tag: 'Set'
  readonly element: Schema
  readonly arrange: (values: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
}

export interface UnionSchema extends Standing {
  readonly _tag: 'Union'
  readonly members: ReadonlyArray<Schema>
  /** For a tagged union: the member that says which one it is, and the tests of its value, in the order of the members. */
  readonly tag: { readonly key: string; readonly tests: ReadonlyArray<Test> } | undefined
}

/** Several accounts of one value, put together by `codec/merge.ts`. */
export interface IntersectionSchema extends Standing {
  readonly _tag: 'Intersection'
  readonly members: ReadonlyArray<Schema>
}

export interface RefinementSchema extends Standing {
  readonly _tag: 'Refinement'
  readonly inner: Schema
  readonly holds: Predicate
}

export interface DefaultSchema extends Standing {
  readonly _tag: 'Default'
  readonly inner: Schema
  readonly byDefault: unknown
}

/** A place where a schema is met again within itself. */
export interface Recursion extends Standing {
  readonly _tag: 'Recursion'
  /** Its position among the definitions. */
  readonly definition: number
}

/** A codec whose structure says nothing: it is called as it is. */
export interface Opaque extends Standing {
  readonly _tag: 'Opaque'
}

/** A schema and the recursive ones within it. */
export interface Described {
  readonly schema: Schema
  readonly definitions: ReadonlyArray<Schema>
}

/** The schema of what is written: the members that are shown. */
export const shown = (schema: ObjectSchema): ObjectSchema =>
  hidesAny(schema)
    ? { ...schema, members: schema.members.filter(({ hidden }) => !hidden), drops: true }
    : schema

export const hidesAny = ({ members }: ObjectSchema): boolean => members.some(({ hidden }) => hidden)

/** The members that are hidden, by name. */
export const hiddenNames = ({ members }: ObjectSchema): ReadonlyArray<string> =>
  members.flatMap(({ key, hidden }) => (hidden ? [key] : []))

/** Whether a schema takes and writes values as they are. */
export const isTest = (schema: Schema): schema is Test => tests.has(schema._tag)

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

/** Whether values are written as they are: `encode` gives back what it is given, whatever that is. */
export const isWrittenAsIs = (schema: Schema): boolean =>
  isTest(schema) || schema.codec.encode === t.identity
