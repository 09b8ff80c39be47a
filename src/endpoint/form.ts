/** Forms: URL-encoded or multipart, with fields, files and structured parts. */
import type { AnyRepresentation, Representation } from './representation.ts'
import type { ParameterCodec } from '../codec/codec.ts'
import type { Endpoint } from './endpoint.ts'
import { makeEndpoint, addParameters } from './endpoint.ts'
import type { Add } from './internal/declaration-errors.ts'
import type { Headers } from '../http/headers.ts'
import { makeRepresentation } from './representation.ts'

/** Form members by name: codecs and parts. A form with a part is always multipart. */
export interface FormCodecs {
  readonly [name: string]: ParameterCodec | AnyFormPart
}

/** An endpoint that can have a form: without a body, and with a method other than GET and HEAD. */
export interface Formable {
  readonly path: object
  readonly body?: 'a form and a body are declared: keep one'
  readonly formless?: 'a form requires a method other than GET and HEAD'
}

/**
 * Declares form fields, sent as `application/x-www-form-urlencoded` or `multipart/form-data`. May be used
 * several times.
 *
 * A form with a file or a structured part (`upload`, `uploads`, `allUploads`, `part`) must be sent as
 * `multipart/form-data`.
 *
 * | status | cause |
 * |---|---|
 * | 400 | missing or invalid fields, with one validation error each |
 * | 413 | a name or value has more bytes than `fw.http.limits.max-form-attribute-size` |
 * | 415 | another media type |
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { form, handle, int, path, post, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const order = pipe(
 *   path('/orders'),
 *   post(),
 *   form({ isbn: string, copies: int }),
 *   produces(text),
 *   handle(({ form: { isbn, copies } }) => `${copies} of ${isbn}`),
 * )
 * const request = inMemory(routes({ order }))
 * const send = (body: URLSearchParams) =>
 *   request('http://localhost/orders', { method: 'POST', body })
 *
 * assert.equal(await (await send(new URLSearchParams('isbn=0-13&copies=2'))).text(), '2 of 0-13')
 * assert.equal((await send(new URLSearchParams('isbn=0-13'))).status, 400)
 * ```
 */
export const form =
  <F extends FormCodecs>(codecs: F) =>
  <S extends Formable>({ definition }: Endpoint<S>): Endpoint<Add<S, 'form', F>> =>
    makeEndpoint(addParameters(definition, 'form', Object.entries(codecs)))

/** A part of a multipart form, without its type. */
export interface AnyFormPart {
  readonly _tag: 'FormPart'
  readonly kind: 'upload' | 'uploads' | 'allUploads' | 'part'
  /** The representation of a structured part. */
  readonly representation: AnyRepresentation | undefined
  readonly isOptional: boolean
  /** The type of the decoded value. Exists only at compile time. */
  readonly _A: unknown
  /** The type of the value that a client sends. Exists only at compile time. */
  readonly _O: unknown
}

/** A part that decodes to an `A`. */
export interface FormPart<A> extends AnyFormPart {
  readonly _A: A
  readonly _O: A
}

// `_A` and `_O` exist only at compile time
const formPart = <A>(
  kind: AnyFormPart['kind'],
  representation?: AnyRepresentation,
  isOptional = false,
): FormPart<A> =>
  Object.freeze({ _tag: 'FormPart', kind, representation, isOptional }) as FormPart<A>

/**
 * A required file part. If several parts have this name, the first one is used.
 *
 * | status | cause |
 * |---|---|
 * | 400 | the part is missing, or has neither a file name nor a body, as browsers send it when no file is selected |
 * | 413 | the file has more bytes than `fw.http.limits.max-multipart-file-size`, or than `limits` allows |
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFile } from 'node:fs/promises'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { form, handle, path, post, produces, routes, string, text, upload } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const setCover = pipe(
 *   path('/cover'),
 *   post(),
 *   form({ title: string, cover: upload }),
 *   produces(text),
 *   handle(async ({ form: { title, cover } }) => {
 *     const content = await readFile(cover.path, 'utf8')
 *     return `${title}: ${cover.fileName}, ${content}`
 *   }),
 * )
 * const sent = new FormData()
 * sent.set('title', 'Emma')
 * sent.set('cover', new Blob(['<svg/>'], { type: 'image/svg+xml' }), 'emma.svg')
 * const request = new Request('http://localhost/cover', { method: 'POST', body: sent })
 * const response = await inMemory(routes({ setCover }))(request)
 *
 * assert.equal(await response.text(), 'Emma: emma.svg, <svg/>')
 * ```
 */
