/** Replies of filters and mappers, which become responses of the operations in their tree. */
import type { DeclaredResponse } from '../endpoint.ts'
import type { Reply } from '../reply.ts'
import type { Nothing, Representable } from '../representation.ts'
import { toRepresentation } from '../representation.ts'
import type { ValueOf } from './slot-types.ts'

/** Bodies of replies by status: one representation or several; an empty list for a reply without a body. */
export interface Contents {
  readonly [status: number]: Representable | ReadonlyArray<Representable>
}

/** A reply that needs no declaration: with text, bytes or no body. */
export type Undeclared = Reply<number, string | Uint8Array | void>

type Content<M> = M extends readonly [] ? Nothing : M extends ReadonlyArray<infer One> ? One : M

/** The replies that a record of bodies declares. */
export type RepliesOf<C> = {
  [St in keyof C & number]: Reply<St, ValueOf<Content<C[St]>>>
}[keyof C & number]

/** The replies that the option `fails` declares. */
export type ReplyOf<O> = O extends { readonly fails: infer C } ? RepliesOf<C> : never

/** Returns the responses that a record of bodies declares. */
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
