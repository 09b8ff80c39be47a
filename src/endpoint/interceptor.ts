/**
 * Interceptors: wrap the reading of requests and the writing of responses in a tree, for bodies of all formats.
 *
 * ```text
 * writer interceptors   replies of handlers, filters and mappers with a body; not the framework's problem documents
 * reader interceptors   bodies and forms, complete and within their size limit
 * ```
 *
 * @see https://jakarta.ee/specifications/restful-ws/3.1/jakarta-restful-ws-spec-3.1.html section 6.3
 */
import type { Awaitable, EntityProvider } from './entity.ts'
import { defaultOrder } from './filter.ts'
import type { Reader, Reading } from './reader.ts'
import type { Writer, Writing } from './writer.ts'

/** Changes that a reader interceptor passes on. */
export type ReadingChange = Partial<Pick<Reading, 'data' | 'mediaType'>>

/** Changes that a writer interceptor passes on. */
export type WritingChange = Partial<Pick<Writing, 'entity' | 'mediaType'>>

/**
 * Runs the next interceptor, and finally the reader. Returns the value, as a promise if one of them is asynchronous.
 */
export type ProceedReading = (change?: ReadingChange) => unknown

/**
 * Runs the next interceptor, and finally the writer. Returns the bytes, as a promise if one of them is asynchronous.
 */
export type ProceedWriting = (change?: WritingChange) => Uint8Array | Promise<Uint8Array>

/** An interceptor of request bodies. */
export interface ReaderInterceptor extends EntityProvider {
  readonly _tag: 'ReaderInterceptor'
  readonly run: (reading: Reading, proceed: ProceedReading) => unknown
}

/** An interceptor of response bodies. */
export interface WriterInterceptor extends EntityProvider {
  readonly _tag: 'WriterInterceptor'
  readonly run: (writing: Writing, proceed: ProceedWriting) => unknown
}

/** A reader, a writer or an interceptor. */
export type AnyEntityProvider = Reader | Writer | ReaderInterceptor | WriterInterceptor

/**
 * Creates an interceptor that wraps the reading of request bodies. Apply it to a tree with `withInterceptor`.
 *
 * It returns the value, usually the result of `proceed`. It may change the bytes or the media type before it calls
 * `proceed`, and the value afterwards. If it does not call `proceed`, no further interceptor or reader runs. If it
 * changes the media type to that of another representation of the body, that one reads. Interceptors run by ascending
 * priority, outer ones first among equals.
 *
 * An error that it throws results in 400, unless it is an `HttpError`. `proceed` throws an `HttpError` for an invalid
 * body. A value that replaces the result of `proceed` is not validated.
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
 * const send = inMemory(pipe(routes({ echo }), withInterceptor(base64)))
 * const sent = new Request('http://localhost/', { method: 'POST', body: 'SGVsbG8=' })
 *
 * assert.equal(await (await send(sent)).text(), 'Hello')
 * ```
 */
export const readerInterceptor = (run: ReaderInterceptor['run']): ReaderInterceptor =>
  Object.freeze({ _tag: 'ReaderInterceptor', ...defaultOrder, runtime: undefined, run })

/**
 * Creates an interceptor that wraps the writing of response bodies. Apply it to a tree with `withInterceptor`.
 *
 * It returns the body, usually the result of `proceed`. It may change the value or the media type and add headers
 * before it calls `proceed`, and the bytes afterwards. If it does not call `proceed`, no further interceptor or writer
 * runs. If it changes the media type to that of another representation of the response, that one writes. Interceptors
 * run by ascending priority, outer ones first among equals.
 *
 * An error that it throws results in 500, unless it is an `HttpError`. A value that replaces the entity must fit the
 * selected representation.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { createHash } from 'node:crypto'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, withInterceptor, writerInterceptor } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const digest = writerInterceptor(async ({ addHeader }, proceed) => {
 *   const data = await proceed()
 *   addHeader('Repr-Digest', `sha-256=:${createHash('sha256').update(data).digest('base64')}:`)
 *   return data
 * })
 * const hello = pipe(
 *   path('/'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const send = inMemory(pipe(routes({ hello }), withInterceptor(digest)))
 * const { headers } = await send('http://localhost/')
 *
 * assert.equal(headers.get('Repr-Digest'), 'sha-256=:GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=:')
 * ```
 */
export const writerInterceptor = (
  run: (writing: Writing, proceed: ProceedWriting) => Awaitable<string | Uint8Array>,
): WriterInterceptor =>
  Object.freeze({ _tag: 'WriterInterceptor', ...defaultOrder, runtime: undefined, run })
