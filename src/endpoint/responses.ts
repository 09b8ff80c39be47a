/** What an operation answers. Everything that a handler returns has to be declared here. */
import * as CacheControl from '../http/cache-control.ts'
import type { Endpoint, Keep, DeclaredResponse } from './endpoint.ts'
import { makeEndpoint, updateDefinition } from './endpoint.ts'
import type { Add, Override } from './internal/declaration-errors.ts'
import type { Nothing, Representable } from './representation.ts'
import { toRepresentation } from './representation.ts'

type Content<M extends ReadonlyArray<Representable>> = M extends readonly [] ? Nothing : M[number]

/**
 * The content of a successful response: alternatives, of which `Accept` selects one; when none is acceptable, 406. The
 * handler may return the bare value. An operation overrides what its resource says; `produces()` takes it away.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, json, path, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const answer = pipe(
 *   path('/answer'),
 *   get(),
 *   produces(json(int), int),
 *   handle(() => 42),
 * )
 * const call = inMemory(routes({ answer }))
 * const ask = (accept: string) =>
 *   call(new Request('http://localhost/answer', { headers: { Accept: accept } }))
 *
 * assert.equal((await ask('application/json')).headers.get('Content-Type'), 'application/json')
 * assert.equal((await ask('text/plain')).headers.get('Content-Type'), 'text/plain;charset=UTF-8')
 * assert.equal((await ask('image/png')).status, 406)
 * ```
 */
export const produces =
  <M extends ReadonlyArray<Representable>>(...alternatives: M) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Override<S, 'produces', Content<M>>> =>
    makeEndpoint({ ...definition, produces: alternatives.map(toRepresentation) })

const makeResponse =
  (failure: boolean) =>
  (status: number, alternatives: ReadonlyArray<Representable>): DeclaredResponse =>
    Object.freeze({
      status,
      failure,
      representations: Object.freeze(alternatives.map(toRepresentation)),
    })

const success = makeResponse(false)
const failure = makeResponse(true)

/**
 * A further answer, which the handler returns as a reply: `responds(201, json(Book))`, `responds(204)`. A bare value is
 * still sent as what `produces` says.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { created, handle, path, produces, put, responds, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const save = pipe(
 *   path('/notes/{id}'),
 *   put(),
 *   produces(text),
 *   responds(201),
 *   handle(({ path: { id } }) => (id === '1' ? 'replaced' : created(`/notes/${id}`))),
 * )
 * const call = inMemory(routes({ save }))
 * const status = async (url: string) => (await call(new Request(url, { method: 'PUT' }))).status
 *
 * assert.equal(await status('http://localhost/notes/1'), 200)
 * assert.equal(await status('http://localhost/notes/2'), 201)
 * ```
 */
export const responds =
  <St extends number, M extends ReadonlyArray<Representable>>(status: St, ...alternatives: M) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'responds', Record<St, Content<M>>>> =>
    makeEndpoint({
      ...definition,
      responses: [...definition.responses, success(status, alternatives)],
    })

/**
 * A failure: the handler returns it as a reply, or its content as a `Left`. Of several failures, a `Left` means the
 * first whose content it fits. Clients know a failure by its type.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { fails, get, handle, int, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const getTitle = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(text),
 *   fails(404, int),
 *   handle(({ path: { id } }) => (id === 1 ? E.right('Emma') : E.left(id))),
 * )
 * const call = inMemory(routes({ getTitle }))
 * const missing = await call(new Request('http://localhost/books/2'))
 *
 * assert.equal((await call(new Request('http://localhost/books/1'))).status, 200)
 * assert.deepEqual([missing.status, await missing.text()], [404, '2'])
 * ```
 */
export const fails =
  <St extends number, M extends ReadonlyArray<Representable>>(status: St, ...alternatives: M) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'fails', Record<St, Content<M>>>> =>
    makeEndpoint({
      ...definition,
      responses: [...definition.responses, failure(status, alternatives)],
    })

/**
 * The status of what is produced. Unless it is said: 200, or 204 where nothing is produced.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { handle, path, post, produces, routes, status, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const enqueue = pipe(
 *   path('/jobs'),
 *   post(),
 *   status(202),
 *   produces(text),
 *   handle(() => 'queued'),
 * )
 * const call = inMemory(routes({ enqueue }))
 *
 * assert.equal((await call(new Request('http://localhost/jobs', { method: 'POST' }))).status, 202)
 * ```
 */
export const status =
  <St extends number>(code: St) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Override<S, 'status', St>> =>
    makeEndpoint({ ...definition, status: code })

/**
 * A header field of every response that the handler returns, failures among them. Not added when it throws or returns
 * an `HttpError`, or when the request is refused before it.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, responseHeader, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const twice = pipe(
 *   path('/twice/{n}', { n: int }),
 *   get(),
 *   produces(int),
 *   responseHeader('X-Robots-Tag', 'noindex'),
 *   handle(({ path: { n } }) => 2 * n),
 * )
 * const call = inMemory(routes({ twice }))
 * const tagOf = async (url: string) => (await call(new Request(url))).headers.get('X-Robots-Tag')
 *
 * assert.equal(await tagOf('http://localhost/twice/2'), 'noindex')
 * assert.equal(await tagOf('http://localhost/twice/two'), null)
 * ```
 */
export const responseHeader = (name: string, value: string): Keep => {
  const field = Object.freeze([name, value] as const)
  return (endpoint) =>
    updateDefinition(endpoint, ({ headers }) => ({ headers: [...headers, field] }))
}

/**
 * The `Cache-Control` of successful responses and of 304 (RFC 9111, 5.2.2), replacing what the resource says. Durations
 * are in seconds; one that is no whole number from 0 to 2^31 throws a `RangeError` here.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { cache, fails, get, handle, notFound, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const getNote = pipe(
 *   path('/notes/{id}'),
 *   get(),
 *   cache({ maxAge: 60, private: true }),
 *   produces(text),
 *   fails(404),
 *   handle(({ path: { id } }) => (id === '1' ? 'water the pears' : notFound())),
 * )
 * const call = inMemory(routes({ getNote }))
 * const cachingOf = async (url: string) =>
 *   (await call(new Request(url))).headers.get('Cache-Control')
 *
 * assert.equal(await cachingOf('http://localhost/notes/1'), 'max-age=60, private')
 * assert.equal(await cachingOf('http://localhost/notes/2'), null)
 * ```
 */
export const cache = (directives: CacheControl.CacheControl): Keep => {
  const cacheControl = CacheControl.format(directives)
  return (endpoint) => updateDefinition(endpoint, () => ({ cacheControl }))
}

/**
 * `Cache-Control: no-cache`, for the whole response or for some of its fields (RFC 9111, 5.2.2.4).
 *
 * ```text
 * noCache()                 Cache-Control: no-cache
 * noCache('Set-Cookie')     Cache-Control: no-cache="Set-Cookie"
 * noCache('no name')        throws a TypeError
 * ```
 */
export const noCache = (...fields: ReadonlyArray<string>): Keep =>
  cache({ noCache: fields.length === 0 ? true : fields })
