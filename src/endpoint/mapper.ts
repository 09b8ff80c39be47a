/** Mappers: convert undeclared errors of handlers and filters to replies. At most one runs per request. */
import type { Conditional } from './condition.ts'
import type { ResponseContext } from './context.ts'
import type { DeclaredResponse } from './endpoint.ts'
import { defaultPriority } from './filter.ts'
import type { Contents, ReplyOf, Undeclared } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'

/** Of several equally specific mappers, the one with the smallest number runs. Default: 5000. */
interface Ranked extends Conditional {
  readonly priority: number
}

/** A class, abstract or not. */
export type Class<X> = abstract new (...parameters: never) => X

/** The errors that a mapper handles. */
export type ErrorScope =
  | { readonly _tag: 'Class'; readonly of: Class<unknown> }
  | { readonly _tag: 'Guard'; readonly is: (error: unknown) => boolean }
  /** Errors with this `_tag`. */
  | { readonly _tag: 'Tag'; readonly tag: string }

/** A mapper of errors to replies. */
export interface MapError extends Ranked {
  readonly _tag: 'MapError'
  readonly scope: ErrorScope
  readonly run: (error: unknown, context: ResponseContext) => unknown
  readonly responses: ReadonlyArray<DeclaredResponse>
}

/** When {@link unwrap} applies. */
export type Unwrapping =
  /** If there is no mapper for the class, a superclass or the tag of the error. */
  | 'ifUnmapped'
  /** If there is no mapper for the class of the error itself. */
  | 'ifNotExact'
  | 'always'

/** A rule to map the cause of an error instead of the error. */
export interface Unwrap extends Ranked {
  readonly _tag: 'Unwrap'
  readonly of: Class<unknown>
  readonly when: Unwrapping
}

/** A mapper without its types. Several may be combined. */
export type AnyMapper =
  | MapError
  | Unwrap
  | { readonly _tag: 'Mappers'; readonly mappers: ReadonlyArray<AnyMapper> }

/**
 * A mapper with its types: the tagged errors that it handles (`G`), and its declared replies (`E`). They exist only at
 * compile time.
 */
export type Mapper<G, E> = AnyMapper & { readonly _G: G; readonly _E: E }

/** Makes a mapper. The type arguments are not checked: each constructor states them in its own signature. */
// `_G` and `_E` exist only at compile time
export const makeMapper = <G, E>(mapper: AnyMapper): Mapper<G, E> =>
  Object.freeze(mapper) as Mapper<G, E>

/** A value, a promise or a `Task`. */
export type MapperReturns<R> = R | Promise<R> | (() => Promise<R>)

/**
 * Options of mappers: declared replies, for bodies other than text and bytes, and for replies that typed clients
 * should know.
 */
export interface MapperOptions {
  readonly fails?: Contents
}

/**
 * Creates a mapper: converts errors of a class, or those that a type guard accepts, to a reply.
 *
 * The function receives the error and the context of the request, and returns a reply, a promise or a `Task`. If
 * several mappers match, these rules select one, in this order:
 *
 * - the innermost tree
 * - a guard or tag before a class
 * - the most derived class
 * - the smallest `priority`
 *
 * An error that a mapper throws results in 500, unless it is an `HttpError`; it is not mapped again. Response filters
 * receive the reply and the error.
 *
 * An `HttpError` with a reply is never mapped. Other ones are, including errors of the framework, which are instances
 * of the same classes: `NotFound`, `MethodNotAllowed` with `allow`, `BadRequest` with `faults`. They have no stack
 * trace. Errors before an operation is selected (404, 405, 406, 415) reach only mappers of the root.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, mapError, path, produces, reply, routes, text, withMapper } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * class OutOfStock extends Error {}
 * const buy = pipe(
 *   path('/buy'),
 *   get(),
 *   produces(text),
 *   handle((): string => {
 *     throw new OutOfStock('pears')
 *   }),
 * )
 * const api = pipe(
 *   routes({ buy }),
 *   withMapper(mapError(OutOfStock, (error) => reply(409, `No ${error.message} today.`))),
 * )
 * const response = await inMemory(api)('http://localhost/buy')
 *
 * assert.deepEqual([response.status, await response.text()], [409, 'No pears today.'])
 * ```
 */
export function mapError<X, R extends Undeclared>(
  of: Class<X> | ((error: unknown) => error is X),
  run: (error: X, context: ResponseContext) => MapperReturns<R>,
): Mapper<unknown, never>
export function mapError<X, const O extends MapperOptions, R extends Undeclared | ReplyOf<O>>(
  of: Class<X> | ((error: unknown) => error is X),
  options: O,
  run: (error: X, context: ResponseContext) => MapperReturns<R>,
): Mapper<unknown, ReplyOf<O>>
export function mapError(
  of: Class<unknown> | ((error: unknown) => boolean),
  second: unknown,
  third?: unknown,
): Mapper<unknown, unknown> {
  const scope: ErrorScope = isClass(of) ? { _tag: 'Class', of } : { _tag: 'Guard', is: of }
  // the overloads guarantee it: optional options, then a function
  const options = (third === undefined ? {} : second) as MapperOptions
  return makeMapper(
    makeMapError(scope, (third ?? second) as MapError['run'], toResponses(options.fails ?? {})),
  )
}

/** Makes a mapper with the default priority. */
export const makeMapError = (
  scope: ErrorScope,
  run: MapError['run'],
  responses: ReadonlyArray<DeclaredResponse>,
): MapError => Object.freeze({ _tag: 'MapError', scope, run, priority: defaultPriority, responses })

/**
 * Whether the argument is a class: its `prototype` is read-only, or inherits from `Error`, as classes compiled to ES5
 * do.
 */
const isClass = (of: Class<unknown> | ((error: unknown) => boolean)): of is Class<unknown> =>
  of.prototype instanceof Error ||
  Object.getOwnPropertyDescriptor(of, 'prototype')?.writable === false

/**
 * Creates a mapper that maps the `cause` of errors of a class instead of the error, for wrapper errors.
 *
 * Causes are followed as long as each one is unwrapped too. A cause that is an `HttpError` without a mapper results in
 * its status.
 *
 * ```text
 * ifUnmapped   when neither the class of the error nor one above it has a mapper; the default
 * ifNotExact   when the class of the error itself has none
 * always       whenever something maps the cause
 * ```
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, mapError, path, reply, routes, unwrap, withMapper } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * class QueryFailed extends Error {}
 * class Locked extends Error {}
 * const save = pipe(
 *   path('/save'),
 *   get(),
 *   handle(() => {
 *     throw new QueryFailed('insert', { cause: new Locked() })
 *   }),
 * )
 * const api = pipe(
 *   routes({ save }),
 *   withMapper(unwrap(QueryFailed), mapError(Locked, () => reply(423))),
 * )
 *
 * assert.equal((await inMemory(api)('http://localhost/save')).status, 423)
 * ```
 */
export const unwrap = (of: Class<Error>, when: Unwrapping = 'ifUnmapped'): Mapper<unknown, never> =>
  makeMapper({ _tag: 'Unwrap', of, when, priority: defaultPriority })
