/** Operations that are answered whatever else is refused. */
import type { Mark } from './internal/set-attributes.ts'
import { mark } from './internal/set-attributes.ts'

/**
 * Answers an operation, or all of a resource or tree, also while the server refuses requests because it has more to do than it
 * can (`fw.http.overload.enabled`): for what a supervisor asks, and for what is cheap. The endpoints of `health` are vital.
 *
 * ```ts
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, vital } from 'espalier'
 * import { serve } from 'espalier/node'
 *
 * const metrics = pipe(
 *   path('/metrics'),
 *   get(),
 *   produces(text),
 *   handle(() => 'requests 7'),
 *   vital,
 * )
 * const server = await serve(routes({ metrics }), {
 *   'fw.http.port': 0,
 *   'fw.shutdown.grace': 0,
 *   'fw.http.overload.enabled': true,
 * })
 * await server.close()
 * ```
 */
export const vital: Mark = mark({ vital: true })
