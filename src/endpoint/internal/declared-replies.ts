/**
 * The types of declared bodies, and replies declared by filters and mappers. These are added to the declared responses of all operations
 * in the tree that contains the filter or mapper.
 */
import type {
  RejectedArgument,
  RejectedOptions,
  Scalar,
  ScalarCodec,
  VerifiedCodec,
} from '../../codec/codec.ts'
import type {
  AnySchema,
  SchemaInput,
  StandardSchema,
} from '../../codec/standard-schema/schema-types.ts'
import type { DeclaredResponse } from '../endpoint.ts'
import type { Reply } from '../reply.ts'
import type { AnyRepresentation, Nothing, ReceivedOf } from '../representation.ts'
import { toRepresentation } from '../representation.ts'
import type { AddTo, Fails, Produces, Responds, SetIn } from './declaration-errors.ts'
import type { ValueOf } from '../definition/slot-types.ts'

/** Alternative bodies. For other values, the error message of TypeScript ends in the remedy. */
export type Alternatives = ReadonlyArray<
  | AnyRepresentation
  | ScalarCodec
  | AnySchema
  | VerifiedCodec<'pass only representations, as separate arguments, such as json(codec) or sse(codec)'>
>

/** An alternative body of which TypeScript need not inspect the input type of a schema. */
export type SingleAlternative =
  | AnyRepresentation
  | ScalarCodec
  | StandardSchema<string | null | undefined, unknown>
  | StandardSchema<unknown, Scalar>

/** Alternative bodies, and the statuses that {@link Wrapped} rejects. */
export type AlternativesOrStatuses = ReadonlyArray<Alternatives[number] | number>

/** The error messages for schemas of objects and lists in `M`, which have no text form, and for statuses. */
export type Wrapped<M, StatusRemedy extends string> = {
  readonly [I in keyof M]: M[I] extends number
    ? RejectedArgument<StatusRemedy>
    : M[I] extends AnySchema
      ? [SchemaInput<M[I]>] extends [object]
        ? [SchemaInput<M[I]>] extends [Date]
          ? unknown
          : RejectedArgument<'wrap the schema in a representation: json(schema)'>
        : unknown
      : unknown
}

/** The representations of reply bodies, by status. An empty list declares a reply without a body. */
export interface Contents {
  readonly [status: number]: Alternatives[number] | Alternatives
}

/** A reply that needs no declaration, because the body is text, bytes or empty. */
export type UndeclaredReply = Reply<number, UndeclaredBody>

/** Text, bytes or no body. Error messages show the name, because the order in which they show the members depends on the compiler. */
export type UndeclaredBody = string | Uint8Array | void

/** The union of the replies declared by a record that maps status codes to bodies. */
export type RepliesOf<C> = {
  [St in keyof C & number]: Reply<St, ValueOf<C[St] extends Alternatives ? BodyOf<C[St]> : C[St]>>
}[keyof C & number]

/** The replies declared by the option `fails`. */
export type ReplyOf<O> = O extends { readonly fails: infer C } ? RepliesOf<C> : never

/** Converts a record of bodies to response declarations. */
export const toResponses = (bodies: Contents): ReadonlyArray<DeclaredResponse> =>
  Object.entries(bodies).map(([status, body]) =>
    Object.freeze({
      status: Number(status),
      failure: true,
      representations: Object.freeze((Array.isArray(body) ? body : [body]).map(toRepresentation)),
    }),
  )

// With a signature for a single representation, TypeScript instantiates fewer types.

/** The type of `produces`. */
export interface DeclareProduced {
  <R extends SingleAlternative>(representation: R): ProduceStep<R>
  <R extends AnyRepresentation, Q extends Valued<R['_A']>>(
    first: R & Valued<Q['_A']>,
    second: Q,
  ): ProduceStep<R | Q>
  <M extends AlternativesOrStatuses>(
    ...alternatives: M & Wrapped<M, 'use responds(200, json(codec)) for a status'>
  ): ProduceStep<BodyOf<M>>
}

