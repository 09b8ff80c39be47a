/**
 * Mappers: what errors become. One is put around a tree with `withMapper`, and maps what handlers and filters of that tree
 * throw, or return as a `Left`, without declaring it. At most one runs in the life of a request.
 */
import type { Conditional } from './condition.ts'
import type { ResponseContext } from './context.ts'
import type { DeclaredResponse } from './endpoint.ts'
import { defaultPriority } from './filter.ts'
import type { Contents, ReplyOf, Undeclared } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'

/** Of several mappers that fit equally well, the one with the smallest number maps; 5000 unless it is said. */
interface Ranked extends Conditional {
  readonly priority: number
}

/** A class, abstract or not, whose instances are mapped. */
export type Class<X> = abstract new (...parameters: never) => X

/** What an error has to be. */
export type ErrorScope =
  | { readonly _tag: 'Class'; readonly of: Class<unknown> }
  | { readonly _tag: 'Guard'; readonly is: (error: unknown) => boolean }
  /** Anything with such a `_tag`. */
  | { readonly _tag: 'Tag'; readonly tag: string }

export interface MapError extends Ranked {
  readonly _tag: 'MapError'
  readonly scope: ErrorScope
  readonly run: (error: unknown, context: ResponseContext) => unknown
  readonly responses: ReadonlyArray<DeclaredResponse>
}

/** When the cause of an error is mapped instead of the error. */
export type Unwrapping =
  /** When neither its class nor one above it has a mapper, nor has its tag. */
  | 'ifUnmapped'
  /** When its own class has none. */
  | 'ifNotExact'
  | 'always'

export interface Unwrap extends Ranked {
  readonly _tag: 'Unwrap'
  readonly of: Class<unknown>
  readonly when: Unwrapping
}

export type AnyMapper =
  | MapError
  | Unwrap
  | { readonly _tag: 'Mappers'; readonly mappers: ReadonlyArray<AnyMapper> }

/** A mapper with its types: the tagged errors it takes care of, and the replies it makes of them. */
export type Mapper<G, E> = AnyMapper & { readonly _G: G; readonly _E: E }

/** A mapper with its types. They are the caller's claim: each constructor states them in its own signature. */
// `_G` and `_E` are for the compiler alone, so the value need not have them
export const makeMapper = <G, E>(mapper: AnyMapper): Mapper<G, E> =>
  Object.freeze(mapper) as Mapper<G, E>

/** Now, as a promise or as a `Task`. */
export type MapperReturns<R> = R | Promise<R> | (() => Promise<R>)

/** What a mapper declares: contents that are neither text nor octets, and whatever clients of the tree are to know. */
export interface MapperOptions {
  readonly fails?: Contents
}

/**
 * Maps the errors of a class, or those that a guard accepts, to a reply. The mapper gets the error and the context of the
 * request, and returns a reply, a promise of one, or a `Task`. Of several, one of the innermost tree maps; of those around
 * one tree, a guard or tag before a class, and the closest class before one further up; then `priority` decides.
 *
 * A mapper that throws is a defect, answered with 500, unless it throws an `HttpError`: nothing is mapped twice. Response
 * filters see what a mapper replies, and the error.
 *
 * An `HttpError` that carries a reply is never mapped. One that does not is, and so are the refusals of the engine, as errors
 * of the same classes: `NotFound`, `MethodNotAllowed` with its `allow`, `BadRequest` with its `faults`. They have no stack.
 * Before an operation is chosen, only mappers around the whole tree see them: 404, 405, 406, 415.
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
  // the overloads let nothing else through: options in front of the function, or the function alone
  const options = (third === undefined ? {} : second) as MapperOptions
  return makeMapper(
    makeMapError(scope, (third ?? second) as MapError['run'], toResponses(options.fails ?? {})),
  )
}

/** A mapper of the usual priority. */
export const makeMapError = (
  scope: ErrorScope,
  run: MapError['run'],
  responses: ReadonlyArray<DeclaredResponse>,
): MapError => Object.freeze({ _tag: 'MapError', scope, run, priority: defaultPriority, responses })

/** The `prototype` of a class cannot be replaced, unlike that of a function; compiled ones of old still extend `Error`. */
const isClass = (of: Class<unknown> | ((error: unknown) => boolean)): of is Class<unknown> =>
  of.prototype instanceof Error ||
  Object.getOwnPropertyDescriptor(of, 'prototype')?.writable === false

/**
 * Maps the `cause` of errors of a class instead of the error: for wrappers that tell nothing themselves. Causes are followed
 * all the way down, as long as each is unwrapped too. An `HttpError` that is found there is answered with its status when it
 * has no mapper.
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
