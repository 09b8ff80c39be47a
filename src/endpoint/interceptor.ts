/**
 * Interceptors, which wrap the functions that read and write the bodies of operations. Interceptors run for bodies in
 * all formats.
 *
 * A server reads request bodies and writes response bodies. A client writes request bodies and reads response bodies.
 * Use `onlyOn` to restrict an interceptor to one side.
 *
 * ```text
 * writer interceptors   bodies of replies from handlers, filters and mappers, but not of the framework's problem documents
 * reader interceptors   bodies and forms that are complete and within their size limit
 * ```
 *
 * @see https://jakarta.ee/specifications/restful-ws/3.1/jakarta-restful-ws-spec-3.1.html section 6.3
 */
import { checkFunction } from '../http/platform-value.ts'
import type { Awaitable, EntityProvider } from './entity.ts'
import { defaultOrder } from './filter.ts'
import type { Reader, Reading } from './reader.ts'
import type { Writer, Writing } from './writer.ts'

/** Changes that a reader interceptor passes to the next interceptor or to the reader. */
export type ReadingChange = Partial<Pick<Reading, 'data' | 'mediaType'>>

/** Changes that a writer interceptor passes to the next interceptor or to the writer. */
export type WritingChange = Partial<Pick<Writing, 'entity' | 'mediaType'>>

/**
 * A function that runs the remaining interceptors and then the reader. It returns the value, or a promise if an
 * interceptor or the reader is asynchronous.
 */
export type ProceedReading = (change?: ReadingChange) => unknown

/**
 * A function that runs the remaining interceptors and then the writer. It returns the bytes, or a promise if an
 * interceptor or the writer is asynchronous.
 */
export type ProceedWriting = (change?: WritingChange) => Uint8Array | Promise<Uint8Array>

/** An interceptor that runs when a body is read. */
export interface ReaderInterceptor extends EntityProvider {
  readonly _tag: 'ReaderInterceptor'
  readonly run: (reading: Reading, proceed: ProceedReading) => unknown
}

/** An interceptor that runs when a body is written. */
export interface WriterInterceptor extends EntityProvider {
  readonly _tag: 'WriterInterceptor'
  readonly run: (writing: Writing, proceed: ProceedWriting) => unknown
}

/** A reader, a writer or an interceptor. */
export type AnyEntityProvider = Reader | Writer | ReaderInterceptor | WriterInterceptor

/**
 * Creates an interceptor that wraps the reading of bodies: request bodies on a server, and response bodies on a client.
 * Apply the interceptor to a tree with `withInterceptor`.
 *
 * `run` returns the value, typically the result of `proceed`. It can change the bytes or the media type before it calls
 * `proceed`, and the value afterwards. If `run` does not call `proceed`, neither the remaining interceptors nor the
 * reader runs. If `run` changes the media type to that of another declared representation, that representation reads
 * the body. Interceptors run in ascending order of priority. Among interceptors with equal priority, outer interceptors
 * run first.
 *
 * On a server, an error thrown by `run` results in a 400 response, unless it is an `HttpError`. `proceed` throws an `HttpError` if
 * the body is invalid. A value that replaces the result of `proceed` is not validated.
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
export const readerInterceptor = (run: ReaderInterceptor['run']): ReaderInterceptor => {
  checkFunction('readerInterceptor(run)', 'run', run)
  return Object.freeze({ _tag: 'ReaderInterceptor', ...defaultOrder, runtime: undefined, run })
}

/**
 * Creates an interceptor that wraps the writing of bodies: response bodies on a server, and request bodies on a client.
 * Apply the interceptor to a tree with `withInterceptor`.
 *
 * `run` returns the body, typically the result of `proceed`. Before it calls `proceed`, it can change the value or the
 * media type and add headers. Afterwards, it can change the bytes. If `run` does not call `proceed`, neither the
 * remaining interceptors nor the writer runs. If `run` changes the media type to that of another declared
 * representation, that representation writes the body. Interceptors run in ascending order of priority. Among
 * interceptors with equal priority, outer interceptors run first.
 *
 * On a server, an error thrown by `run` results in a 500 response, unless it is an `HttpError`. A value that replaces the entity
 * must have the type that the selected representation requires.
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
): WriterInterceptor => {
  checkFunction('writerInterceptor(run)', 'run', run)
  return Object.freeze({ _tag: 'WriterInterceptor', ...defaultOrder, runtime: undefined, run })
}
