/** Response filters: run for each reply before it is encoded. */
import type { ResponseContext } from './context.ts'
import type { PlainFilter } from './filter.ts'
import { defaultOrder, makeFilter } from './filter.ts'
import type { AnyReply } from './reply.ts'

type Replied = AnyReply | void | undefined

/**
 * Creates a response filter, which sees every reply once: of handlers, filters and mappers, and error responses such
 * as 404 or 405.
 *
 * It returns the reply to send, or nothing to keep the present one. `failure` is the error that caused the reply;
 * `undefined` if there was none.
 *
 * A new entity is encoded as declared for its status. Without a declaration, strings are sent as text, byte arrays as
 * bytes, and other values as JSON.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, responseFilter, routes, text, withFilter, withHeader } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const send = inMemory(pipe(routes({ hello }), withFilter(responseFilter(withHeader('X-Served-By', 'a')))))
 *
 * assert.equal((await send('http://localhost/hello')).headers.get('X-Served-By'), 'a')
 * assert.equal((await send('http://localhost/nothing')).headers.get('X-Served-By'), 'a')
 * ```
 */
export const responseFilter = (
  run: (
    reply: AnyReply,
    context: ResponseContext,
    failure: unknown,
  ) => Replied | Promise<Replied> | (() => Promise<Replied>),
): PlainFilter => makeFilter({ _tag: 'ResponseFilter', ...defaultOrder, run })
