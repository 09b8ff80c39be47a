/**
 * Defines the types of clients. A client has one function per operation. The input and response types of each function
 * are inferred from the same declarations as the types of the handler.
 */
import type { AnySchema, SchemaInput } from '../codec/standard-schema/schema-types.ts'
import type { SentValue } from '../codec/sent-value.ts'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ReceivedFile, FileBody } from '../endpoint/file.ts'
import type { FileUpload } from '../endpoint/body.ts'
import type { InputKey } from '../endpoint/internal/handler-types.ts'
import type { MultipartFormDataInput, StreamedPart } from '../endpoint/multipart.ts'
import type { HeadersAt, HeaderValues } from '../endpoint/internal/response-headers.ts'
import type { QueryMap } from '../endpoint/parameters.ts'
import type { PrefixInput } from '../endpoint/prefix.ts'
import type { QuotaExceeded } from '../endpoint/problem.ts'
import type { Reply } from '../endpoint/reply.ts'
import type { Nothing } from '../endpoint/representation.ts'
import type { ValueOf } from '../endpoint/definition/slot-types.ts'
import type { Source } from '../endpoint/multi.ts'
import type { DecodedFailure, DecodedResponse } from './decoded-response.ts'
import type { CallOptions } from './call-options.ts'
import type { ClientError } from './client-error.ts'
import type { FileToSend, PartToSend } from './request/body-writer.ts'

// A parameter is optional if its encoded form may be `undefined`, as with `optional` and `withDefault`. A collection is
// also optional, because it may be empty. A property that is `undefined` is treated as missing.
type OptionalKeys<P> = {
  [K in keyof P]: P[K] extends Encodable
    ? undefined extends P[K]['_O']
      ? K
      : P[K] extends Collection
        ? K
        : never
    : P[K] extends AnySchema
      ? undefined extends SchemaInput<P[K]>
        ? K
        : never
      : never
}[keyof P]
// Comparing with an interface is cheaper than `infer`, because TypeScript does not instantiate the type of a codec.
interface Encodable {
  readonly _O: unknown
}
interface Collection {
  readonly _tag: 'ReadonlyArrayType' | 'ArrayType' | 'SetType' | 'SeparatedType'
}
type Flat<T> = [{ readonly [K in keyof T]: T[K] }][0]
type Sent<P> = SentGroup<P, OptionalKeys<P>>
type SentGroup<P, Optional extends keyof P> = Flat<
  SentMembers<P, Exclude<keyof P, Optional>> & SentOptionals<P, Optional>
>
// With a key that is a type parameter, editors find the declaration of a property.
type SentMembers<P, Key extends keyof P> = { readonly [K in Key]: SentFile<SentOf<P[K]>> }
type SentOptionals<P, Key extends keyof P> = {
  readonly [K in Key]?: SentFile<SentOf<P[K]>> | undefined
}

// A client sends inputs of a schema, and decoded values of a codec.
type SentOf<X> = X extends Sending
  ? X['_sent']
  : X extends Decoded
    ? X['_A']
    : X extends AnySchema
      ? SchemaInput<X>
      : never
interface Sending {
  readonly _sent: unknown
}
interface Decoded {
  readonly _A: unknown
}
type SentValues<P> = [{ readonly [K in keyof P]: SentOf<P[K]> }][0]
type SentFile<A> = A extends FileUpload
  ? FileToSend
  : A extends ReadonlyArray<FileUpload>
    ? ReadonlyArray<FileToSend>
    : A
type BodyOf<X> = X extends WithCodec ? SentValue<X['_codec']> : SentOf<X>
interface WithCodec {
  readonly _codec: unknown
}
// A body that a server reads as a stream or as a file has a different type on a client.
type SentBody<A> =
  A extends AsyncIterable<infer X>
    ? X extends StreamedPart
      ? ReadonlyArray<PartToSend>
      : Source<X>
    : A extends MultipartFormDataInput
      ? ReadonlyArray<PartToSend>
      : A extends FileBody
        ? FileBody extends A
          ? FileToSend
          : A
        : A

