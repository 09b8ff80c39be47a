/**
 * Parts of a multipart form: files and structured values. They are descriptions; a form that has one can only arrive as
 * `multipart/form-data`.
 */
import type { AnyRepresentation, Representation } from './representation.ts'

/** A file that a client sent, as long as the request runs. */
export interface FileUpload {
  /** The name of the part. */
  readonly name: string
  /** The name that the client gave to the file, without any directory. Never use it as a path. */
  readonly fileName: string
  /** Where the content lies; deleted when the response was sent. */
  readonly path: string
  /** Octets. */
  readonly size: number
  readonly contentType: string
}

export interface AnyFormPart {
  readonly _tag: 'FormPart'
  readonly kind: 'upload' | 'uploads' | 'allUploads' | 'part'
  /** How a structured part is read. */
  readonly representation: AnyRepresentation | undefined
  /** The type of the value; there is no such member at run time. */
  readonly _A: unknown
}

/** A part read as an `A`. */
export interface FormPart<A> extends AnyFormPart {
  readonly _A: A
}

// `_A` is for the compiler alone, so the value need not have it
const formPart = <A>(kind: AnyFormPart['kind'], representation?: AnyRepresentation): FormPart<A> =>
  Object.freeze({ _tag: 'FormPart', kind, representation }) as FormPart<A>

/**
 * The file of this part. This version reads no multipart forms: a tree that has such a part, or one of those below, is
 * refused when it is compiled.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { form, handle, path, post, routes, upload } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const setCover = pipe(
 *   path('/cover'),
 *   post(),
 *   form({ cover: upload }),
 *   handle(() => {}),
 * )
 *
 * assert.throws(() => inMemory(routes({ setCover })), /"cover" needs multipart/)
 * ```
 */
export const upload: FormPart<FileUpload> = formPart('upload')

/** The files of all parts of this name. */
export const uploads: FormPart<ReadonlyArray<FileUpload>> = formPart('uploads')

/** The files of all parts, whatever their names. */
export const allUploads: FormPart<ReadonlyArray<FileUpload>> = formPart('allUploads')

/** A structured part: `part(json(Meta))`. */
export const part = <A>(representation: Representation<A>): FormPart<A> =>
  formPart('part', representation)
