/** Request filters: run after routing and before the handler. */
import type { Context } from './context.ts'
import type { Filter, FilterReturns, PlainFilter, RequestFilter } from './filter.ts'
import { defaultOrder, makeFilter } from './filter.ts'
import type { Contents, ReplyOf, Undeclared } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'
import type { AnySlot, KeyOf, ValueOf } from './internal/slot-types.ts'

/** Options of {@link requestFilter}. */
export interface RequestFilterOptions {
  readonly needs?: { readonly [local: string]: AnySlot }
  readonly gives?: { readonly [local: string]: AnySlot }
  readonly fails?: Contents
}

/** The slots of an option. */
export type Slots<O, K extends string> = O extends { readonly [X in K]: infer N } ? N : {}

/** Values by slot key. */
export type BySlot<N> = { readonly [L in keyof N as KeyOf<N[L]>]: ValueOf<N[L]> }

/** Values by local name. */
export type ByName<N> = { readonly [L in keyof N]: ValueOf<N[L]> }

type Onward<G> = keyof G extends never ? void | undefined : Next<ByName<G>>

type Nothing = void | undefined

/**
 * Creates a request filter, which runs after routing and before the handler.
 *
 * Without a result, the request proceeds. A reply is sent instead of calling the handler; response filters still see
 * it. Errors are handled like those of a handler. A filter that provides slots declares them in `gives`, and returns
 * {@link next} with their values.
 *
 * Replies with text, bytes or no body need no declaration. Declare other bodies with `fails`: these responses become
 * part of all operations in the tree. To typed clients, a response that is not declared is an `UndeclaredStatus`.
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
  run: (context: Context) => FilterReturns<Nothing, Undeclared>,
): PlainFilter

export function requestFilter<const O extends RequestFilterOptions>(
  options: O,
  run: (
    context: Context,
    needs: ByName<Slots<O, 'needs'>>,
  ) => FilterReturns<Onward<Slots<O, 'gives'>>, Undeclared | ReplyOf<O>>,
): Filter<BySlot<Slots<O, 'needs'>>, BySlot<Slots<O, 'gives'>>, ReplyOf<O>>

export function requestFilter(
  first: RequestFilterOptions | ((context: Context) => unknown),
  second?: unknown,
): Filter<never, unknown, unknown> {
  const options = typeof first === 'function' ? {} : first
  // the overloads guarantee the type
  const run = (typeof first === 'function' ? first : second) as RequestFilter['run']
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

const mark = Symbol.for('espalier.Next')

/** Lets the request proceed and provides values for slots, by their local names. */
export const next = <const G extends Readonly<Record<string, unknown>>>(given: G): Next<G> => {
  // not frozen: created for each request and read at once, so freezing would cost more than all other work on it
  const made = { _tag: 'Next', values: given, [mark]: true } as const
  return made
}

/** Whether a value is the result of {@link next}, of this or another copy of the package. */
export const isNext = (value: unknown): value is Next<Readonly<Record<string, unknown>>> =>
  typeof value === 'object' && value !== null && mark in value
