/** Filters that run before the handler. Pre-matching filters run before routing, and request filters run after it. */
import { checkFunction, isObject } from '../http/platform-value.ts'
import type { RejectedOptions, RejectedArgument, RecordOnly } from '../codec/codec.ts'
import { checkOptions } from './internal/combinator.ts'
import type { CommonContext, Context } from './context.ts'
import type { FilterReturns, PlainFilter, Filter, RequestFilter } from './filter.ts'
import { defaultOrder, makeFilter } from './filter.ts'
import type { UndeclaredReply, Contents, ReplyOf } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'
import type { AnySlot, KeyOf, ValueOf } from './definition/slot-types.ts'

/**
 * Creates a pre-matching filter, which runs before routing. The filter can return a reply, or the result of
 * {@link rewrite} to change the method, target, headers or id of the request.
 *
 * A pre-matching filter runs for every request, so it must be applied to the root of the tree. Anywhere else, it is a
 * configuration error (`FW-FILTER-001`). It always runs on the event loop.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { del, handle, path, preMatching, rewrite, routes, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const overriding = preMatching(({ request }) => {
 *   const method = request.header('X-HTTP-Method-Override')
 *   return request.method === 'POST' && method !== undefined ? rewrite({ method }) : undefined
 * })
 * const remove = pipe(
 *   path('/notes/{id}'),
 *   del(),
 *   handle(() => {}),
 * )
 * const send = inMemory(pipe(routes({ remove }), withFilter(overriding)))
 * const headers = { 'X-HTTP-Method-Override': 'DELETE' }
 *
 * assert.equal((await send('http://localhost/notes/7', { method: 'POST', headers })).status, 204)
 * ```
 */
export const preMatching = (
  run: (context: CommonContext) => FilterReturns<void | undefined | Rewrite, UndeclaredReply>,
): PlainFilter => {
  checkFunction('preMatching(run)', 'run', run)
  return makeFilter({ _tag: 'PreMatchingFilter', ...defaultOrder, run, responses: [] })
}

/** Changes to a request. If a member is omitted, the corresponding part of the request remains unchanged. */
export interface Rewriting {
  readonly method?: string
  /** New path, optionally followed by `?` and a query. */
  readonly target?: string
  /** Headers to replace. The value `undefined` removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** New id for the request. */
  readonly id?: string
}

/** The result of {@link rewrite}, which describes changes to a request. */
export interface Rewrite extends Rewriting {
  readonly _tag: 'Rewrite'
}

const rewriteKey = Symbol.for('espalier.Rewrite')

/**
 * Returns a value that describes changes to the request. Return it from a {@link preMatching} filter to rewrite the
 * request before routing.
 */
export const rewrite = (changes: Rewriting): Rewrite =>
  Object.freeze({ ...changes, _tag: 'Rewrite', [rewriteKey]: true })

/** Whether a value was created by {@link rewrite}, in this or another copy of the package. */
export const isRewrite = (value: unknown): value is Rewrite =>
  isObject(value) && rewriteKey in value

/** Options for {@link requestFilter}. */
export interface RequestFilterOptions {
  readonly needs?: RecordOnly<'pass a record of slots: needs: { clock: Clock }'> & {
    readonly [local: string]: AnySlot
  }
  readonly gives?: RecordOnly<'pass a record of slots: gives: { clock: Clock }'> & {
    readonly [local: string]: AnySlot
  }
  readonly fails?: Contents
}

/** The slots declared by the `K` option of `O`, or an empty record if the option is omitted. */
export type Slots<O, K extends string> = O extends { readonly [X in K]: infer N } ? N : {}

/** Types of slot values, by slot key. */
export type BySlot<N> = { readonly [L in keyof N as KeyOf<N[L]>]: ValueOf<N[L]> }

/** Types of slot values, by the local names of the slots. */
export type ByName<N> = { readonly [L in keyof N]: ValueOf<N[L]> }

type Onward<G> = keyof G extends never
  ? void | undefined
  : Next<ByName<G>> | RejectedOptions<'return next({ … }) with the values of the slots'>

type Nothing =
  | void
  | undefined
  | UndeclaredNext<'declare the slots: requestFilter({ gives: { … } }, …)'>

