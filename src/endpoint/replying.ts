/** What filters and mappers may answer: the part of their types that joins the responses of the operations below them. */
import type { Response } from './endpoint.ts'
import type { Reply } from './reply.ts'
import type { Nothing, Representable } from './representation.ts'
import { represented } from './representation.ts'
import type { ValueOf } from './slot.ts'

/** Contents of replies by status: a representation, or a list of alternatives; none for a reply without content. */
export interface Contents {
  readonly [status: number]: Representable | ReadonlyArray<Representable>
}

/** A reply that can be written without a declaration. */
export type Undeclared = Reply<number, string | Uint8Array | void>

type Content<M> = M extends readonly [] ? Nothing : M extends ReadonlyArray<infer One> ? One : M

/** The replies of a record of contents. */
export type RepliesOf<C> = {
  [St in keyof C & number]: Reply<St, ValueOf<Content<C[St]>>>
}[keyof C & number]

/** The replies that options declare with `fails`. */
export type ReplyOf<O> = O extends { readonly fails: infer C } ? RepliesOf<C> : never

/** The record by status of a union of replies; `unknown` for none, which adds nothing to other records. */
export type Replying<R> = [R] extends [never]
  ? unknown
  : { readonly [X in R as StatusOf<X>]: { readonly _A: EntityOf<X> } }

/**
 * What a union of filters, mappers and trees adds to the answers of operations: for each status either of what several of
 * them say. An intersection would ask a content to be both.
 */
export type Joined<X> = [StatusesOf<X>] extends [never]
  ? unknown
  : { readonly [St in StatusesOf<X>]: { readonly _A: ContentOf<X, St> } }

type StatusesOf<X> = X extends { readonly _E: infer E } ? keyof E : never
type ContentOf<X, St> = X extends { readonly _E: infer E }
  ? St extends keyof E
    ? ValueOf<E[St]>
    : never
  : never

type StatusOf<R> = R extends { readonly status: infer St extends number } ? St : never
type EntityOf<R> = R extends { readonly entity: infer A } ? A : never

/** The declared answers of a record of contents. */
export const responsesOf = (contents: Contents): ReadonlyArray<Response> =>
  Object.entries(contents).map(([status, content]) =>
    Object.freeze({
      status: Number(status),
      failure: true,
      representations: Object.freeze(
        (Array.isArray(content) ? content : [content]).map(represented),
      ),
    }),
  )
