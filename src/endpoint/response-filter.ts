/** Filters on replies. */
import type { ResponseContext } from './context.ts'
import type { PlainFilter } from './filter.ts'
import { defaultOrder, makeFilter } from './filter.ts'
import type { AnyReply } from './reply.ts'

type Replied = AnyReply | void | undefined

/**
 * A filter on replies. It sees each reply once, whatever it comes from: a handler, a filter, a mapper, a refusal of the
 * engine such as 404 or 405. It returns the reply to send, or nothing to leave it as it is. Its third argument is the error
 * that the reply tells of; `undefined` only when there was none.
 *
 * A reply with another entity is written as its status was declared; where nothing was declared, text as text, octets as
 * octets, and everything else as JSON.
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
