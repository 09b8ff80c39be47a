/** Combinators that declare the responses of an operation. Handlers can return only declared responses. */
import type { RejectedOptions } from '../codec/codec.ts'
import * as CacheControl from '../http/cache-control.ts'
import type { UnhandledEndpoint, Keep, DeclaredResponse, Step } from './endpoint.ts'
import {
  addParameters,
  declareOnce,
  emptyDefinition,
  makeEndpoint,
  updateDefinition,
} from './endpoint.ts'
import type { SetIn, StatusIs } from './internal/declaration-errors.ts'
import type {
  AlternativesOrStatuses,
  DeclareFailure,
  DeclareProduced,
  DeclareSuccess,
} from './internal/declared-replies.ts'
import { checkOptions, checkRecord, combinator } from './internal/combinator.ts'
import type { Sends } from './internal/response-headers.ts'
import type { ParameterCodecs } from './parameters.ts'
import { toRepresentation } from './representation.ts'
import type { ConstantStep } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'

/**
 * Declares the body of the success response, in one or more representations.
 *
 * The `Accept` header selects the representation. If no representation is acceptable, the response is 406. A codec for
 * a single value declares a `text/plain` body. The handler can return a plain value instead of a reply. Every representation must
 * accept this value: for another form of it, such as HTML of an object, add a `representation` with a `write` function. A declaration
 * on an operation overrides the declaration on the resource. A second declaration at the same level is a configuration error
 * (`FW-ROUTE-005`). `produces()` without arguments declares a response without
 * a body.
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
 * const send = inMemory(routes({ answer }))
 * const request = (accept: string) =>
 *   send('http://localhost/answer', { headers: { Accept: accept } })
 *
 * assert.equal((await request('application/json')).headers.get('Content-Type'), 'application/json')
 * assert.equal((await request('text/plain')).headers.get('Content-Type'), 'text/plain;charset=UTF-8')
 * assert.equal((await request('image/png')).status, 406)
 * ```
 */
export const produces: DeclareProduced = combinator(
  'produces',
  'Endpoint',
  (...alternatives: AlternativesOrStatuses) =>
    <S>({ definition }: UnhandledEndpoint<S>): UnhandledEndpoint<never> =>
      makeEndpoint({
        ...declareOnce(definition, 'produces'),
        produces: alternatives.map(toRepresentation),
      }),
)

const declareResponse = (name: string, failure: boolean) =>
  combinator(
    name,
    'Endpoint',
    (status: number, ...alternatives: AlternativesOrStatuses) =>
      <S>({ definition }: UnhandledEndpoint<S>): UnhandledEndpoint<never> => {
        const representations = Object.freeze(alternatives.map(toRepresentation))
        const response: DeclaredResponse = Object.freeze({ status, failure, representations })
        return makeEndpoint({ ...definition, responses: [...definition.responses, response] })
      },
  )

/**
 * Declares a success response, such as `responds(201, json(Book))` or `responds(204)`.
 *
 * The only success response of an operation is its default response if the status is 2xx: the handler returns a plain
 * value, or nothing if the response has no body. With `produces`, `status` or multiple `responds`, the handler must
 * return a reply to send this response. A plain value then results in the response declared by `produces`, and is a
 * compile error without `produces`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { created, handle, path, post, produces, put, responds, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const add = pipe(
 *   path('/notes'),
 *   post(),
 *   responds(201, text),
 *   handle(() => 'added'),
 * )
 * const save = pipe(
 *   path('/notes/{id}'),
 *   put(),
 *   produces(text),
 *   responds(201),
 *   handle(({ path: { id } }) => (id === '1' ? 'replaced' : created(`/notes/${id}`))),
 * )
 * const send = inMemory(routes({ add, save }))
 * const status = async (method: string, url: string) => (await send(url, { method })).status
 *
 * assert.equal(await status('POST', 'http://localhost/notes'), 201)
 * assert.equal(await status('PUT', 'http://localhost/notes/1'), 200)
 * assert.equal(await status('PUT', 'http://localhost/notes/2'), 201)
 * ```
 */
export const responds: DeclareSuccess = declareResponse('responds', false)

