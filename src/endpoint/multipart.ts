/**
 * Multipart forms in requests and responses. A request body with undeclared parts is read either as a whole or part by
 * part.
 */
import { makeRepresentation, makeReceivable, toRepresentation } from './representation.ts'
import type {
  Representation,
  AnyRepresentation,
  OutputField,
  Receivable,
  ReceivedOf,
} from './representation.ts'
import type { ParameterCodec } from '../codec/codec.ts'
import type { AnySchema } from '../codec/standard-schema/schema-types.ts'
import * as Headers from '../http/headers.ts'
import type { AnyFormPart } from './body.ts'
import type { ValueOf } from './definition/slot-types.ts'

/** A multipart form whose parts have all been received. */
export interface MultipartFormDataInput {
  /** Parts by name, in order of appearance. */
  readonly values: ReadonlyMap<string, ReadonlyArray<FormValue>>
}

/** A part of a received form: text or a file. */
export interface FormValue {
  /** Whether the part is a file. A part is a file if it has a file name, or if its media type is not text. */
  readonly isFileItem: boolean
  /** The uploaded file. Throws a `TypeError` if the part is not a file. */
  readonly fileItem: FileItem
  /** The text of the part. Throws a `TypeError` if the part is a file. */
  readonly value: string
  /** Charset declared by the part, in lower case, or `undefined` if the part does not declare a charset. */
  readonly charset: string | undefined
  /** File name sent by the client, without directories, or `undefined` if the client did not send a file name. */
  readonly fileName: string | undefined
  /** Headers of the part, as alternating names and values. */
  readonly headers: Headers.Headers
}

/** An uploaded file in memory or on disk. The file is kept until the request ends. */
export interface FileItem {
  /**
   * Whether the file is in memory. A file is stored on disk only if it has a file name and is larger than
   * `fw.http.body.multipart.file-size-threshold`.
   */
  readonly isInMemory: boolean
  /** Absolute path of the file. Throws a `TypeError` if the file is in memory. */
  readonly path: string
  /** Size in bytes. */
  readonly size: number
  /** Reads the whole file. */
  readonly read: () => Promise<Uint8Array>
  /**
   * Moves the file to another path, so that it is kept after the request. An existing file at that path is replaced.
   * Afterwards, the file cannot be read through this object.
   */
  readonly write: (path: string) => Promise<void>
  /** Deletes the file immediately, before the request ends. */
  readonly delete: () => Promise<void>
}

/** A form part that is read while the form is still arriving. */
export interface StreamedPart {
  readonly name: string
  /** File name sent by the client, without directories, or `undefined` if the client did not send a file name. */
  readonly fileName: string | undefined
  /** Value of the `Content-Type` header of the part, or `undefined` if the header is missing. */
  readonly contentType: string | undefined
  readonly charset: string | undefined
  /** Headers of the part, as alternating names and values. */
  readonly headers: Headers.Headers
  /** Content of the part. Unread bytes are discarded when the next part is requested. */
  readonly content: AsyncIterable<Uint8Array>
}

/**
 * Representation of `multipart/form-data` that contains all parts at once. Use it for forms whose fields are not
 * known in advance. Files are stored in `fw.http.body.uploads-directory` until the request ends.
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
 * Representation of `multipart/form-data` as a stream of parts. Parts are not stored.
 *
 * If the body exceeds a limit or is truncated, iterating over the stream throws an `HttpError`.
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

/** A part of a form in a response. */
export interface FormDataPart {
  readonly _tag: 'FormDataPart'
  readonly name: string
  readonly entity: unknown
  readonly representation: AnyRepresentation
  readonly fileName: string | undefined
  readonly headers: Headers.Headers
}

