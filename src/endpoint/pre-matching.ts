/** Filters before matching. */
import type { Surroundings } from './context.ts'
import type { FilterReturns, PlainFilter } from './filter.ts'
import { everywhere, typed } from './filter.ts'
import type { Undeclared } from './internal/declared-replies.ts'
import type { Rewrite } from './rewrite.ts'

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
 * const call = inMemory(pipe(routes({ remove }), withFilter(overriding)))
 * const headers = { 'X-HTTP-Method-Override': 'DELETE' }
 *
 * assert.equal((await call(new Request('http://localhost/notes/7', { method: 'POST', headers }))).status, 204)
 * ```
 */
export const preMatching = (
  run: (context: Surroundings) => FilterReturns<void | undefined | Rewrite, Undeclared>,
): PlainFilter => typed({ _tag: 'PreMatchingFilter', ...everywhere, run, responses: [] })
