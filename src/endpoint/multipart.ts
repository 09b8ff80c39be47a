/** All parts of a multipart form, for forms whose parts are not known beforehand: at once, or one after another. */
import type { Headers } from '../http/headers.ts'
import { makeRepresentation } from './representation.ts'
import type { Representation } from './representation.ts'

/** All parts of a form, by name. */
export interface MultipartFormDataInput {
  /** In the order in which names came first; parts of one name in the order in which they came. */
  readonly values: ReadonlyMap<string, ReadonlyArray<FormValue>>
}

/** A part of a form: a text or a file. */
export interface FormValue {
  /** Whether it is a file: it has a file name, or a media type that is not one of texts. */
  readonly isFileItem: boolean
  /** Throws a `TypeError` for a part that is no file. */
  readonly fileItem: FileItem
  /** The text; throws a `TypeError` for a file. */
  readonly value: string
  /** The charset that the part states, in lower case; `undefined` when it states none. */
  readonly charset: string | undefined
  /** The name that the client gave to the file, without any directory; `undefined` when it gave none. */
  readonly fileName: string | undefined
  /** The fields of the part: `[name, value, name, value, …]`. */
  readonly headers: Headers
}

/** The content of a file, wherever it is kept as long as the request runs. */
export interface FileItem {
  /**
   * Whether there is no file of the system for it: it has no file name, or no more octets than
   * `fw.http.body.multipart.file-size-threshold`.
   */
  readonly isInMemory: boolean
  /** Where it lies; throws a `TypeError` when it is in memory. */
  readonly path: string
  /** Octets. */
  readonly size: number
  /** All octets. */
  readonly read: () => Promise<Uint8Array>
  /** Puts the content under another path, where it stays; what lay there is replaced. It cannot be read here any more. */
  readonly write: (path: string) => Promise<void>
  /** Gives up the content before the end of the request. */
  readonly delete: () => Promise<void>
}

/** A part of a form as it comes. */
export interface StreamedPart {
  readonly name: string
  /** The name that the client gave to the file, without any directory; `undefined` when the part is no file. */
  readonly fileName: string | undefined
  /** As the part states it. */
  readonly contentType: string | undefined
  readonly charset: string | undefined
  /** The fields of the part: `[name, value, name, value, …]`. */
  readonly headers: Headers
  /** To be read before the next part is asked for; what is left unread then is skipped. */
  readonly content: AsyncIterable<Uint8Array>
}

/**
 * `multipart/form-data` with all its parts. Files lie in the uploads directory until the request ends.
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
 * `multipart/form-data` part after part, while it comes; nothing is kept. A limit that is exceeded, or content that breaks off,
 * shows where it is read, as an `HttpError`.
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
 *     let octets = 0
 *     for await (const { name, content } of parts)
 *       if (name === 'log') for await (const piece of content) octets += piece.length
 *     return octets
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
