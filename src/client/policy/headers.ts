/** Header fields that a client adds to what it sends. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Policy } from '../exchange.ts'
import { refused } from './failing.ts'
import type { FieldsToSend } from './fields.ts'
import { withMissing } from './fields.ts'
import { heeding } from './abortable.ts'
import { policy } from './policy.ts'

/** Fields, or a function that makes them for each request; now or later. */
export type HeadersFactory =
  | FieldsToSend
  | ((request: ClientRequest) => FieldsToSend | Promise<FieldsToSend>)

/**
 * Adds fields to every request. A field that the request has already stays as it is: what a call says wins. Where the
 * function fails or gives what cannot be sent, nothing is sent, and the call is `Refused` with what it threw as its cause. Nothing is
 * added to a request that a redirect has led to another origin.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, headers } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => String(request.header('X-Operation'))),
 * )
 * const api = routes({ hello })
 * const named = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [headers(({ operation }) => ({ 'X-Operation': operation.name }))],
 * })
 * const answer = await named.hello()()
 *
 * assert.ok(E.isRight(answer))
 * assert.equal(answer.right.body, 'hello')
 * ```
 */
export const headers = (factory: HeadersFactory): Policy => adding('headers', factory)

/** The same, of a policy with a name of its own. */
export const adding = (name: string, factory: HeadersFactory): Policy =>
  policy((next) => (request) => async () => {
    if (request.strayed === true) return next(request)()
    let added: ClientRequest
    try {
      const fields =
        typeof factory === 'function'
          ? await heeding(request, Promise.resolve(factory(request)))
          : E.right(factory)
      if (E.isLeft(fields)) return fields
      added = { ...request, headers: pipe(request.headers, withMissing(fields.right)) }
    } catch (cause) {
      const why = `its ${name} could not be had`
      return E.left(refused(request, { policy: name, why, cause }))
    }
    return next(added)()
  })
