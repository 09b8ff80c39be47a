/** The types of the input and the results of handlers, computed from the declarations of an endpoint. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { HttpError } from '../http-error.ts'
import type { Reply } from '../reply.ts'
import type { Nothing } from '../representation.ts'
import type { ValueOf } from '../definition/slot-types.ts'
import type { WithSentHeaders } from './response-headers.ts'

type Single = 'body' | 'queryMap'

type Grouped = 'query' | 'header' | 'cookie' | 'matrix' | 'form' | 'needs'

/**
 * The input of a handler, with one member for each kind of declaration. The `path` member exists only if the path has
 * variables.
 */
export type Input<S> = S extends unknown
  ? { readonly [K in keyof S & InputKey<S>]: K extends Single ? ValueOf<S[K]> : Values<S[K]> }
  : never

/** The keys of declarations that become members of the handler input. */
export type InputKey<S> = 'path' extends keyof S
  ? keyof S['path'] extends never
    ? Single | Grouped
    : Single | Grouped | 'path'
  : never

/**
 * The decoded values for a record of codecs. The type is defined as an element of a tuple type, so that editors show
 * the values instead of the alias.
 */
export type Values<P> = [{ readonly [K in keyof P]: ValueOf<P[K]> }][0]

/** The replies declared by a record that maps statuses to bodies. */
export type Replies<R> = {
  [K in keyof R & number]: Reply<K, ValueOf<R[K]>>
}[keyof R & number]

// The following types read declarations by key. With `infer`, TypeScript would instantiate all of `S` twice.

type RepliesAt<S, K extends string> = K extends keyof S ? Replies<S[K]> : never

/** The status declared with `status`, or `Default`. */
export type DeclaredStatus<S, Default extends number> = 'status' extends keyof S
  ? S['status'] & number
  : Default

/**
 * The possible results of the handler of an endpoint. As a conditional type, it is computed once for each `S`: TypeScript
 * would instantiate a union again for each signature that contains it.
 */
export type ResultOf<S> = 'sends' extends keyof S
  ? [S] extends [never]
    ? unknown
    : ResultOf<WithSentHeaders<S, S['sends']>>
  : 'produces' extends keyof S
    ? ProducedResult<S, S['produces']>
    : DefaultResult<S>

// The declaration is compared instead of its type: whether a type parameter extends `void` is unknown in generic code.
type ProducedResult<S, X> = [X] extends [Nothing]
  ? DefaultResult<S>
  : Returns<Failure<S>, Value<S, ValueOf<X> | Reply<DeclaredStatus<S, 200>, ValueOf<X>>>>

/**
 * The results if no body is produced: nothing, or a value for the only response declared by `responds`. 304 is not included,
 * because it replaces a success response.
 */
type DefaultResult<S> = 'responds' extends keyof S
  ? 304 extends keyof S['responds']
    ? RespondsResult<S, Omit<S['responds'], 304>>
    : OnlyResult<S, S['responds'], OnlyStatus<keyof S['responds'], keyof S & 'status'>>
  : EmptyResult<S>

// After a step with a type error, `S` is `unknown` or has no method. Any result is then accepted, as below.
type EmptyResult<S> = 'method' extends keyof S
  ? ResultWith<S, void | Reply<DeclaredStatus<S, 204>, void>>
  : unknown

// If the declarations have a type error, `S` is `never` and has all keys. Any result is then accepted, so that the compiler reports
// only the first error.

type RespondsResult<S, R> = [keyof R] extends [never]
  ? EmptyResult<S>
  : [S] extends [never]
    ? unknown
    : OnlyResult<S, R, OnlyStatus<keyof R, keyof S & 'status'>>

/** The only status in a union, or `never` if it has multiple statuses, or one that is not 2xx. */
type OnlyStatus<Statuses, Status> = {
  [K in Statuses & number]: [Statuses | Status, `${K}`] extends [K, `2${string}`] ? K : never
}[Statuses & number]

