/**
 * Parts of a multipart form: files and structured values. They are descriptions; a form that has one can only arrive as
 * `multipart/form-data`.
 */
import type { AnyRepresentation, Representation } from './representation.ts'
import type { ParameterCodec } from '../codec/codec.ts'
import type { Endpoint } from './endpoint.ts'
import { makeEndpoint, addParameters } from './endpoint.ts'
import type { Add } from './internal/declaration-errors.ts'
import type { Headers } from '../http/headers.ts'
import { makeRepresentation } from './representation.ts'

export interface AnyFormPart {
  readonly _tag: 'FormPart'
  readonly kind: 'upload' | 'uploads' | 'allUploads' | 'part'
  /** How a structured part is read. */
  readonly representation: AnyRepresentation | undefined
  /** Whether it may be missing. */
  readonly isOptional: boolean
  /** The type of the value; there is no such member at run time. */
  readonly _A: unknown
  /** The same, as a client gives it. */
  readonly _O: unknown
}

/** A part read as an `A`. */
export interface FormPart<A> extends AnyFormPart {
  readonly _A: A
  readonly _O: A
}

// `_A` and `_O` are for the compiler alone, so the value need not have them
const formPart = <A>(
  kind: AnyFormPart['kind'],
  representation?: AnyRepresentation,
  isOptional = false,
): FormPart<A> =>
  Object.freeze({ _tag: 'FormPart', kind, representation, isOptional }) as FormPart<A>

/**
 * The file of the part of this name; of several, the first. Without one, or with one that has neither name nor content as
 * browsers send it when none was chosen, the request is refused with 400. One larger than `fw.http.limits.max-multipart-file-size`
 * is refused with 413.
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

/** The files of all parts of this name; none when there is no such part. */
export const uploads: FormPart<ReadonlyArray<FileUpload>> = formPart('uploads')

/** The files of all parts, whatever their names. */
export const allUploads: FormPart<ReadonlyArray<FileUpload>> = formPart('allUploads')

/**
 * A structured part, read as its representation says, whatever media type the part itself states. Its octets count against
 * `fw.http.limits.max-form-attribute-size`. One that cannot be read is refused with 400, as an `UnreadablePart` for mappers.
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

/** A part that may be missing, and is `undefined` then: `optionalPart(upload)`. */
export const optionalPart = <A>({ kind, representation }: FormPart<A>): FormPart<A | undefined> =>
  formPart(kind, representation, true)

/** Whether what a form declares is a part and no parameter. */
export const isFormPart = (declared: unknown): declared is AnyFormPart =>
  typeof declared === 'object' &&
  declared !== null &&
  '_tag' in declared &&
  declared._tag === 'FormPart'

/** Fields of a form. A file or structured part makes it multipart. */
export interface FormCodecs {
  readonly [name: string]: ParameterCodec | AnyFormPart
}

/** An endpoint that can be given a form. */
export interface Formable {
  readonly path: object
  readonly body?: 'the request has a body, so it cannot have a form too'
  readonly formless?: 'a form needs a method other than GET and HEAD'
}

/**
 * Fields of a form, `application/x-www-form-urlencoded` or `multipart/form-data`; one with a file or a structured part (`upload`,
 * `part` and their like) is multipart only. Adds up when said again. Missing or refused fields are refused with 400, another
 * media type with 415, and a name or value larger than `fw.http.limits.max-form-attribute-size` octets with 413.
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
 * const call = inMemory(routes({ order }))
 * const send = (body: URLSearchParams) =>
 *   call(new Request('http://localhost/orders', { method: 'POST', body }))
 *
 * assert.equal(await (await send(new URLSearchParams('isbn=0-13&copies=2'))).text(), '2 of 0-13')
 * assert.equal((await send(new URLSearchParams('isbn=0-13'))).status, 400)
 * ```
 */
export const form =
  <F extends FormCodecs>(codecs: F) =>
  <S extends Formable>({ definition }: Endpoint<S>): Endpoint<Add<S, 'form', F>> =>
    makeEndpoint(addParameters(definition, 'form', Object.entries(codecs)))

/** A file that a client sent, as long as the request runs. */
export interface FileUpload {
  /** The name of the part. */
  readonly name: string
  /** The name that the client gave to the file, without any directory; empty when it gave none. It is to be shown, and no path. */
  readonly fileName: string
  /**
   * Where the content lies: a file of its own that only this process may read. It is deleted at the end of the request, unless
   * `fw.http.body.delete-uploaded-files-on-end` is `false`; what is to be kept longer has to be moved before.
   */
  readonly path: string
  /** Octets. */
  readonly size: number
  /** As the part states it; `application/octet-stream` when it states none. Nobody has looked at the content. */
  readonly contentType: string
  /** The charset of `contentType`, in lower case; `undefined` when it has none. */
  readonly charset: string | undefined
  /** The fields of the part: `[name, value, name, value, …]`. */
  readonly headers: Headers
}

/** Every field of a URL-encoded form, in order of appearance. */
export type FormMap = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * `application/x-www-form-urlencoded` as a map from names to values, for forms whose fields are not known beforehand.
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
