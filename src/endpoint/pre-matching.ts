/** Pre-matching filters: run before routing. */
import type { Surroundings } from './context.ts'
import type { FilterReturns, PlainFilter } from './filter.ts'
import { defaultOrder, makeFilter } from './filter.ts'
import type { Undeclared } from './internal/declared-replies.ts'

/**
 * Creates a pre-matching filter, which runs before routing. It may return {@link rewrite} to change method, target and
 * headers, or a reply.
 *
 * It runs for every request, so it must be applied to the root; otherwise it is a configuration error
 * (`FW-FILTER-001`). It always runs on the event loop.
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

/** Changes to a request. Omitted members stay unchanged. */
export interface Rewriting {
  readonly method?: string
  /** Path, optionally followed by `?` and a query. */
  readonly target?: string
  /** Headers to replace. `undefined` removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** New request id. */
  readonly id?: string
}

/** A rewritten request: the result of {@link rewrite}. */
export interface Rewrite extends Rewriting {
  readonly _tag: 'Rewrite'
}

const mark = Symbol.for('espalier.Rewrite')

/** Rewrites the request before routing: the result of a {@link preMatching} filter. */
export const rewrite = (changes: Rewriting): Rewrite =>
  Object.freeze({ ...changes, _tag: 'Rewrite', [mark]: true })

/** Whether a value is the result of {@link rewrite}, of this or another copy of the package. */
export const isRewrite = (value: unknown): value is Rewrite =>
  typeof value === 'object' && value !== null && mark in value
