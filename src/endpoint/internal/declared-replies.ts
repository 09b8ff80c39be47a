/**
 * Replies declared by filters and mappers. They are added to the declared responses of all operations in the tree that
 * contains the filter or mapper.
 */
import type { DeclaredResponse } from '../endpoint.ts'
import type { Reply } from '../reply.ts'
import type { Alternatives, Nothing } from '../representation.ts'
import { toRepresentation } from '../representation.ts'
import type { ValueOf } from './slot-types.ts'

/** The representations of reply bodies, by status. An empty list declares a reply without a body. */
export interface Contents {
  readonly [status: number]: Alternatives[number] | Alternatives
}

/** A reply that needs no declaration, because the body is text, bytes or empty. */
export type UndeclaredReply = Reply<number, string | Uint8Array | void>

type BodyOf<M> = M extends readonly []
  ? Nothing
  : M extends ReadonlyArray<infer Alternative>
    ? Alternative
    : M

/** The union of the replies declared by a record that maps status codes to bodies. */
export type RepliesOf<C> = {
  [St in keyof C & number]: Reply<St, ValueOf<BodyOf<C[St]>>>
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
