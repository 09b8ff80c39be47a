/** The error of a structured part that cannot be read. */
import type { HttpErrorOptions } from './http-error.ts'
import { BadRequest } from './http-error.ts'

/**
 * 400. A structured part of a form cannot be read by its representation. A mapper that knows the class may answer something else.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import {
 *   UnreadablePart,
 *   form,
 *   handle,
 *   int,
 *   json,
 *   mapError,
 *   part,
 *   path,
 *   post,
 *   reply,
 *   routes,
 *   withMapper,
 * } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const vote = pipe(
 *   path('/vote'),
 *   post(),
 *   form({ stars: part(json(int)) }),
 *   handle(() => {}),
 * )
 * const api = pipe(
 *   routes({ vote }),
 *   withMapper(mapError(UnreadablePart, (error) => reply(422, `${error.part} is odd`))),
 * )
 * const sent = new FormData()
 * sent.set('stars', 'many')
 * const request = new Request('http://localhost/vote', { method: 'POST', body: sent })
 * const response = await inMemory(api)(request)
 *
 * assert.equal(response.status, 422)
 * assert.equal(await response.text(), 'stars is odd')
 * ```
 */
export class UnreadablePart extends BadRequest {
  /** The name of the part; of several, the first. */
  readonly part: string

  constructor(part: string, options?: HttpErrorOptions) {
    super(`the part ${JSON.stringify(part)} cannot be read`, options)
    this.part = part
  }
}