/** An alternative to a result that no value has. TypeScript selects it for `next` in a filter that declares no slots. */
export interface UndeclaredNext<Remedy extends string> {
  readonly _tag: 'Next'
  readonly gives: Remedy
}

/**
 * Creates a request filter, which runs after routing and before the handler.
 *
 * If the filter returns nothing, the request proceeds. If it returns a reply, the reply is sent and the handler does
 * not run. Response filters still receive the reply. Errors are handled like errors thrown by a handler. A filter
 * that provides slots declares them in `gives`, and returns the result of {@link next} with the values. A missing value results
 * in a 500 response.
 *
 * Replies with text, with bytes or without a body need no declaration. All other replies must be declared in `fails`.
 * Declared replies are added as responses to all operations in the tree to which the filter is applied. Typed clients
 * report an undeclared response as an `UndeclaredStatus` error.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, needs, next, path, produces, reply, requestFilter, routes, slot, text, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Tenant = slot<string>()('tenant')
 * const tenancy = requestFilter({ gives: { tenant: Tenant } }, ({ request }) => {
 *   const tenant = request.header('X-Tenant')
 *   return tenant === undefined ? reply(421, 'Say X-Tenant.') : next({ tenant })
 * })
 * const greet = pipe(
 *   path('/'),
 *   get(),
 *   needs({ tenant: Tenant }),
 *   produces(text),
 *   handle((input) => `Hello, ${input.needs.tenant}`),
 * )
 * const send = inMemory(pipe(routes({ greet }), withFilter(tenancy)))
 * const request = (headers: Record<string, string>) => send('http://localhost/', { headers })
 *
 * assert.equal(await (await request({ 'X-Tenant': 'kew' })).text(), 'Hello, kew')
 * assert.equal((await request({})).status, 421)
 * ```
 */
export function requestFilter(
  run: (
    context: Context,
    next: RejectedArgument<'a filter has no next(): return nothing to continue, or a reply'>,
  ) => FilterReturns<Nothing, UndeclaredReply>,
): PlainFilter

export function requestFilter<const O extends RequestFilterOptions>(
  options: O,
  run: (
    context: Context,
    needs: ByName<Slots<O, 'needs'>>,
  ) => FilterReturns<Onward<Slots<O, 'gives'>>, UndeclaredReply | ReplyOf<O>>,
): Filter<BySlot<Slots<O, 'needs'>>, BySlot<Slots<O, 'gives'>>, ReplyOf<O>>

export function requestFilter(
  first: RequestFilterOptions | ((context: Context, next: never) => unknown),
  second?: unknown,
): Filter<never, unknown, unknown> {
  const options =
    typeof first === 'function'
      ? {}
      : checkOptions('requestFilter', ['needs', 'gives', 'fails'], first)
  // the overloads guarantee the type
  const run = (typeof first === 'function' ? first : second) as RequestFilter['run']
  checkFunction('requestFilter(options, run)', 'run', run)
  return makeFilter({
    _tag: 'RequestFilter',
    ...defaultOrder,
    run,
    needs: new Map(Object.entries(options.needs ?? {})),
    gives: new Map(Object.entries(options.gives ?? {})),
    responses: toResponses(options.fails ?? {}),
    authentication: undefined,
  })
}

/** The result of a filter that provides slots. */
export interface Next<G> {
  readonly _tag: 'Next'
  readonly values: G
}

const nextKey = Symbol.for('espalier.Next')

/**
 * Returns a filter result that lets the request proceed and provides slot values. The keys of `values` are the local
 * names of the slots.
 */
export function next<const G extends Readonly<Record<string, unknown>>>(values: G): Next<G>
// the type of an error
export function next(
  values: RejectedArgument<'pass a record: next({ user })'> & Readonly<Record<string, unknown>>,
): never
export function next<G>(values: G): Next<G> {
  return Object.freeze({ _tag: 'Next', values, [nextKey]: true })
}

/** Whether a value was created by {@link next}, in this or another copy of the package. */
export const isNext = (value: unknown): value is Next<Readonly<Record<string, unknown>>> =>
  isObject(value) && nextKey in value
