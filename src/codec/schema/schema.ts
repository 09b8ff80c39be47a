/**
 * Defines schemas, which are plain objects that describe what codecs do. A schema is read from a codec (`read-schema.ts`), and is the
 * input of everything that depends on the structure of codecs, such as the code generator and the interpreter.
 *
 * The rules for undeclared and hidden members are part of a schema. Undeclared and hidden members are never encoded. When decoding,
 * hidden members are ignored, and undeclared members are stripped or rejected.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { Constraint } from '../constraint.ts'
import { schemasIn } from '../visibility/restrictions.ts'
import type { DeclaredKeys, MemberPredicate } from '../structure/undeclared-members.ts'
import type { Restriction } from '../structure/restricted-member.ts'
import type { CodecPosition } from './position.ts'

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
  | MaskedSchema
  | RecursionSchema
  | OpaqueSchema

interface Reported {
  /** The codec that validation errors refer to: the outermost codec for the value, which can be a wrapper codec. */
  readonly reported: Codec
  /** The schema inside a wrapper that has no effect on values, such as an annotation. The wrapper has the same schema otherwise. */
  readonly wraps?: Schema | undefined
  /** The position at which the codec was read. `undefined` for a schema that belongs to no codec. */
  readonly position?: CodecPosition
}

/** A schema that only accepts or rejects values. Accepted values are decoded and encoded unchanged. */
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
    /** Values that pass a test and satisfy a predicate. The predicate can be provided by the application. */
    | {
        readonly _tag: 'Holding'
        readonly test: Test
        readonly holds: Predicate
        /** The constraint that the predicate checks. Errors of `test` then refer to the inner codec. */
        readonly constraint: Constraint | undefined
      }
  )

export type TypeName = 'string' | 'number' | 'boolean' | 'bigint' | 'undefined' | 'function'

export type Predicate = (value: unknown) => boolean

export interface ObjectSchema extends Reported {
  readonly _tag: 'Object'
  readonly members: ReadonlyArray<Member>
  /** The visible members that encoding can change. */
  readonly changed: ReadonlyArray<Member>
  /** Whether a member is declared and not hidden. */
  readonly isVisible: MemberPredicate
  readonly undeclared: UndeclaredMembers
  /**
   * The schemas that were combined if this schema is a flattened intersection, otherwise `undefined`. The results of these schemas
   * are always plain objects.
   */
  readonly merged: ReadonlyArray<Schema> | undefined
}

/**
 * Describes how undeclared members are handled during decoding. Undeclared members are always stripped. Some of them can also
 * result in validation errors.
 */
export interface UndeclaredMembers {
  /** Whether undeclared members never result in validation errors. */
  readonly areDropped: boolean
  /** Returns whether an undeclared member with this name results in a validation error. */
  readonly isRejected: MemberPredicate
  /** The members that are not rejected, because other codecs in the same intersection declare them. */
  readonly accepted: ReadonlyArray<DeclaredKeys<Schema>>
}

export interface Member {
  readonly key: string
  readonly schema: Schema
  /**
   * Whether the codec is called with `undefined` if the member is missing. `false` for members of `t.partial`, because they are
   * optional.
   */
  readonly required: boolean
  /** Whether the member is excluded from both decoding and encoding. Values in the application can still contain the member. */
  readonly hidden: boolean
  /** The restrictions of the member, including those of other codecs for the same object. Empty if nothing can be hidden. */
  readonly restrictions: ReadonlyArray<Restriction>
}

export interface RecordSchema extends Reported {
  readonly _tag: 'Record'
  /** The schema of keys. If it is not a test, keys are decoded and encoded. */
  readonly domain: Schema
  /** Whether a key can be decoded or encoded. */
  readonly isKey: MemberPredicate
  readonly codomain: Schema
  readonly undeclared: UndeclaredMembers
  /**
   * Whether arrays are accepted as records and left unchanged. As in io-ts, this is the case if the codec for values is `t.any`.
   */
  readonly acceptsArrays: boolean
}

