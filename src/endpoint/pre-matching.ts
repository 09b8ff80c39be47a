/** Filters before matching. */
import type { Surroundings } from './context.ts'
import type { FilterReturns, PlainFilter } from './filter.ts'
import { defaultOrder, makeFilter } from './filter.ts'
import type { Undeclared } from './internal/declared-replies.ts'

/**
 * A filter before matching: it may change method, target and header fields with {@link rewrite}, or answer. It covers every
 * request, so it can only be put around the whole tree. It never runs on a worker.
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
  run: (context: Surroundings) => FilterReturns<void | undefined | Rewrite, Undeclared>,
): PlainFilter => makeFilter({ _tag: 'PreMatchingFilter', ...defaultOrder, run, responses: [] })

/** What a filter before matching changes of a request; what is left out stays. */
export interface Rewriting {
  readonly method?: string
  /** A path, with a query behind `?` if there is to be one. */
  readonly target?: string
  /** Fields that replace those of the same name; `undefined` takes a field away. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Identifies the request from now on. */
  readonly id?: string
}

export interface Rewrite extends Rewriting {
  readonly _tag: 'Rewrite'
}

const mark = Symbol.for('espalier.Rewrite')

/** Changes the request before it is matched. */
export const rewrite = (changes: Rewriting): Rewrite =>
  Object.freeze({ ...changes, _tag: 'Rewrite', [mark]: true })

export const isRewrite = (value: unknown): value is Rewrite =>
  typeof value === 'object' && value !== null && mark in value