export const upload: FormPart<FileUpload> = formPart('upload')

/** The files of all parts with this name. Empty if there is no such part. */
export const uploads: FormPart<ReadonlyArray<FileUpload>> = formPart('uploads')

/** The files of all parts, whatever their names. */
export const allUploads: FormPart<ReadonlyArray<FileUpload>> = formPart('allUploads')

/**
 * A structured part. Its representation decides how it is read; the `Content-Type` of the part is ignored.
 *
 * An unreadable part results in 400, which mappers receive as an `UnreadablePart`. A part with more bytes than
 * `fw.http.limits.max-form-attribute-size` results in 413.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { form, handle, json, part, path, post, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const add = pipe(
 *   path('/books'),
 *   post(),
 *   form({ book: part(json(t.type({ title: t.string }))) }),
 *   produces(text),
 *   handle(({ form: { book } }) => book.title),
 * )
 * const sent = new FormData()
 * sent.set('book', '{"title":"Emma"}')
 * const request = new Request('http://localhost/books', { method: 'POST', body: sent })
 *
 * assert.equal(await (await inMemory(routes({ add }))(request)).text(), 'Emma')
 * ```
 */
export const part = <A>(representation: Representation<A>): FormPart<A> =>
  formPart('part', representation)

/** Makes a part optional: `optionalPart(upload)` is `undefined` if the part is missing. */
export const optionalPart = <A>({ kind, representation }: FormPart<A>): FormPart<A | undefined> =>
  formPart(kind, representation, true)

/** Whether a form member is a part instead of a parameter codec. */
export const isFormPart = (declared: unknown): declared is AnyFormPart =>
  typeof declared === 'object' &&
  declared !== null &&
  '_tag' in declared &&
  declared._tag === 'FormPart'

/** An uploaded file. It exists until the request ends. */
export interface FileUpload {
  /** Name of the part. */
  readonly name: string
  /**
   * File name that the client sent, without directories; empty if it sent none. For display only: never use it
   * as a path.
   */
  readonly fileName: string
  /**
   * Absolute path of the file, which only the user of this process can read.
   *
   * The file is deleted when the request ends, unless `fw.http.body.delete-uploaded-files-on-end` is `false`.
   * Move it to keep it.
   */
  readonly path: string
  /** Size in bytes. */
  readonly size: number
  /** `Content-Type` of the part. Default: `application/octet-stream`. The content is not inspected. */
  readonly contentType: string
  /** Charset of `contentType` in lower case; `undefined` without one. */
  readonly charset: string | undefined
  /** Headers of the part, as alternating names and values. */
  readonly headers: Headers
}

/** Values by field name, both in order of appearance. */
export type FormMap = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * `application/x-www-form-urlencoded` as a map from names to values, for forms with unknown fields.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, formMap, handle, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const echo = pipe(
 *   path('/'),
 *   post(),
 *   body(formMap),
 *   produces(formMap),
 *   handle((input) => input.body),
 * )
 * const fields = new URLSearchParams('b=1&a=x&b=2')
 * const sent = new Request('http://localhost/', { method: 'POST', body: fields })
 *
 * assert.equal(await (await inMemory(routes({ echo }))(sent)).text(), 'b=1&b=2&a=x')
 * ```
 */
export const formMap: Representation<FormMap, 'application/x-www-form-urlencoded'> =
  makeRepresentation('application/x-www-form-urlencoded', { _tag: 'FormMap' })