type Group = 'query' | 'header' | 'cookie' | 'matrix' | 'form'
// A group is optional if all its properties are optional. A body is optional if it may be `undefined`.
type OptionalGroups<S> =
  | { [K in keyof S & Group]: keyof S[K] extends OptionalKeys<S[K]> ? K : never }[keyof S & Group]
  | ('body' extends keyof S ? (undefined extends BodyOf<S['body']> ? 'body' : never) : never)

/**
 * Input for a call.
 *
 * The `path`, `query`, `header`, `cookie`, `matrix` and `form` properties each contain one property per parameter.
 * `queryMap` contains undeclared query parameters, and `body` is the request body. Optional parameters and parameters
 * with a default value can be omitted.
 */
export type CallInput<S> = Flat<
  {
    readonly [
      K in Exclude<keyof S & InputKey<S>, OptionalGroups<S> | 'needs' | 'queryMap'>
    ]: K extends 'body' ? SentBody<BodyOf<S[K]>> : K extends 'path' ? SentValues<S[K]> : Sent<S[K]>
  } & {
    readonly [K in OptionalGroups<S> | (keyof S & 'queryMap')]?: K extends 'queryMap'
      ? QueryMap | undefined
      : K extends keyof S & Group
        ? Sent<S[K]> | undefined
        : K extends keyof S
          ? SentBody<BodyOf<S[K]>>
          : never
  }
>

// Union of the responses declared in a record that maps statuses to bodies.
type DecodedResponses<R> = { [K in keyof R & number]: DecodedResponse<K, Received<R[K]>> }[keyof R &
  number]
// The type of a received value can differ from that of a sent value, for example, for links and streams.
type Received<R> = R extends Receiving ? R['_received'] : ValueOf<R>
interface Receiving {
  readonly _received: unknown
}
/** The failures that a client can receive if the declared replies are `E`. */
export type DecodedReplies<E> = E extends Reply<infer St, infer A> ? DecodedFailure<St, A> : never

type StatusOf<S, Default extends number> = 'status' extends keyof S ? S['status'] & number : Default
type Success<S> = [
  'produces' extends keyof S ? Produced<S, S['produces']> : Empty<S>,
  'responds' extends keyof S ? DecodedResponses<S['responds']> : never,
][number]
type Produced<S, X> = [X] extends [Nothing] ? Empty<S> : ProducedBody<S, Received<X>>
type ProducedBody<S, A> = DecodedResponse<StatusOf<S, 200> | NoContent<A>, A> | PartialContent<S, A>
// A 206 response, which contains a range of a file.
type PartialContent<S, A> = A extends ReceivedFile
  ? S extends { readonly method: 'GET' | 'QUERY' }
    ? StatusOf<S, 200> extends 200
      ? DecodedResponse<206, A>
      : never
    : never
  : never
// A server sends 204 for `undefined` and `null`.
type NoContent<A> = undefined extends A ? 204 : null extends A ? 204 : never
// The success response that has no body.
type Empty<S> = 'responds' extends keyof S
  ? 'status' extends keyof S
    ? DecodedResponse<S['status'] & number, void>
    : 304 extends keyof S['responds']
      ? DefaultWithNotModified<Omit<S['responds'], 304>>
      : EmptyDefault<S['responds']>
  : DecodedResponse<StatusOf<S, 204>, void>
// 304 replaces a success response, so it is not the default.
type DefaultWithNotModified<R> = [keyof R] extends [never]
  ? DecodedResponse<204, void>
  : EmptyDefault<R>
// The response that a server sends for `undefined` and `null` if `responds` declares only one response, which has a body.
type EmptyDefault<R> = {
  [K in keyof R & number]: [keyof R] extends [K] ? EmptyBody<Received<R[K]>> : never
}[keyof R & number]
type EmptyBody<A> = [A] extends [void]
  ? never
  : [NoContent<A>] extends [never]
    ? never
    : DecodedResponse<204, A>
type DecodedFailures<R> = { [K in keyof R & number]: DecodedFailure<K, Received<R[K]>> }[keyof R &
  number]
