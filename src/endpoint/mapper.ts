/**
 * Mappers, which convert undeclared errors from handlers and filters into replies. At most one mapper runs for each
 * request.
 */
import type { RejectedFunction } from '../codec/codec.ts'
import type { Conditional } from './condition.ts'
import type { ResponseContext } from './context.ts'
import type { DeclaredResponse } from './endpoint.ts'
import { defaultPriority } from './filter.ts'
import type { UnexpectedResponse } from './internal/handler-types.ts'
import type { Contents, ReplyOf, UndeclaredReply } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'
import { checkFunction, inheritsFrom } from '../http/platform-value.ts'
import { anyOf } from './internal/combinator.ts'
import { describeValue } from './definition/describe-value.ts'

interface Prioritized extends Conditional {
  /** Priority among mappers that match an error equally well. The mapper with the smallest number runs. Default: 5000. */
  readonly priority: number
}

/** A concrete or abstract class. */
export type Class<X> = abstract new (...parameters: never) => X

/** The errors that a mapper handles: instances of a class, values accepted by a type guard, or errors with a tag. */
export type ErrorScope =
  | { readonly _tag: 'Class'; readonly of: Class<unknown> }
  | { readonly _tag: 'Guard'; readonly is: (error: unknown) => boolean }
  /** Errors with this `_tag`. */
  | { readonly _tag: 'Tag'; readonly tag: string }

/** A mapper that converts errors into replies. */
export interface MapError extends Prioritized {
  readonly _tag: 'MapError'
  readonly scope: ErrorScope
  readonly run: (error: unknown, context: ResponseContext) => unknown
  readonly responses: ReadonlyArray<DeclaredResponse>
}

/** The condition under which {@link unwrap} applies. */
export type Unwrapping =
  /** Applies if no mapper matches the error itself. This is the default. */
  | 'ifUnmapped'
  /** Applies unless a mapper matches the error by its exact class, by its tag or by a type guard. */
  | 'ifNotExact'
  | 'always'

/** A rule for errors of one class. It maps the cause of such an error instead of the error itself. */
export interface Unwrap extends Prioritized {
  readonly _tag: 'Unwrap'
  readonly of: Class<unknown>
  readonly when: Unwrapping
}

/** A mapper without type parameters. A combined mapper consists of several mappers. */
export type AnyMapper =
  | MapError
  | Unwrap
  | { readonly _tag: 'Mappers'; readonly mappers: ReadonlyArray<AnyMapper> }

/**
 * A mapper with type parameters: the tagged errors that the mapper handles (`G`) and the replies that it declares
 * (`E`). `_G` and `_E` exist only at compile time.
 */
export type Mapper<G, E> = AnyMapper & { readonly _G: G; readonly _E: E }

/**
 * Creates a mapper. The type arguments are not checked, so each calling function must declare the correct types in its
 * signature.
 */
// `_G` and `_E` exist only at compile time
export const makeMapper = <G, E>(mapper: AnyMapper): Mapper<G, E> =>
  Object.freeze(mapper) as Mapper<G, E>

/** A reply that needs no declaration. The error message for another object with a status ends in the remedy. */
export type MapperReply = UndeclaredReply | UnexpectedResponse<'use reply(status, value)'>

/** The possible results of a mapping function: a value, a promise or a `Task`. */
export type MapperReturns<R> = R | Promise<R> | (() => Promise<R>)

/**
 * Options for {@link mapError} and `mapTagged`. Declare a reply in `fails` if its body is neither text nor bytes, or
 * if typed clients need a type for the reply.
 */
export interface MapperOptions {
  readonly fails?: Contents
}