/**
 * Declares a failure response. To send it, the handler returns a reply with this status, or a `Left` that contains
 * the body.
 *
 * If multiple failures are declared, the value in a `Left` is sent as the first failure whose codec accepts it. Typed
 * clients receive failures as typed values.
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
 * const send = inMemory(routes({ getTitle }))
 * const missing = await send('http://localhost/books/2')
 *
 * assert.equal((await send('http://localhost/books/1')).status, 200)
 * assert.deepEqual([missing.status, await missing.text()], [404, '2'])
 * ```
 */
export const fails: DeclareFailure = declareResponse('fails', true)

/**
 * Sets the status of the success response. Default: 200, or 204 if the response has no body.
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
 * const send = inMemory(routes({ enqueue }))
 *
 * assert.equal((await send('http://localhost/jobs', { method: 'POST' })).status, 202)
 * ```
 */
export const status = combinator(
  'status',
  'Endpoint',
  <St extends number>(code: St): SetIn<'status', StatusIs<St>> =>
    ({ definition }) =>
      makeEndpoint({ ...declareOnce(definition, 'status'), status: code }),
)

/**
 * Adds a header to all responses returned by the handler, including failures.
 *
 * The header is not added if the handler throws an error or returns an `HttpError`, or if the request is rejected
 * before the handler runs.
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
 * const send = inMemory(routes({ twice }))
 * const tagOf = async (url: string) => (await send(url)).headers.get('X-Robots-Tag')
 *
 * assert.equal(await tagOf('http://localhost/twice/2'), 'noindex')
 * assert.equal(await tagOf('http://localhost/twice/two'), null)
 * ```
 */
export const responseHeader: (name: string, value: string) => Keep = combinator(
  'responseHeader',
  'Endpoint',
  (name: string, value: string): Keep => {
    const header = Object.freeze([name, value] as const)
    return (endpoint) =>
      updateDefinition(endpoint, ({ headers }) => ({ headers: [...headers, header] }))
  },
)

/** The type of {@link responseHeaders}. */
export interface DeclareResponseHeaders {
  <P extends ParameterCodecs>(codecs: P): Step<Sends<{ readonly success: P }>>
  <St extends number, P extends ParameterCodecs>(
    status: St,
    codecs: P,
  ): Step<Sends<{ readonly [K in St]: P }>>
}

/**
 * Declares headers of all successful responses or, after a status, of the responses with this status. The handler must set them in its
 * reply (`withHeaders`), unless their codecs accept `undefined`. Typed clients receive their decoded values as `header`. OpenAPI
 * documents describe them. Names in camel case are converted: `xTotalCount` is `X-Total-Count`. A list needs `separated`.
 *
 * A reply without a declared header, or with an invalid value, results in an internal error. Errors that a handler throws, and responses of
 * filters, need no declared headers.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, json, list, ok, path, produces, responseHeaders, routes, withHeaders } from 'espalier'
 * import { promiseClient } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const listIds = pipe(
 *   path('/ids'),
 *   get(),
 *   produces(json(list(int))),
 *   responseHeaders({ xTotalCount: int }),
 *   handle(() => pipe(ok([1, 2]), withHeaders({ xTotalCount: 70 }))),
 * )
 * const api = routes({ listIds })
 * const service = promiseClient(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
 * const { header, body } = await service.listIds()
 *
 * assert.equal(header.xTotalCount, 70)
 * assert.deepEqual(body, [1, 2])
 * ```
 */
export const responseHeaders: DeclareResponseHeaders = combinator(
  'responseHeaders',
  'Endpoint',
  (...args: readonly [ParameterCodecs] | readonly [number, ParameterCodecs]) => {
    const [code, codecs] = args.length === 1 ? [undefined, args[0]] : args
    checkRecord(
      'responseHeaders',
      codecs,
      'pass a record of codecs: responseHeaders({ xTotalCount: int })',
    )
    const { parameters } = addParameters(emptyDefinition, 'header', Object.entries(codecs))
    const declared = Object.freeze({ status: code, codecs: parameters.header })
    return <S>({ definition }: UnhandledEndpoint<S>): UnhandledEndpoint<never> =>
      makeEndpoint({
        ...definition,
        responseHeaders: [...definition.responseHeaders, declared],
      })
  },
)