type DeclaredFailure<S, E> = [
  'fails' extends keyof S ? DecodedFailures<S['fails']> : never,
  'rateLimited' extends keyof S ? DecodedFailure<429, QuotaExceeded> : never,
  E,
][number]

/**
 * Function that calls an operation. `E` is the union of the responses declared by enclosing filters and error mappers.
 */
export type Call<S, E> = 'sends' extends keyof S
  ? CallWithHeaders<S, E, S['sends']>
  : {} extends CallInput<S>
    ? (
        input?: CallInput<S>,
        options?: CallOptions,
      ) => TaskEither<ClientError | DeclaredFailure<S, E>, Success<S>> & UncalledTask
    : (
        input: CallInput<S>,
        options?: CallOptions,
      ) => TaskEither<ClientError | DeclaredFailure<S, E>, Success<S>> & UncalledTask

// The calls of operations with declared response headers are types of their own, so that other calls cost less.
type CallWithHeaders<S, E, H> =
  {} extends CallInput<S>
    ? (
        input?: CallInput<S>,
        options?: CallOptions,
      ) => TaskEither<ClientError | FailureWithHeader<S, E, H>, WithHeader<Success<S>, H>> &
        UncalledTask
    : (
        input: CallInput<S>,
        options?: CallOptions,
      ) => TaskEither<ClientError | FailureWithHeader<S, E, H>, WithHeader<Success<S>, H>> &
        UncalledTask
// The decoded values of declared headers.
type WithHeader<R, H> = R extends { readonly status: infer St }
  ? R & { readonly header: DecodedHeaders<HeadersAt<H, St>> }
  : never
type DecodedHeaders<P> = unknown extends P ? {} : HeaderValues<P>
// A server or a filter can send the same failure without the headers.
type FailureWithHeader<S, E, H> = WithSomeHeader<DeclaredFailure<S, never>, H> | E
type WithSomeHeader<R, H> = R extends { readonly status: infer St }
  ? R & { readonly header: Partial<DecodedHeaders<HeadersAt<H, St>>> }
  : never

/** The result of a call: a `TaskEither`, which is a function. It sends a request each time it is called. */
export type CallTask<E, A> = TaskEither<E, A> & UncalledTask

type UncalledTask = NotAnEither<'call the task: await library.x(…)()'>

/**
 * Members that a task does not have. The error message for a task that is used as an `Either`, as in `E.isRight(await library.x(…))`,
 * ends in `Remedy`.
 */
export interface NotAnEither<Remedy extends string> {
  readonly _tag?: Remedy
  readonly left?: Remedy
  readonly right?: Remedy
}

interface AnyTree {
  readonly _T: unknown
  readonly _E: unknown
}
interface AnyOperation {
  readonly _S: unknown
}

/**
 * Client for a route tree, with one function per operation. `E` is the union of the responses declared by enclosing
 * filters and error mappers. `P` declares the variables in the prefixes of enclosing trees.
 *
 * The indexed access `[0]` removes the type alias. Editors therefore display the functions instead of the declarations.
 */
export type Client<T, E = never, P = unknown> = [
  {
    readonly [K in keyof T]: T[K] extends AnyTree
      ? Client<T[K]['_T'], E | DecodedReplies<T[K]['_E']>, P & PrefixPath<T[K]['_E']>>
      : T[K] extends AnyOperation
        ? Call<T[K]['_S'] & P, E>
        : never
  },
][0]

// The declarations of prefix variables, in the form that an endpoint declares its variables: `{ path: … }`. Inference
// from a union of function types yields the intersection of the parameter types. Without prefix variables, this is
// `unknown`, so that `S & P` is `S`.
type PrefixPath<E> = [
  E extends PrefixInput<infer V> ? (declared: { readonly path: V }) => void : never,
] extends [(declared: infer P) => void]
  ? P
  : never

/** Client for a route tree that adds `E` to the calls of its endpoints. */
export type TreeClient<T, E> = Client<T, DecodedReplies<E>, PrefixPath<E>>

/** Type of the client for a contract, for example, `ClientOf<typeof contract>`. */
export type ClientOf<C> = C extends { readonly _T: infer T; readonly _E: infer E }
  ? TreeClient<T, E>
  : never
