/** What filters and mappers may answer: the part of their types that joins the responses of the operations below them. */
import type { DeclaredResponse } from '../endpoint.ts'
import type { Reply } from '../reply.ts'
import type { Nothing, Representable } from '../representation.ts'
import { toRepresentation } from '../representation.ts'
import type { ValueOf } from './slot-types.ts'

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

/** The declared answers of a record of contents. */
export const toResponses = (contents: Contents): ReadonlyArray<DeclaredResponse> =>
  Object.entries(contents).map(([status, content]) =>
    Object.freeze({
      status: Number(status),
      failure: true,
      representations: Object.freeze(
        (Array.isArray(content) ? content : [content]).map(toRepresentation),
      ),
    }),
  )