/**
 * Sets the `Cache-Control` header in success responses and in 304 responses (RFC 9111, 5.2.2). A declaration on an
 * operation overrides the declaration on the resource.
 *
 * Durations are in seconds. Throws a `RangeError` for a duration that is not an integer from 0 to 2^31.
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
 * const send = inMemory(routes({ getNote }))
 * const cachingOf = async (url: string) =>
 *   (await send(url)).headers.get('Cache-Control')
 *
 * assert.equal(await cachingOf('http://localhost/notes/1'), 'max-age=60, private')
 * assert.equal(await cachingOf('http://localhost/notes/2'), null)
 * ```
 */
export const cache: (
  directives: CacheControl.CacheControl | RejectedOptions<'pass directives: cache({ maxAge: 60 })'>,
) => Keep = combinator(
  'cache',
  'Endpoint',
  (directives: CacheControl.CacheControl | RejectedOptions<string>): Keep => {
    const cacheControl = CacheControl.format(
      checkOptions<CacheControl.CacheControl>(
        'cache',
        [
          'maxAge',
          'sMaxAge',
          'public',
          'private',
          'noStore',
          'noTransform',
          'mustRevalidate',
          'proxyRevalidate',
          'noCache',
          'immutable',
          'staleWhileRevalidate',
          'staleIfError',
        ],
        directives,
      ),
    )
    return (endpoint) =>
      updateDefinition(endpoint, (definition) => ({
        ...declareOnce(definition, 'cache', 'merge the directives into one cache({ … })'),
        cacheControl,
      }))
  },
)

/**
 * Sets `Cache-Control: no-cache` for the whole response, or only for certain response headers (RFC 9111, 5.2.2.4).
 *
 * ```text
 * noCache()                 Cache-Control: no-cache
 * noCache('Set-Cookie')     Cache-Control: no-cache="Set-Cookie"
 * noCache('no name')        throws a TypeError
 * ```
 */
export const noCache: (...fields: ReadonlyArray<string>) => Keep = combinator(
  'noCache',
  'Endpoint',
  (...fields: ReadonlyArray<string>): Keep =>
    cache({ noCache: fields.length === 0 ? true : fields }),
)

/**
 * Compresses the responses of an operation, a resource or a tree, regardless of the media type.
 *
 * Compression must be enabled with the setting `fw.http.enable-compression`. The `Accept-Encoding` header selects one
 * of the compressors in `fw.http.compressors`. The innermost `compressed` or `uncompressed` applies. If neither is
 * applied, responses are compressed if `fw.http.compress-media-types` lists the media type.
 *
 * Compressed responses have the `Vary: Accept-Encoding` header, and their `ETag` is weak. Streams are compressed
 * chunk by chunk, without delay. The following responses are never compressed:
 *
 * - responses without a `Content-Type` header
 * - responses with a `Content-Encoding` header, a digest, or the `no-transform` directive in `Cache-Control`
 * - partial responses (206)
 * - responses with a body smaller than `fw.http.compression-threshold`
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { gunzipSync } from 'node:zlib'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { compressed, get, handle, json, list, path, produces, routes, string } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const words = pipe(
 *   path('/words'),
 *   get(),
 *   produces(json(list(string))),
 *   compressed,
 *   handle(() => ['again', 'and', 'again']),
 * )
 * const send = inMemory(routes({ words }), { 'fw.http.enable-compression': true })
 * const headers = { 'Accept-Encoding': 'gzip' }
 * const response = await send('http://localhost/words', { headers })
 *
 * assert.equal(response.headers.get('Content-Encoding'), 'gzip')
 * assert.equal(response.headers.get('Vary'), 'Accept-Encoding')
 * const content = gunzipSync(await response.arrayBuffer())
 * assert.equal(String(content), '["again","and","again"]')
 * ```
 */
export const compressed: ConstantStep<'compressed'> = setAttributes({ compression: 'compressed' })

/**
 * Sends the responses of an operation, a resource or a tree uncompressed.
 *
 * Use this combinator for responses whose bodies contain both a secret and client input, because the compressed length
 * can reveal the secret (BREACH attack). Also use it if clients send ETags in `If-Match` to prevent lost updates,
 * because `If-Match` never matches the weak ETag of a compressed response.
 */
export const uncompressed: ConstantStep<'uncompressed'> = setAttributes({
  compression: 'uncompressed',
})