/** A combinator that declares the body of the success response. */
export type ProduceStep<B> = SetIn<'produces', Produces<B>>

/** The type of `responds`. */
export interface DeclareSuccess {
  <St extends number>(status: St): SuccessStep<St, Nothing>
  <St extends number, R extends SingleAlternative>(
    status: St,
    representation: R,
  ): SuccessStep<St, R>
  <St extends number, M extends AlternativesOrStatuses>(
    status: St | RejectedOptions<'the status comes first, as a number: responds(201, json(codec))'>,
    ...alternatives: M & Wrapped<M, 'one status each: responds(200), responds(201)'>
  ): SuccessStep<St, BodyOf<M>>
}

/** The type of `fails`. */
export interface DeclareFailure {
  <St extends number>(status: St): FailureStep<St, Nothing>
  <St extends number, R extends SingleAlternative>(
    status: St,
    representation: R,
  ): FailureStep<St, R>
  <St extends number, M extends AlternativesOrStatuses>(
    status: St | RejectedOptions<'the status comes first, as a number: fails(404, json(codec))'>,
    ...alternatives: M & Wrapped<M, 'one status each: fails(404), fails(409)'>
  ): FailureStep<St, BodyOf<M>>
}

/** A combinator that declares a success response. */
export type SuccessStep<St extends number, B> = AddTo<'responds', St, Responds<Record<St, B>>>

/** A combinator that declares a failure response. */
export type FailureStep<St extends number, B> = AddTo<'fails', St, Fails<Record<St, B>>>

interface Valued<A> extends AnyRepresentation {
  readonly _A: A
}

/** The body that is declared by alternatives. */
type BodyOf<M extends AlternativesOrStatuses> = M extends readonly []
  ? Nothing
  : [ValueOf<M[number]>] extends [Common<M>]
    ? M[number]
    : MixedBody<Common<M>, ReceivedOf<M[number]>>

/** Alternatives with values of several types. A handler returns values that all of them accept, and a client receives any value. */
export interface MixedBody<A, B> {
  readonly _A: [A] extends [never]
    ? Disagreement<'no value has all representations: replace one by representation({ mediaType, write })'>
    : A
  readonly _received: B
}

/** A type that no value has. The index signature lets TypeScript select it for objects, so that the error message ends in `Remedy`. */
export interface Disagreement<Remedy extends string> {
  readonly [key: string]: Remedy
  readonly 'a common value': never
}

/** The values that all alternatives accept, or `never` if there are none. */
type Common<M, A = unknown> = M extends readonly [infer R, ...infer Rest]
  ? Common<Rest, Both<A, ValueOf<R>>>
  : A

/** The values of both types. An alternative without values has another type error. */
type Both<A, B> = [B] extends [never]
  ? A
  : [A] extends [B]
    ? A | Extract<B, WithLinks>
    : [B] extends [A]
      ? B | Extract<A, WithLinks>
      : WithLinked<Members<Exclude<A, WithLinks>, Exclude<B, WithLinks>>, Extract<A | B, WithLinks>>

type WithLinked<Plain, Linked> = [Exclude<Plain, null | undefined>] extends [never]
  ? never
  : Plain | Linked

/** A value with the links of a HAL document. All other formats ignore the links. */
interface WithLinks {
  readonly _tag: 'HalEntity' | 'HalCollection'
}

// `A & B` alone would be a type without values for an object and a string, which TypeScript does not recognise

type Members<A, B> = A extends unknown
  ? B extends unknown
    ? [A] extends [B]
      ? A
      : [B] extends [A]
        ? B
        : [A, B] extends [Primitive, Primitive] | [object, object]
          ? A & B
          : never
    : never
  : never

type Primitive = string | number | bigint | boolean | symbol | null | undefined
