/**
 * What a typed client of a tree looks like: one function for each operation, with the input that the operation declares and
 * the answers that it declares. Types only: they follow from the same record of declarations as the handler's.
 */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ReceivedFile, FileBody } from '../endpoint/file.ts'
import type { FileUpload } from '../endpoint/form.ts'
import type { InputKey, Values } from '../endpoint/handle.ts'
import type { MultipartFormDataInput, StreamedPart } from '../endpoint/multipart.ts'
import type { QueryMap } from '../endpoint/parameters.ts'
import type { Reply } from '../endpoint/reply.ts'
import type { ValueOf } from '../endpoint/internal/slot-types.ts'
import type { Source } from '../endpoint/multi.ts'
import type { Answer } from './decoded-response.ts'
import type { CallOptions } from './call-options.ts'
import type { ClientError } from './client-error.ts'
import type { FileToSend } from './request/file-to-send.ts'
import type { PartToSend } from './request/part-to-send.ts'

// A parameter may be left out where its wire form may be `undefined`, as of `optional` and `withDefault`, and where it is a
// collection, which may be empty. What is `undefined` is left out, so that nobody has to take such members away.
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
// What a server takes in pieces or into files is given otherwise.
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
// A group whose members may all be left out may be left out; an empty one is not there. So may a body that may be `undefined`.
type OptionalGroups<S> =
  | { [K in keyof S & Group]: {} extends Sent<S[K]> ? K : never }[keyof S & Group]
  | (S extends { readonly body: { readonly _A: infer A } }
      ? undefined extends A
        ? 'body'
        : never
      : never)

/**
 * What a caller gives: `path`, `query`, `header`, `cookie`, `matrix` or `form` with a member for each parameter of that kind, further
 * parameters of the query as `queryMap`, and the `body`. What a server has a default for, or does not need, may be left out.
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

// The answers of a record from statuses to contents.
type Answers<R> = { [K in keyof R & number]: Answer<K, Got<R[K]>> }[keyof R & number]
// What is received is not always what may be sent: links and streams come in one way.
type Got<R> = R extends { readonly _received: infer A } ? A : ValueOf<R>
/** What was declared as a reply of the server, as its client gets it. */
export type Answered<E> = E extends Reply<infer St, infer A> ? Answer<St, A> : never

type StatusOf<S, Usual extends number> = S extends { readonly status: infer St extends number }
  ? St
  : Usual
type Success<S> = [
  S extends { readonly produces: infer R } ? Produced<S, Got<R>> : Empty<S>,
  S extends { readonly responds: infer R } ? Answers<R> : never,
][number]
type Produced<S, A> = [A] extends [void]
  ? Empty<S>
  : Answer<StatusOf<S, 200> | NoContent<A>, A> | InPart<S, Extract<A, ReceivedFile>>
// A range of a file, where a call asks for one.
type InPart<S, A> = [A] extends [never]
  ? never
  : S extends { readonly method: 'GET' }
    ? StatusOf<S, 200> extends 200
      ? Answer<206, A>
      : never
    : never
// Where a value may be nothing, a server has nothing to send.
type NoContent<A> = undefined extends A ? 204 : null extends A ? 204 : never
// Without content, and without other answers: the usual one.
type Empty<S> = S extends { readonly responds: unknown }
  ? S extends { readonly status: infer St extends number }
    ? Answer<St, void>
    : never
  : Answer<StatusOf<S, 204>, void>
type Refusal<S, E> = [S extends { readonly fails: infer R } ? Answers<R> : never, E][number]

/** A call of one operation; `E` are the answers that filters and mappers around it declare. */
export type Call<S, E> =
  {} extends CallInput<S>
    ? (
        input?: CallInput<S>,
        options?: CallOptions,
      ) => TaskEither<ClientError | Refusal<S, E>, Success<S>>
    : (
        input: CallInput<S>,
        options?: CallOptions,
      ) => TaskEither<ClientError | Refusal<S, E>, Success<S>>

/**
 * A call for every operation of a tree, under its name; `E` are the answers that filters and mappers around it declare. The index
 * takes the alias off, so that a hover shows the calls and not the declarations.
 */
export type Client<T, E = never> = [
  {
    readonly [K in keyof T]: T[K] extends { readonly _T: infer U; readonly _E: infer E2 }
      ? Client<U, E | Answered<E2>>
      : T[K] extends { readonly _S: infer S }
        ? Call<S, E>
        : never
  },
][0]

/** The client of a tree, to be named where it is passed on: `ClientOf<typeof contract>`. */
export type ClientOf<C> = C extends { readonly _T: infer T; readonly _E: infer E }
  ? Client<T, Answered<E>>
  : never
