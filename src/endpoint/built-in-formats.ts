/** Built-in representations for bytes, text and JSON, both as complete values and as streams. */
import type { AnySchema } from '../codec/standard-schema/schema-types.ts'
import type {
  FromCodec,
  StreamFromCodec,
  Representation,
  ByteStream,
  TextStream,
} from './representation.ts'
import { jsonArray, jsonLines } from '../codec/json/json-elements.ts'
import { makeFromCodec, makeRepresentation, makeReceivable, toCodec } from './representation.ts'
import type { AnyCodec, RejectedForCodec } from '../codec/codec.ts'

/** Representation of `application/octet-stream` as a byte array in memory. `as('image/*')(bytes)` accepts only images. */
export const bytes: Representation<Uint8Array, 'application/octet-stream'> = makeRepresentation(
  'application/octet-stream',
  {
    _tag: 'Bytes',
  },
)

/**
 * Representation of `application/octet-stream` as a stream of chunks.
 *
 * A handler can read the request body while it is arriving. If the body is larger than
 * `fw.http.limits.max-body-size`, iterating over the stream throws an `HttpError` with status 413.
 *
 * A response can use any {@link Source}, and is sent with back-pressure. The response has chunked transfer coding
 * unless the reply sets `Content-Length`. If the stream does not have exactly `Content-Length` bytes, the connection
 * is destroyed.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, byteStream, handle, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * async function* doubled(chunks: AsyncIterable<Uint8Array>) {
 *   for await (const chunk of chunks) yield chunk.map((byte) => 2 * byte)
 * }
 * const double = pipe(
 *   path('/double'),
 *   post(),
 *   body(byteStream),
 *   produces(byteStream),
 *   handle((input) => doubled(input.body)),
 * )
 * const sent = new Request('http://localhost/double', {
 *   method: 'POST',
 *   body: new Uint8Array([1, 2, 3]),
 * })
 * const response = await inMemory(routes({ double }))(sent)
 *
 * assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array([2, 4, 6]))
 * ```
 */
export const byteStream: ByteStream<'application/octet-stream'> = makeReceivable(
  'application/octet-stream',
  { _tag: 'ByteStream' },
)

/**
 * Representation of `text/plain` as a string. Responses are encoded in UTF-8, and their `Content-Type` header specifies
 * this charset. Requests can specify a different charset. A request with an unknown charset results in a 415 response.
 *
 * To send responses in ISO-8859-1, use `as('text/plain;charset=ISO-8859-1')(text)`. US-ASCII is also supported. Any
 * other charset is a configuration error (`FW-MEDIA-001`). To use another charset, encode the text yourself and use
 * `bytes`. A character that the charset cannot represent results in a 500 response.
 */
export const text: Representation<string, 'text/plain'> = makeRepresentation('text/plain', {
  _tag: 'Text',
  codec: undefined,
})

/** Representation of `text/html` as a string. Charsets are handled as in {@link text}. */
export const html: Representation<string, 'text/html'> = makeRepresentation('text/html', {
  _tag: 'Text',
  codec: undefined,
})

/**
 * Representation of `text/plain` as a stream of chunks.
 *
 * Responses are sent in UTF-8, without separators between chunks. Request bodies are decoded as they arrive. Chunk
 * boundaries depend on the network and do not correspond to lines.
 *
 * | status | cause |
 * |---|---|
 * | 400 | the body contains bytes that are invalid in its charset; iterating over the stream throws the error |
 * | 413 | the body is larger than `fw.http.limits.max-body-size`; iterating over the stream throws the error |
 * | 415 | the charset is unknown |
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, path, post, produces, routes, textStream } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * async function* loud(chunks: AsyncIterable<string>) {
 *   for await (const chunk of chunks) yield chunk.toUpperCase()
 * }
 * const shout = pipe(
 *   path('/shout'),
 *   post(),
 *   body(textStream),
 *   produces(textStream),
 *   handle((input) => loud(input.body)),
 * )
 * const sent = new Request('http://localhost/shout', { method: 'POST', body: 'é' })
 *
 * assert.equal(await (await inMemory(routes({ shout }))(sent)).text(), 'É')
 * ```
 */