/** Options for {@link formDataPart}. */
export interface FormDataPartOptions {
  /** File name. Directories are removed. For a `file`, the default is the last segment of its path. */
  readonly fileName?: string
  /** Additional headers. A `Content-Type` header replaces the media type of the representation. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Creates a form part from a name, a value, and the representation or parameter codec that encodes the value.
 *
 * With a list codec, each element becomes a separate part. Throws a `TypeError` for an invalid header.
 */
export const formDataPart = <R extends ParameterCodec | AnyRepresentation | AnySchema>(
  name: string,
  entity: ValueOf<R>,
  representation: R,
  { fileName, headers = {} }: FormDataPartOptions = {},
): FormDataPart =>
  Object.freeze({
    _tag: 'FormDataPart',
    name,
    entity,
    representation: toRepresentation(representation),
    fileName,
    headers: Object.entries(headers).reduce(
      (fields, [field, value]) => Headers.append(fields, field, value),
      Headers.empty,
    ),
  })

/** The declaration of a repeated part, without type parameters. */
interface AnyRepeatedPart {
  readonly _tag: 'RepeatedPart'
  readonly representation: AnyRepresentation
}

/** The declaration of a repeated part: each element of a list becomes one part. */
export interface RepeatedPart<A, B = A> extends AnyRepeatedPart {
  /** The type of the value. This member exists only at compile time. */
  readonly _A: ReadonlyArray<A>
  /** The type of the value that a client receives. This member exists only at compile time. */
  readonly _received: ReadonlyArray<B>
}

/**
 * Declares a list whose elements are sent as separate parts with the same name. For example: `repeated(file)`. For
 * lists of single values, use a list codec such as `list(int)` instead.
 */
export const repeated = <R extends AnyRepresentation>(
  representation: R,
): RepeatedPart<R['_A'], ReceivedOf<R>> =>
  // `_A` and `_received` exist only at compile time
  Object.freeze({
    _tag: 'RepeatedPart',
    representation,
  } as const) as AnyRepeatedPart as RepeatedPart<R['_A'], ReceivedOf<R>>

/**
 * The fields of a form in a response, by name. A field can be a parameter codec, a representation, `part(…)` or
 * `repeated(…)`.
 */
export interface OutputFields {
  readonly [name: string]:
    | ParameterCodec
    | AnyRepresentation
    | AnyFormPart
    | RepeatedPart<unknown>
    | AnySchema
}

/**
 * The value that a handler returns for a form with declared fields. Members that are `null` or `undefined` are omitted
 * from the form.
 */
export type OutputRecord<F> = {
  readonly [K in keyof F]: ValueOf<F[K]> | null | undefined
}

/**
 * The value that a client receives for a form with declared fields. A missing part is `undefined`, and a list without
 * parts is empty.
 */
export type ReceivedRecord<F> = [{ readonly [K in keyof F]: ReceivedOf<F[K]> | undefined }][0]

/** The representation of a form with declared fields. */
export type MultipartRecord<F> = Receivable<
  OutputRecord<F>,
  ReceivedRecord<F>,
  'multipart/form-data'
>

/**
 * The type of `multipartOutput`, which is both a representation of a list of parts and a function that creates
 * representations of records.
 */
export interface MultipartOutput extends Receivable<
  ReadonlyArray<FormDataPart>,
  AsyncIterable<StreamedPart>,
  'multipart/form-data'
> {
  <F extends OutputFields>(fields: F): MultipartRecord<F>
}

const fieldOf = ([name, field]: readonly [string, OutputFields[string]]): OutputField => {
  const tag = '_tag' in field ? field._tag : undefined
  if (tag === 'RepeatedPart' || tag === 'FormPart') {
    const { representation } = field as RepeatedPart<unknown> | AnyFormPart
    if (representation === undefined)
      throw new TypeError(
        `form field "${name}" is declared as an upload or as a map of all fields, which can only be received: to send a file, declare the field as a file`,
      )
    return { name, representation, isRepeated: tag === 'RepeatedPart' }
  }
  // the field is a representation, a codec or a schema
  const rest = field as AnyRepresentation | ParameterCodec | AnySchema
  return { name, representation: toRepresentation(rest), isRepeated: false }
}

/**
 * Representation of `multipart/form-data` in a response. Used directly, it sends the list of parts returned by a
 * handler. Called with fields, it creates a representation that sends the members of a record.
 *
 * Parts are sent in the order of the list or of the declared fields. A single value becomes a `text/plain` part, and
 * a list becomes one part per element. A `file` is streamed, and its part contains the file name. All files are
 * opened before the response starts, so that a missing file results in a 404 response.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import {
 *   bytes, formDataPart, get, handle, int, json, list, multipartOutput, path, produces, routes, string,
 * } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Meta = t.type({ pages: int })
 * const book = pipe(
 *   path('/book'),
 *   get(),
 *   produces(multipartOutput({ title: string, tag: list(string), meta: json(Meta) })),
 *   handle(() => ({ title: 'Emma', tag: ['a', 'b'], meta: { pages: 474 } })),
 * )
 * const cover = pipe(
 *   path('/cover'),
 *   get(),
 *   produces(multipartOutput),
 *   handle(() => [
 *     formDataPart('title', 'Emma', string, { headers: { 'X-Language': 'en' } }),
 *     formDataPart('cover', new Uint8Array([1, 2]), bytes, { fileName: 'cover.bin' }),
 *   ]),
 * )
 * const send = inMemory(routes({ book, cover }))
 * const request = async (of: string) => (await send(`http://localhost${of}`)).formData()
 *
 * const { meta, ...others } = Object.fromEntries(await request('/book'))
 * assert.deepEqual((await request('/book')).getAll('tag'), ['a', 'b'])
 * assert.equal(others.title, 'Emma')
 * assert.deepEqual([...(await request('/cover')).keys()], ['title', 'cover'])
 * ```
 */
export const multipartOutput: MultipartOutput = Object.freeze(
  Object.assign(
    <F extends OutputFields>(fields: F): MultipartRecord<F> =>
      makeReceivable('multipart/form-data', {
        _tag: 'MultipartOutput',
        fields: Object.freeze(Object.entries(fields).map(fieldOf)),
      }),
    makeReceivable<ReadonlyArray<FormDataPart>, AsyncIterable<StreamedPart>, 'multipart/form-data'>(
      'multipart/form-data',
      { _tag: 'MultipartOutput', fields: undefined },
    ),
  ),
)
