/**
 * What a typed client of a tree looks like: one function for each operation, with the input that the operation declares and
 * the replies that it declares. Types only: they follow from the same record of declarations as the handler's.
 */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { FileUpload } from '../endpoint/file-upload.ts'
import type { InputKey, Replies } from '../endpoint/handle.ts'
import type { Reply } from '../endpoint/reply.ts'
import type { ValueOf } from '../endpoint/slot.ts'

// A parameter may be left out where its wire form may be `undefined`: `optional`, `withDefault`.
type OptionalKeys<P> = {
  [K in keyof P]: P[K] extends { readonly _O: infer O } ? (undefined extends O ? K : never) : never
}[keyof P]
type Flat<T> = [{ readonly [K in keyof T]: T[K] }][0]
type Sent<P> = Flat<
  { readonly [K in Exclude<keyof P, OptionalKeys<P>>]: SentValue<ValueOf<P[K]>> } & {
    readonly [K in OptionalKeys<P>]?: SentValue<ValueOf<P[K]>>
  }
>

/** A file as a client gives it. */
export type FileToSend =
  | Blob
  | { readonly path: string; readonly fileName?: string; readonly contentType?: string }
type SentValue<A> = A extends FileUpload
  ? FileToSend
  : A extends ReadonlyArray<FileUpload>
    ? ReadonlyArray<FileToSend>
    : A

type Group = 'query' | 'header' | 'cookie' | 'matrix' | 'form'
// A group whose members may all be left out may be left out; an empty one is not there.
type OptionalGroups<S> = { [K in keyof S & Group]: {} extends Sent<S[K]> ? K : never }[keyof S &
  Group]

/** What a caller gives. */
export type CallInput<S> = Flat<
  {
    readonly [
      K in Exclude<keyof S & InputKey<S>, OptionalGroups<S> | 'needs' | 'queryMap'>
    ]: K extends 'body' ? ValueOf<S[K]> : Sent<S[K]>
  } & { readonly [K in OptionalGroups<S>]?: Sent<S[K]> }
>

/** Everything that can go wrong with a call beside what the endpoint declares. */
export interface ClientError {
  readonly _tag: 'NetworkError' | 'DecodeError' | 'UndeclaredStatus'
  readonly cause: unknown
}

type Success<S> = [
  S extends { readonly produces: { readonly _A: infer A } }
    ? Reply<S extends { readonly status: infer St extends number } ? St : 200, A>
    : never,
  S extends { readonly responds: infer R } ? Replies<R> : never,
][number]
type Refusal<S, E> = [S extends { readonly fails: infer R } ? Replies<R> : never, E][number]

/** A call of one operation; `E` are the replies that its surroundings add. */
export type Call<S, E> =
  {} extends CallInput<S>
    ? (input?: CallInput<S>) => TaskEither<ClientError | Refusal<S, E>, Success<S>>
    : (input: CallInput<S>) => TaskEither<ClientError | Refusal<S, E>, Success<S>>

/** A call for every operation of a tree, under its name. */
export type Client<T, E = never> = {
  readonly [K in keyof T]: T[K] extends { readonly _T: infer U; readonly _E: infer E2 }
    ? Client<U, E | E2>
    : T[K] extends { readonly _S: infer S }
      ? Call<S, E>
      : never
}
