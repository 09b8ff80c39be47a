/** Whether responses are compressed, where they are not left to their media type. */
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'

/**
 * Compresses the responses of an operation, resource or tree whatever their media type is, once `fw.http.enable-compression`
 * is on; the nearest of `compressed` and `uncompressed` wins. Without either, those are compressed whose media type is one of
 * `fw.http.compress-media-types`. `Accept-Encoding` chooses among `fw.http.compressors`.
 *
 * `Vary: Accept-Encoding` is added, and the tag of a compressed response is weak. Streams are compressed piece by piece, and
 * no piece waits for the next. What has no `Content-Type`, has a `Content-Encoding` or a digest, is a range or says
 * `no-transform` is sent as it is, and so is what has fewer octets than `fw.http.compression-threshold`.
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
 * const call = inMemory(routes({ words }), { 'fw.http.enable-compression': true })
 * const headers = { 'Accept-Encoding': 'gzip' }
 * const response = await call(new Request('http://localhost/words', { headers }))
 *
 * assert.equal(response.headers.get('Content-Encoding'), 'gzip')
 * assert.equal(response.headers.get('Vary'), 'Accept-Encoding')
 * const content = gunzipSync(await response.arrayBuffer())
 * assert.equal(String(content), '["again","and","again"]')
 * ```
 */
export const compressed: AttributeStep = setAttributes({ compression: 'compressed' })

/**
 * Sends responses as they are. It is for contents that hold a secret beside something that the client chooses, where the
 * length of what is compressed tells of the secret (BREACH), and for tags that guard against lost updates (`If-Match`).
 */
export const uncompressed: AttributeStep = setAttributes({ compression: 'uncompressed' })
