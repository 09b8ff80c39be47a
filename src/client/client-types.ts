/**
 * Defines the types of clients. A client has one function per operation. The input and response types of each function
 * are inferred from the same declarations as the types of the handler.
 */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ReceivedFile, FileBody } from '../endpoint/file.ts'
import type { FileUpload } from '../endpoint/body.ts'
import type { InputKey, Values } from '../endpoint/handle.ts'
import type { MultipartFormDataInput, StreamedPart } from '../endpoint/multipart.ts'
import type { QueryMap } from '../endpoint/parameters.ts'
import type { PrefixInput } from '../endpoint/prefix.ts'
import type { Reply } from '../endpoint/reply.ts'
import type { ValueOf } from '../endpoint/internal/slot-types.ts'
import type { Source } from '../endpoint/multi.ts'
import type { DecodedResponse } from './decoded-response.ts'
import type { CallOptions } from './call-options.ts'
import type { ClientError } from './client-error.ts'
import type { FileToSend, PartToSend } from './request/written-body.ts'

// A parameter is optional if its encoded form may be `undefined`, as with `optional` and `withDefault`. A collection is
// also optional, because it may be empty. A property that is `undefined` is treated as missing.
type OptionalKeys<P> = {
  [K in keyof P]: P[K] extends { readonly _O: infer O }
    ? undefined extends O
      ? K
      : P[K] extends Collection
        ? K
        : never
    : never
}[keyof P]
interface Collection {
  readonly _tag: 'ReadonlyArrayType' | 'ArrayType' | 'SetType' | 'SeparatedType'
}
type Flat<T> = [{ readonly [K in keyof T]: T[K] }][0]
type Sent<P> = Flat<
  { readonly [K in Exclude<keyof P, OptionalKeys<P>>]: SentValue<ValueOf<P[K]>> } & {
    readonly [K in OptionalKeys<P>]?: SentValue<ValueOf<P[K]>> | undefined
  }
>

type SentValue<A> = A extends FileUpload
  ? FileToSend
  : A extends ReadonlyArray<FileUpload>
    ? ReadonlyArray<FileToSend>
    : A
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
  | { [K in keyof S & Group]: {} extends Sent<S[K]> ? K : never }[keyof S & Group]
  | (S extends { readonly body: { readonly _A: infer A } }
      ? undefined extends A
        ? 'body'
        : never
      : never)

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
    ]: K extends 'body' ? SentBody<ValueOf<S[K]>> : K extends 'path' ? Values<S[K]> : Sent<S[K]>
  } & {
    readonly [K in OptionalGroups<S> | (keyof S & 'queryMap')]?: K extends 'queryMap'
      ? QueryMap | undefined
      : K extends keyof S & Group
        ? Sent<S[K]> | undefined
        : K extends keyof S
          ? SentBody<ValueOf<S[K]>>
          : never
  }
>

// Union of the responses declared in a record that maps statuses to bodies.
type DecodedResponses<R> = { [K in keyof R & number]: DecodedResponse<K, Received<R[K]>> }[keyof R &
  number]
// The type of a received value can differ from that of a sent value, for example, for links and streams.
type Received<R> = R extends { readonly _received: infer A } ? A : ValueOf<R>
/** The responses that a client can receive if the declared replies are `E`. */
export type DecodedReplies<E> = E extends Reply<infer St, infer A> ? DecodedResponse<St, A> : never

type StatusOf<S, Default extends number> = S extends { readonly status: infer St extends number }
  ? St
  : Default
type Success<S> = [
  S extends { readonly produces: infer R } ? Produced<S, Received<R>> : Empty<S>,
  S extends { readonly responds: infer R } ? DecodedResponses<R> : never,
][number]
type Produced<S, A> = [A] extends [void]
  ? Empty<S>
  :
      | DecodedResponse<StatusOf<S, 200> | NoContent<A>, A>
      | PartialContent<S, Extract<A, ReceivedFile>>
// A 206 response, which contains a range of a file.
type PartialContent<S, A> = [A] extends [never]
  ? never
  : S extends { readonly method: 'GET' }
    ? StatusOf<S, 200> extends 200
      ? DecodedResponse<206, A>
      : never
    : never
// A server sends 204 for `undefined` and `null`.
type NoContent<A> = undefined extends A ? 204 : null extends A ? 204 : never
// The success response that has no body.
type Empty<S> = S extends { readonly responds: unknown }
  ? S extends { readonly status: infer St extends number }
    ? DecodedResponse<St, void>
    : never
  : DecodedResponse<StatusOf<S, 204>, void>
type DeclaredFailure<S, E> = [
  S extends { readonly fails: infer R } ? DecodedResponses<R> : never,
  E,
][number]

/**
 * Function that calls an operation. `E` is the union of the responses declared by enclosing filters and error mappers.
 */
export type Call<S, E> =
  {} extends CallInput<S>
    ? (
        input?: CallInput<S>,
        options?: CallOptions,
      ) => TaskEither<ClientError | DeclaredFailure<S, E>, Success<S>>
    : (
        input: CallInput<S>,
        options?: CallOptions,
      ) => TaskEither<ClientError | DeclaredFailure<S, E>, Success<S>>

/**
 * Client for a route tree, with one function per operation. `E` is the union of the responses declared by enclosing
 * filters and error mappers. `P` declares the variables in the prefixes of enclosing trees.
 *
 * The indexed access `[0]` removes the type alias. Editors therefore display the functions instead of the declarations.
 */
export type Client<T, E = never, P = unknown> = [
  {
    readonly [K in keyof T]: T[K] extends { readonly _T: infer U; readonly _E: infer E2 }
      ? Client<U, E | DecodedReplies<E2>, P & PrefixPath<E2>>
      : T[K] extends { readonly _S: infer S }
        ? Call<S & P, E>
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