export interface ListSchema extends Reported {
  readonly _tag: 'List'
  readonly element: Schema
}

export interface TupleSchema extends Reported {
  readonly _tag: 'Tuple'
  readonly elements: ReadonlyArray<Schema>
  /** The schema of all further elements. If it is `undefined`, further elements are stripped. */
  readonly rest: Schema | undefined
}

/** A set of distinct values. The set is encoded as an array. */
export interface SetSchema extends Reported {
  readonly _tag: 'Set'
  readonly element: Schema
  /** Removes duplicates, and arranges the other values. `encode` encodes a value. */
  readonly arrange: (
    values: ReadonlyArray<unknown>,
    encode: (value: unknown) => unknown,
  ) => ReadonlyArray<unknown>
}

export interface UnionSchema extends Reported {
  readonly _tag: 'Union'
  readonly members: ReadonlyArray<Schema>
  /** The name of the tag and, for each union member, a test for the tag value. `undefined` for an untagged union. */
  readonly tag: UnionTag | undefined
}

export interface UnionTag {
  readonly key: string
  readonly tests: ReadonlyArray<Extract<Test, { readonly _tag: 'OneOf' }>>
}

/** Several schemas that are applied to the same value. Their results are merged. */
export interface IntersectionSchema extends Reported {
  readonly _tag: 'Intersection'
  readonly members: ReadonlyArray<Schema>
  readonly merge: (base: unknown, results: ReadonlyArray<unknown>) => unknown
  /** The codec, if its own function encodes values. It merges in another way than `merge`. */
  readonly encodedBy: Codec | undefined
}

export interface RefinementSchema extends Reported {
  readonly _tag: 'Refinement'
  readonly inner: Schema
  readonly holds: Predicate
  /** The constraint that the predicate checks. Errors of `inner` then refer to the inner codec. */
  readonly constraint: Constraint | undefined
}

export interface DefaultSchema extends Reported {
  readonly _tag: 'Default'
  readonly inner: Schema
  readonly defaultValue: unknown
}

/** A schema that decodes every value to an `Either`. The `Either` contains validation errors or the decoded value. */
export interface AttemptSchema extends Reported {
  readonly _tag: 'Attempt'
  readonly inner: Schema
}

/** A schema whose encoded values contain members that are hidden by another codec for the same value. */
export interface MaskedSchema extends Reported {
  readonly _tag: 'Masked'
  readonly inner: Schema
  /** Returns an encoded value without the hidden members. */
  readonly mask: (encoded: unknown) => unknown
}

/** A recursive schema. */
export interface RecursionSchema extends Reported {
  readonly _tag: 'Recursion'
  /** Returns the schema that this schema refers to. All references to it have the same function. */
  readonly target: () => Schema
}

/** A codec whose own functions are called because its structure is unknown or does not fully describe its behavior. */
export interface OpaqueSchema extends Reported {
  readonly _tag: 'Opaque'
  readonly codec: Codec
  /** The schema that is used for encoding. If it is `undefined`, `codec.encode` is called instead. */
  readonly encodes: Schema | undefined
  /** Returns the schema of the structure that the codec had before its functions were replaced. `undefined` if it has none. */
  readonly structure: (() => Schema) | undefined
}

/** Returns the visible members that encoding can change. As in io-ts, these are all optional members if one of them can change. */
export const changedMembers = (members: ReadonlyArray<Member>): ReadonlyArray<Member> => {
  const visible = members.filter(({ hidden }) => !hidden)
  return visible.every(({ schema }) => encodesByIdentity(schema))
    ? []
    : visible.filter(({ schema, required }) => !required || !encodesByIdentity(schema))
}

export const hidesAny = ({ members }: ObjectSchema): boolean => members.some(({ hidden }) => hidden)

/**
 * Returns the predicate for the names of the members that are not hidden. `__proto__` is excluded, because io-ts copies members by
 * assignment, and assigning `__proto__` would change the prototype.
 */
export const visibleIn = (members: ReadonlyArray<Member>): MemberPredicate => {
  const names = new Set(
    members.flatMap(({ key, hidden }) => (hidden || key === '__proto__' ? [] : [key])),
  )
  return (name) => names.has(name)
}

