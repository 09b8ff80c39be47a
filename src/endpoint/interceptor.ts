/**
 * Interceptors: what happens around reading and writing. They see contents of all kinds, JSON, text, octets, forms and
 * entities, of the operations in the tree they are put around with `withInterceptor`.
 *
 * ```text
 * writer interceptors   handlers', filters' and mappers' replies with content; not the problem documents of the engine
 * reader interceptors   bodies and forms, once all octets are there and their number is within the limit
 * ```
 *
 * @see https://jakarta.ee/specifications/restful-ws/3.1/jakarta-restful-ws-spec-3.1.html section 6.3
 */
import type { Awaitable, EntityProvider } from './entity.ts'
import { defaultOrder } from './filter.ts'
import type { Reader, Reading } from './reader.ts'
import type { Writer, Writing } from './writer.ts'

/** What a reader interceptor may change before it goes on. */
export type ReadingChange = Partial<Pick<Reading, 'data' | 'mediaType'>>

/** What a writer interceptor may change before it goes on. */
export type WritingChange = Partial<Pick<Writing, 'entity' | 'mediaType'>>

/** Goes on to the next interceptor, in the end to the reader: the value, as a promise where something inside waits. */
export type ProceedReading = (change?: ReadingChange) => unknown

/** Goes on to the next interceptor, in the end to the writer: the octets, as a promise where something inside waits. */
export type ProceedWriting = (change?: WritingChange) => Uint8Array | Promise<Uint8Array>

export interface ReaderInterceptor extends EntityProvider {
  readonly _tag: 'ReaderInterceptor'
  readonly run: (reading: Reading, proceed: ProceedReading) => unknown
}

export interface WriterInterceptor extends EntityProvider {
  readonly _tag: 'WriterInterceptor'
  readonly run: (writing: Writing, proceed: ProceedWriting) => unknown
}

/** Whatever serves the entities of a tree. */
export type AnyEntityProvider = Reader | Writer | ReaderInterceptor | WriterInterceptor

/**
 * Wraps the reading of requests. It returns the value to read, usually what `proceed` gives: before, it may change the octets
 * or their media type, afterwards the value; without `proceed`, nothing further reads. A media type that another alternative
 * of the body has is read by that one. Interceptors run by ascending priority, the outer before the inner among equals.
 *
 * What it throws refuses the request with 400; an `HttpError` is answered as it is. What was wrong with the content is thrown
 * by `proceed`, as an `HttpError`. A value that it puts in the place of another one is not decoded again.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, path, post, produces, readerInterceptor, routes, text, withInterceptor } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const base64 = readerInterceptor(({ data }, proceed) =>
 *   proceed({ data: Buffer.from(new TextDecoder().decode(data), 'base64') }),
 * )
 * const echo = pipe(
 *   path('/'),
 *   post(),
 *   body(text),
 *   produces(text),
 *   handle((input) => input.body),
 * )
 * const call = inMemory(pipe(routes({ echo }), withInterceptor(base64)))
 * const sent = new Request('http://localhost/', { method: 'POST', body: 'SGVsbG8=' })
 *
 * assert.equal(await (await call(sent)).text(), 'Hello')
 * ```
 */
export const readerInterceptor = (run: ReaderInterceptor['run']): ReaderInterceptor =>
  Object.freeze({ _tag: 'ReaderInterceptor', ...defaultOrder, runtime: undefined, run })

/**
 * Wraps the writing of responses. It returns the content to send, usually what `proceed` gives: before, it may change the value
 * or the media type, and add header fields; afterwards the octets; without `proceed`, nothing further writes. A media type
 * that another alternative of the response has is written by that one. Interceptors run by ascending priority, the outer
 * before the inner among equals.
 *
 * What it throws is a defect, answered with 500, unless it is an `HttpError`. A value that it puts in the place of another one
 * is for the representation that was chosen.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { createHash } from 'node:crypto'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, withInterceptor, writerInterceptor } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const digest = writerInterceptor(async ({ addHeader }, proceed) => {
 *   const octets = await proceed()
 *   addHeader('Repr-Digest', `sha-256=:${createHash('sha256').update(octets).digest('base64')}:`)
 *   return octets
 * })
 * const hello = pipe(
 *   path('/'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const call = inMemory(pipe(routes({ hello }), withInterceptor(digest)))
 * const { headers } = await call(new Request('http://localhost/'))
 *
 * assert.equal(headers.get('Repr-Digest'), 'sha-256=:GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=:')
 * ```
 */
export const writerInterceptor = (
  run: (writing: Writing, proceed: ProceedWriting) => Awaitable<string | Uint8Array>,
): WriterInterceptor =>
  Object.freeze({ _tag: 'WriterInterceptor', ...defaultOrder, runtime: undefined, run })