/**
 * Creates a mapper, which converts errors into replies. The mapper handles all instances of a class, or all errors
 * accepted by a type guard.
 *
 * The function `run` receives the error and the context of the request, and returns a reply, a promise or a `Task`.
 * If multiple mappers match, these rules select one, in this order:
 *
 * - the mapper on the innermost tree
 * - a mapper with a guard or a tag, before a mapper with a class
 * - the mapper for the most derived class
 * - the mapper with the smallest `priority`
 *
 * An error thrown by `run` is not mapped again. It results in a 500 response, unless it is an `HttpError`. Response filters
 * receive both the reply and the original error.
 *
 * An `HttpError` that contains a reply is never mapped. Any other `HttpError` is mapped, including errors detected by
 * the framework. Errors detected by the framework are instances of the exported error classes, and have no stack trace.
 * Examples are `NotFound`, `MethodNotAllowed` with `allow`, and `BadRequest` with `errors`. Errors that occur before an
 * operation is selected (404, 405, 406, 415) reach only the mappers at the root of the tree.
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
export function mapError<X, R extends MapperReply>(
  of: Class<X> | ((error: unknown) => error is X),
  run: (error: X, context: ResponseContext) => MapperReturns<R>,
): Mapper<unknown, never>
// the type of an error
export function mapError(
  run: RejectedFunction<'pass the class first: mapError(Error, () => reply(500))'> &
    ((error: unknown) => boolean),
): never
export function mapError<X, const O extends MapperOptions, R extends MapperReply | ReplyOf<O>>(
  of: Class<X> | ((error: unknown) => error is X),
  options: O,
  run: (error: X, context: ResponseContext) => MapperReturns<R>,
): Mapper<unknown, ReplyOf<O>>
export function mapError(
  of: Class<unknown> | ((error: unknown) => boolean),
  second?: unknown,
  third?: unknown,
): Mapper<unknown, unknown> {
  const scope: ErrorScope = isClass(of) ? { _tag: 'Class', of } : { _tag: 'Guard', is: of }
  checkFunction('mapError(Error, run)', 'run', third ?? second)
  // the overloads guarantee that the arguments are optional options, and then a function
  const options = (third === undefined ? {} : second) as MapperOptions
  return makeMapper(
    makeMapError(scope, (third ?? second) as MapError['run'], toResponses(options.fails ?? {})),
  )
}

/** Creates a mapper with the default priority. */
export const makeMapError = (
  scope: ErrorScope,
  run: MapError['run'],
  responses: ReadonlyArray<DeclaredResponse>,
): MapError => Object.freeze({ _tag: 'MapError', scope, run, priority: defaultPriority, responses })

/**
 * Whether the argument is a class rather than a type guard. The `prototype` property of a class is read-only, except
 * for classes compiled to ES5. Of these, only error classes are recognized, because their `prototype` inherits from
 * `Error`.
 */
const isClass = (of: Class<unknown> | ((error: unknown) => boolean)): of is Class<unknown> =>
  inheritsFrom(of.prototype, 'Error') ||
  Object.getOwnPropertyDescriptor(of, 'prototype')?.writable === false

/**
 * Creates a rule for wrapper errors, which are instances of `of`. The `cause` of such an error is mapped instead of the
 * error itself.
 *
 * If an `unwrap` rule also matches the cause, the cause is unwrapped in turn. If the final cause is an `HttpError` that no
 * mapper handles, the response has the status of that `HttpError`.
 *
 * ```text
 * ifUnmapped   applies if no mapper matches the error itself; the default
 * ifNotExact   applies unless a mapper matches the error by its exact class, a tag or a type guard
 * always       applies even if a mapper matches the error itself
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
export const unwrap = (
  of: Class<Error>,
  when: Unwrapping = 'ifUnmapped',
): Mapper<unknown, never> => {
  if (!unwrappings.includes(when))
    throw new TypeError(
      `unwrap: invalid condition: expected ${anyOf(unwrappings)}, got ${describeValue(when)}: use unwrap once for each class`,
    )
  return makeMapper({ _tag: 'Unwrap', of, when, priority: defaultPriority })
}

const unwrappings: ReadonlyArray<Unwrapping> = ['ifUnmapped', 'ifNotExact', 'always']