/** Whether a schema is a test. Tests decode and encode values unchanged. */
export const isTest = (schema: Schema): schema is Test => {
  switch (schema._tag) {
    case 'Anything':
    case 'TypeOf':
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
    case 'AnyOf':
    case 'Holding':
      return true
    default:
      return false
  }
}

/** Returns the schemas inside of a schema, except for the targets of recursive schemas and the domains of records. */
export const partsOf = (schema: Schema): ReadonlyArray<Schema> => {
  if (isTest(schema)) return []
  switch (schema._tag) {
    case 'Object':
      return schema.members.map((member) => member.schema)
    case 'Record':
      return [schema.codomain]
    case 'List':
    case 'Set':
      return [schema.element]
    case 'Tuple':
      return schema.rest === undefined ? schema.elements : [...schema.elements, schema.rest]
    case 'Union':
    case 'Intersection':
      return schema.members
    case 'Refinement':
    case 'Default':
    case 'Attempt':
    case 'Masked':
      return [schema.inner]
    case 'Opaque':
      return schema.encodes === undefined ? [] : [schema.encodes]
    case 'Recursion':
      return []
  }
}

/**
 * Whether a schema is a leaf: either a test or an opaque codec. A codec with a Standard Schema is not a leaf, because an asynchronous
 * schema must be called with a location, and only once.
 */
export const isLeaf = (schema: Schema): boolean =>
  schema._tag === 'Opaque' ? schemasIn(schema.codec).length === 0 : isTest(schema)

/**
 * Whether all rejected values result in the same single error, which refers to the root codec and has no message. The value in the
 * error is the only difference.
 */
export const rejectsUniformly = (schema: Schema): boolean => {
  switch (schema._tag) {
    case 'TypeOf':
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
      return true
    case 'Holding':
      // errors of a constraint can also refer to the inner codec
      return schema.constraint === undefined && rejectsUniformly(schema.test)
    case 'Default':
      return rejectsUniformly(schema.inner)
    default:
      return false
  }
}

/** Whether each value is encoded as itself. As in io-ts, this determines whether the object that contains the value is copied. */
export const encodesByIdentity = (schema: Schema): boolean => {
  if (isTest(schema)) return true
  switch (schema._tag) {
    case 'List':
      return encodesByIdentity(schema.element)
    case 'Tuple':
      return (
        schema.elements.every(encodesByIdentity) &&
        (schema.rest === undefined || encodesByIdentity(schema.rest))
      )
    case 'Union':
      return schema.members.every(encodesByIdentity)
    case 'Refinement':
    case 'Default':
      return encodesByIdentity(schema.inner)
    case 'Intersection':
      return schema.encodedBy?.encode === t.identity
    case 'Opaque':
      return schema.encodes === undefined && schema.codec.encode === t.identity
    case 'Object':
    case 'Record':
    case 'Set':
    case 'Attempt':
    case 'Masked':
    case 'Recursion':
      return false
  }
}

/**
 * Combines the members of several object schemas into a single object schema. Returns `undefined` if a schema is not an object
 * schema, or if two schemas declare the same member. In these cases, the decoded results must be merged instead.
 */
export const flattenObjects = (
  members: ReadonlyArray<Schema>,
):
  | Pick<ObjectSchema, 'members' | 'changed' | 'isVisible' | 'undeclared' | 'merged'>
  | undefined => {
  const objects = members.filter((member) => member._tag === 'Object')
  const all = objects.flatMap((object) => object.members)
  const keys = new Set(all.map(({ key }) => key))
  return objects.length === members.length && keys.size === all.length
    ? {
        members: all,
        changed: changedMembers(all),
        isVisible: visibleIn(all),
        undeclared: {
          areDropped: objects.every(({ undeclared }) => undeclared.areDropped),
          isRejected: (name) => objects.every(({ undeclared }) => undeclared.isRejected(name)),
          accepted: [],
        },
        merged: members,
      }
    : undefined
}
