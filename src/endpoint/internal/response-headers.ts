/** Declared headers of responses: their names, and the types of replies that have them. */
import type { Codec } from '../../codec/codec.ts'
import * as Status from '../../http/status.ts'
import type { DeclaredResponse, Definition } from '../endpoint.ts'
import type { ValueOf } from '../definition/slot-types.ts'
import { headerName } from '../definition/header-name.ts'

/** A declared header of a response. */
export interface ResponseHeader {
  readonly key: string
  /** The name as it is sent, such as `X-Total-Count`. */
  readonly name: string
  readonly codec: Codec
}

/** Returns the headers that are declared for a response. */
export const headersOf = (
  { responseHeaders }: Definition,
  { status, failure }: Pick<DeclaredResponse, 'status' | 'failure'>,
): ReadonlyArray<ResponseHeader> =>
  responseHeaders
    .filter(
      ({ status: other = failure || !Status.isSuccess(status) ? 0 : status }) => other === status,
    )
    .flatMap(({ codecs }) =>
      Array.from(codecs, ([key, codec]) => ({ key, name: sentName(key), codec })),
    )

/** Returns the name of the header for a key in camel case, such as `X-Total-Count`. Other keys are names already. */
const sentName = (key: string): string =>
  /^[a-z]/.test(key)
    ? headerName(key).replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
    : key

/** The declaration of response headers, by status. `success` contains those of all successful responses. */
export interface Sends<H> {
  readonly sends: H
}

/**
 * A member that values of responses with declared headers have at compile time only. `withHeaders` adds it. The error message for a value
 * without it ends in its name.
 */
export interface SentWith<H> {
  readonly 'the declared headers: return pipe(ok(value), withHeaders({ … }))': H
}

type Flat<T> = [{ readonly [K in keyof T]: T[K] }][0]

/** The values of headers, by key. A header whose codec accepts `undefined` is optional. */
export type HeaderValues<P> = Flat<
  {
    readonly [K in keyof P as undefined extends ValueOf<P[K]> ? never : K]: ValueOf<P[K]>
  } & {
    readonly [K in keyof P as undefined extends ValueOf<P[K]> ? K : never]?: ValueOf<P[K]>
  }
>

/** The codecs of the headers that a response with the status `St` has. */
export type HeadersAt<H, St> = (St extends keyof H ? H[St] : unknown) &
  (H extends { readonly success: infer P }
    ? `${St & number}` extends `2${string}`
      ? P
      : unknown
    : unknown)

// A body with the headers `P`. A value without headers is allowed if all of them are optional.
type Headed<X, P> = unknown extends P
  ? X
  : {
      readonly _A: ValueOf<X> &
        ({} extends HeaderValues<P>
          ? Partial<SentWith<HeaderValues<P>>>
          : SentWith<HeaderValues<P>>)
    }

type HeadedResponses<R, H> = { readonly [St in keyof R]: Headed<R[St], HeadersAt<H, St>> }

/** The declarations `S`, with bodies that have the declared headers. */
export type WithSentHeaders<S, H> = {
  readonly [K in keyof S as K extends 'sends' ? never : K]: K extends 'produces'
    ? Headed<S[K], HeadersAt<H, 'status' extends keyof S ? S['status'] : 200>>
    : K extends 'responds' | 'fails'
      ? HeadedResponses<S[K], H>
      : S[K]
}
