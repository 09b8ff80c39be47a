/**
 * Contents of requests that are compressed. Responses need nothing here: `fetch` asks for compressed ones and undoes it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
import * as Headers from '../../http/headers.ts'
import type { ClientBody, ClientRequest, Policy } from '../exchange.ts'
import { policy } from './policy.ts'

export interface CompressRequestsOptions {
  /** `gzip` unless it is said. A service that does not know a coding answers with 415. */
  readonly encoding?: 'gzip' | 'deflate'
  /** Octets from which on a content is compressed, 1024 unless it is said; one in pieces always is. */
  readonly threshold?: number
}

/**
 * Compresses the contents of requests and says so in `Content-Encoding`. Forms with files, and contents that are coded already,
 * are sent as they are. It belongs outside of a `retry`, so that nothing is compressed twice. Throws a `RangeError` for a threshold below 0.
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
 * const codings: Array<string | null> = []
 * const small = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: (url, init) => {
 *     codings.push(new Headers(init.headers).get('Content-Encoding'))
 *     return server(url, init)
 *   },
 *   policies: [compressRequests()],
 * })
 * const answer = await small.count({ body: 'a'.repeat(5000) })()
 *
 * assert.ok(E.isRight(answer))
 * assert.deepEqual([answer.right.body, codings], ['5000', ['gzip']])
 * ```
 */
export const compressRequests = ({
  encoding = 'gzip',
  threshold = 1024,
}: CompressRequestsOptions = {}): Policy => {
  if (!(threshold >= 0)) throw new RangeError('compressRequests.threshold is 0 or more')
  return policy((next) => (request) => async () => {
    if (Headers.first(request.headers, 'content-encoding') !== undefined) return next(request)()
    const body = await compressed(request.body, encoding, threshold)
    return next(body === undefined ? request : coded(request, body, encoding))()
  })
}

const coded = (request: ClientRequest, body: ClientBody, encoding: string): ClientRequest => ({
  ...request,
  headers: Headers.append(
    Headers.without(request.headers, 'Content-Length'),
    'Content-Encoding',
    encoding,
  ),
  body,
})

/** The body in its coding; `undefined` where it stays as it is. */
const compressed = async (
  body: ClientBody | undefined,
  encoding: 'gzip' | 'deflate',
  threshold: number,
): Promise<ClientBody | undefined> => {
  if (body?._tag === 'Pieces') return { _tag: 'Pieces', open: () => through(body.open(), encoding) }
  if (body?._tag !== 'Whole') return undefined
  const content = new Blob([body.content])
  if (content.size < Math.max(1, threshold)) return undefined
  const stream = content.stream().pipeThrough(new CompressionStream(encoding))
  return { _tag: 'Whole', content: new Uint8Array(await new Response(stream).arrayBuffer()) }
}

/**
 * Pieces through a compressor. Whoever stops taking them lets the source go. A stream of a platform may count pieces where it
 * should count octets, and take thousands of them in advance: one is given at a time, while nothing has come of those before.
 */
async function* through(
  pieces: AsyncIterable<Uint8Array>,
  encoding: 'gzip' | 'deflate',
): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]()
  const compressor = new CompressionStream(encoding)
  const writer = compressor.writable.getWriter()
  const reader = compressor.readable.getReader()
  /** Whether there is more to give. */
  const give = async (): Promise<boolean> => {
    const { done, value } = await source.next()
    await (done === true ? writer.close() : writer.write(value))
    return done !== true
  }
  let taking = reader.read()
  let giving = give()
  try {
    for (;;) {
      // who stops here hears of no error
      giving.catch(() => undefined)
      const came = await Promise.race([taking, giving])
      if (came === true) giving = give()
      else if (came === false) giving = new Promise(() => undefined)
      else if (came.done) return
      else {
        yield came.value
        taking = reader.read()
      }
    }
  } finally {
    await reader.cancel()
    // it may be waiting for what never comes, and what it fails with then is of no interest
    source.return?.().catch(() => undefined)
  }
}
