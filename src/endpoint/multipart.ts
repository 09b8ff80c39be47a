/** Multipart forms whose parts are not declared: all parts at once, or one by one. */
import type { Headers } from '../http/headers.ts'
import { makeRepresentation } from './representation.ts'
import type { Representation } from './representation.ts'

/** All parts of a multipart form. */
export interface MultipartFormDataInput {
  /** Parts by name, in order of appearance. */
  readonly values: ReadonlyMap<string, ReadonlyArray<FormValue>>
}

/** A part of a form: text or a file. */
export interface FormValue {
  /** Whether the part is a file: it has a file name, or a media type other than text. */
  readonly isFileItem: boolean
  /** The file. Throws a `TypeError` if the part is not a file. */
  readonly fileItem: FileItem
  /** The text. Throws a `TypeError` if the part is a file. */
  readonly value: string
  /** Declared charset in lower case; `undefined` without one. */
  readonly charset: string | undefined
  /** File name that the client sent, without directories; `undefined` if it sent none. */
  readonly fileName: string | undefined
  /** Headers of the part, as alternating names and values. */
  readonly headers: Headers
}

/** An uploaded file, in memory or on disk. It exists until the request ends. */
export interface FileItem {
  /**
   * Whether the file is in memory: it has no file name, or at most `fw.http.body.multipart.file-size-threshold` bytes.
   */
  readonly isInMemory: boolean
  /** Absolute path of the file. Throws a `TypeError` if it is in memory. */
  readonly path: string
  /** Size in bytes. */
  readonly size: number
  /** Reads the whole file. */
  readonly read: () => Promise<Uint8Array>
  /** Moves the file to another path, where it stays. Replaces an existing file. The item cannot be read afterwards. */
  readonly write: (path: string) => Promise<void>
  /** Deletes the file before the request ends. */
  readonly delete: () => Promise<void>
}

/** A part of a form while it arrives. */
export interface StreamedPart {
  readonly name: string
  /** File name that the client sent, without directories; `undefined` if the part is not a file. */
  readonly fileName: string | undefined
  /** `Content-Type` of the part. */
  readonly contentType: string | undefined
  readonly charset: string | undefined
  /** Headers of the part, as alternating names and values. */
  readonly headers: Headers
  /** Body of the part. Read it before the next part; unread bytes are skipped then. */
  readonly content: AsyncIterable<Uint8Array>
}

/**
 * `multipart/form-data` with all parts, for forms with unknown fields. Files are stored in
 * `fw.http.body.uploads-directory` until the request ends.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, multipartInput, path, post, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const list = pipe(
 *   path('/list'),
 *   post(),
 *   body(multipartInput),
 *   produces(text),
 *   handle(({ body: { values } }) =>
 *     [...values]
 *       .flatMap(([name, parts]) =>
 *         parts.map((part) => `${name}: ${part.isFileItem ? part.fileItem.size : part.value}`),
 *       )
 *       .join(', '),
 *   ),
 * )
 * const sent = new FormData()
 * sent.set('title', 'Emma')
 * sent.set('cover', new Blob(['<svg/>']), 'emma.svg')
 * const request = new Request('http://localhost/list', { method: 'POST', body: sent })
 *
 * assert.equal(await (await inMemory(routes({ list }))(request)).text(), 'title: Emma, cover: 6')
 * ```
 */
export const multipartInput: Representation<MultipartFormDataInput, 'multipart/form-data'> =
  makeRepresentation('multipart/form-data', { _tag: 'MultipartInput' })

/**
 * `multipart/form-data` as a stream of parts; nothing is stored.
 *
 * Exceeded limits and truncated bodies throw an `HttpError` where the stream is read.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, int, multipartStream, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const count = pipe(
 *   path('/count'),
 *   post(),
 *   body(multipartStream),
 *   produces(int),
 *   handle(async ({ body: parts }) => {
 *     let size = 0
 *     for await (const { name, content } of parts)
 *       if (name === 'log') for await (const chunk of content) size += chunk.length
 *     return size
 *   }),
 * )
 * const sent = new FormData()
 * sent.set('title', 'skipped')
 * sent.set('log', new Blob(['one\ntwo\n']), 'a.log')
 * const request = new Request('http://localhost/count', { method: 'POST', body: sent })
 *
 * assert.equal(await (await inMemory(routes({ count }))(request)).text(), '8')
 * ```
 */
export const multipartStream: Representation<
  AsyncIterable<StreamedPart>,
  'multipart/form-data'
> = makeRepresentation('multipart/form-data', { _tag: 'MultipartStream' })
