/**
 * Parts of a multipart form: files and structured values. They are descriptions; a form that has one can only arrive as
 * `multipart/form-data`.
 */
import type { FileUpload } from './file-upload.ts'
import type { AnyRepresentation, Representation } from './representation.ts'

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