// Each `ReturnsOnly` and `Returns` is the direct result of a conditional type. With an alias between them, error messages would
// show the alias instead of the remedy.

type OnlyResult<S, R, Only> = [Only] extends [never]
  ? ReturnsOnly<
      Failure<S>,
      Value<S, never>,
      'no default response is declared: return a reply with a declared status, or a value, and add produces(…) before handle'
    >
  : ResultWith<S, ValueOf<R[keyof R]>>

type ResultWith<S, A> = [A] extends [void | Reply<number, void>]
  ? ReturnsOnly<
      Failure<S>,
      Value<S, A>,
      'no response body is declared: add produces(…) before handle'
    >
  : Returns<Failure<S>, Value<S, A>>

// Indexing a tuple type with `number` yields a union without an alias. Compiler messages therefore show the allowed
// results instead of the record of declarations.

/** The values that a handler can return: `A`, and the declared replies. */
export type Value<S, A> = [A, RepliesAt<S, 'responds'>, RepliesAt<S, 'fails'>][number]

/** The values that a handler can return in a `Left`. */
export type Failure<S> = [
  'fails' extends keyof S ? ValueOf<S['fails'][keyof S['fails']]> | Replies<S['fails']> : never,
  'raises' extends keyof S ? S['raises'][keyof S['raises']] : never,
][number]

/**
 * The possible results of a handler: a value, a reply, an `HttpError`, or an `Either` that contains such a value. The
 * result can also be a `Promise`, a `Task` or a `TaskEither`.
 */
export type Returns<F, V> = Deferrable<Settled<F, V>>

/** The possible results of a handler without a declared body. The error message for other results ends in `Remedy`. */
export type ReturnsOnly<F, V, Remedy extends string> = Deferrable<SettledOnly<F, V, Remedy>>

type Deferrable<X> = X | Promise<X> | (() => Promise<X>)

type Settled<F, V> =
  | V
  | HttpError
  | Either<
      F | HttpError | Undeclared<'the failure is not declared: add fails(status, …) or raises'>,
      V
    >
  | UndeclaredReplyStatus<'the status is not declared: add responds(…) or fails(…)'>
  | UnexpectedResponse<'use reply(status, value), or return the value'>
  | UnexpectedOption<'declare fails(404), and return pipe(option, O.getOrElseW(() => reply(404)))'>

/**
 * An alternative to a result that no value has. TypeScript selects it for a reply with an undeclared status. Because of the index
 * signature in place of `status`, it neither infers the status of a reply from it, nor compares a reply with multiple statuses with it.
 */
export interface UndeclaredReplyStatus<Remedy extends string> {
  readonly _tag: 'Reply'
  readonly [status: `status${string}`]: number
  readonly 'a declaration': Remedy
}

/**
 * An alternative to a result that no value has. TypeScript selects it for objects with a status, and for responses of the Fetch
 * standard, because they have more of its members than of the members of an `HttpError`.
 */
export interface UnexpectedResponse<Remedy extends string> {
  readonly status?: unknown
  readonly statusCode?: unknown
  readonly body?: unknown
  readonly bodyUsed?: unknown
  readonly clone?: unknown
  readonly redirected?: unknown
  readonly 'a reply': Remedy
}

/** An alternative to a result that no value has. TypeScript selects it for an `Option`. */
export interface UnexpectedOption<Remedy extends string> {
  readonly _tag: 'None' | 'Some'
  readonly 'a value': Remedy
}

/** The alternatives to results that no value has. */
export type NeverReturned =
  | Undeclared<string>
  | UndeclaredReplyStatus<string>
  | UnexpectedResponse<string>
  | UnexpectedOption<string>

type SettledOnly<F, V, Remedy extends string> = Settled<F, V> | Undeclared<Remedy>

/**
 * An alternative to a result that no value has. TypeScript selects it for an undeclared object, because of its index
 * signature, so that the error message ends in `Remedy`.
 */
export interface Undeclared<Remedy extends string> {
  readonly [key: string]: Remedy
  readonly 'a declaration': never
}