export const textStream: TextStream<'text/plain'> = makeReceivable('text/plain', {
  _tag: 'TextStream',
})

/**
 * Creates an `application/json` representation. The codec validates request bodies and encodes responses.
 *
 * Members that the codec does not declare are removed from both request bodies and responses. Malformed JSON and
 * values rejected by the codec result in a 400 response.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, handle, json, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = json(t.type({ title: t.string }))
 * const echo = pipe(
 *   path('/'),
 *   post(),
 *   body(Book),
 *   produces(Book),
 *   handle((input) => input.body),
 * )
 * const request = inMemory(routes({ echo }))
 * const send = (sent: string) =>
 *   request('http://localhost/', { method: 'POST', body: Buffer.from(sent) })
 *
 * assert.equal(await (await send('{"title":"Emma","admin":true}')).text(), '{"title":"Emma"}')
 * assert.equal((await send('{"title":1}')).status, 400)
 * ```
 */
export const json: FromCodec<'application/json'> = (
  codec: AnyCodec | AnySchema | RejectedForCodec,
) => makeFromCodec('application/json', { _tag: 'Json', codec: toCodec(codec) })

/**
 * Representation of `application/json` as a string of JSON text. The text is neither parsed nor validated.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, json, path, produces, rawJson, routes, string } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const sentAs = async (representation: typeof rawJson) => {
 *   const list = pipe(
 *     path('/'),
 *     get(),
 *     produces(representation),
 *     handle(() => '[1, 2]'),
 *   )
 *   return (await inMemory(routes({ list }))('http://localhost/')).text()
 * }
 *
 * assert.equal(await sentAs(rawJson), '[1, 2]')
 * assert.equal(await sentAs(json(string)), '"[1, 2]"')
 * ```
 */
export const rawJson: Representation<string, 'application/json'> = makeRepresentation(
  'application/json',
  {
    _tag: 'RawJson',
  },
)

/**
 * Creates an `application/json` representation that streams the elements of a source. In a request body, the handler reads the
 * elements as they arrive. An invalid element throws an `HttpError` with status 400.
 *
 * The body is a JSON array, or one value per line if the reply was created by `multi` with `encodeAsArray: false`. The
 * codec encodes each element and omits undeclared members. Typed clients read the elements as an `AsyncIterable`.
 *
 * An error before the first byte results in an error response. A later error destroys the connection, so that clients
 * cannot interpret a truncated body as a complete one.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, jsonStream, ndjson, path, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ title: t.string })
 * async function* found() {
 *   yield { title: 'Emma', shelf: 3 }
 *   yield { title: 'Persuasion', shelf: 4 }
 * }
 * const books = pipe(
 *   path('/books'),
 *   get(),
 *   produces(jsonStream(Book), ndjson(Book)),
 *   handle(() => found()),
 * )
 * const send = inMemory(routes({ books }))
 * const sentAs = async (accept: string) =>
 *   (await send('http://localhost/books', { headers: { Accept: accept } })).text()
 *
 * assert.equal(await sentAs('application/json'), '[{"title":"Emma"},{"title":"Persuasion"}]')
 * assert.equal(await sentAs('application/x-ndjson'), '{"title":"Emma"}\n{"title":"Persuasion"}\n')
 * ```
 */
export const jsonStream: StreamFromCodec<'application/json'> = (
  codec: AnyCodec | AnySchema | RejectedForCodec,
) =>
  makeFromCodec('application/json', {
    _tag: 'JsonStream',
    codec: toCodec(codec),
    framing: jsonArray,
  })

/**
 * Creates an `application/x-ndjson` representation. It works like {@link jsonStream}, but always writes one JSON
 * value per line.
 */
export const ndjson: StreamFromCodec<'application/x-ndjson'> = (
  codec: AnyCodec | AnySchema | RejectedForCodec,
) =>
  makeFromCodec('application/x-ndjson', {
    _tag: 'JsonStream',
    codec: toCodec(codec),
    framing: jsonLines,
  })
