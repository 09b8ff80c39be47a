/**
 * Compresses request bodies. No policy is needed for responses, because `fetch` negotiates their content coding and
 * decompresses them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import { transformChunks } from '../../http/compression-stream.ts'
import * as Headers from '../../http/headers.ts'
import type { ClientBody, ClientRequest, Policy } from '../exchange.ts'
import { createPolicy } from './policy.ts'

/** Options for `compressRequests`. */
export interface CompressRequestsOptions {
  /** Content coding. A service that does not support the coding typically responds with 415. Default: `gzip`. */
  readonly encoding?: 'gzip' | 'deflate'
  /**
   * Minimum size in bytes at which a buffered body is compressed. Streamed bodies are always compressed. Default: 1024.
   */
  readonly threshold?: number
}

/**
 * Compresses request bodies of at least `threshold` bytes and sets `Content-Encoding`.
 *
 * `FormData` bodies and bodies that already have a `Content-Encoding` are sent unchanged. Place this policy outside
 * `retry`, so that each body is compressed only once. Throws a `RangeError` if `threshold` is negative.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, path, post, produces, routes, text } from 'espalier'
 * import { client, compressRequests } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const count = pipe(
 *   path('/count'),
 *   post(),
 *   body(text),
 *   produces(text),
 *   handle((input) => String(input.body.length)),
 * )
 * const api = routes({ count })
 * const server = inMemory(api, { 'fw.http.enable-decompression': true })
 * const encodings: Array<string | null> = []
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: (url, init) => {
 *     encodings.push(new Headers(init.headers).get('Content-Encoding'))
 *     return server(url, init)
 *   },
 *   policies: [compressRequests()],
 * })
 * const result = await service.count({ body: 'a'.repeat(5000) })()
 *
 * assert.ok(E.isRight(result))
 * assert.deepEqual([result.right.body, encodings], ['5000', ['gzip']])
 * ```
 */
export const compressRequests = (options: CompressRequestsOptions = {}): Policy => {
  const { encoding = 'gzip', threshold = 1024 } = checkOptions(
    'compressRequests',
    ['encoding', 'threshold'],
    options,
  )
  if (!(threshold >= 0))
    throw new RangeError(`compressRequests.threshold must be at least 0, got ${threshold}`)
  return createPolicy((next) => (request) => async () => {
    if (Headers.first(request.headers, 'content-encoding') !== undefined) return next(request)()
    const body = await compressBody(request.body, encoding, threshold)
    return next(body === undefined ? request : withCompressedBody(request, body, encoding))()
  })
}

const withCompressedBody = (
  request: ClientRequest,
  body: ClientBody,
  encoding: string,
): ClientRequest => ({
  ...request,
  headers: Headers.append(
    Headers.without(request.headers, 'Content-Length'),
    'Content-Encoding',
    encoding,
  ),
  body,
})

/** Returns the compressed body, or `undefined` if the body should be sent unchanged. */
const compressBody = async (
  body: ClientBody | undefined,
  encoding: 'gzip' | 'deflate',
  threshold: number,
): Promise<ClientBody | undefined> => {
  if (body?._tag === 'Streamed')
    return {
      _tag: 'Streamed',
      open: () => transformChunks(body.open(), new CompressionStream(encoding)),
    }
  if (body?._tag !== 'Buffered') return undefined
  const content = new Blob([body.data])
  if (content.size < Math.max(1, threshold)) return undefined
  const stream = content.stream().pipeThrough(new CompressionStream(encoding))
  return { _tag: 'Buffered', data: new Uint8Array(await new Response(stream).arrayBuffer()) }
}
