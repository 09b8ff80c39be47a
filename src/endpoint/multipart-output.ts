/** Multipart forms that are sent, built from a record of fields or from single parts. */
import type { ParameterCodec, ScalarCodec } from '../codec/codec.ts'
import * as Headers from '../http/headers.ts'
import type { AnyFormPart } from './form.ts'
import type { StreamedPart } from './multipart.ts'
import type { AnyRepresentation, OutputField, Receivable, ReceivedOf } from './representation.ts'
import { makeReceivable, toRepresentation } from './representation.ts'

/** A part of a form that is sent. */
export interface FormDataPart {
  readonly _tag: 'FormDataPart'
  readonly name: string
  readonly entity: unknown
  readonly representation: AnyRepresentation
  readonly fileName: string | undefined
  readonly headers: Headers.Headers
}

/** Options of {@link formDataPart}. */
export interface FormDataPartOptions {
  /** File name. Default for a `file`: the last segment of its path. Directories are removed. */
  readonly fileName?: string
  /** Further headers. A `Content-Type` replaces that of the representation. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Creates a part of a form: a name, and a value with its representation or parameter codec.
 *
 * A list codec writes one part per element. Throws a `TypeError` for an invalid header.
 */
export const formDataPart = <R extends ParameterCodec | AnyRepresentation>(
  name: string,
  entity: R['_A'],
  representation: R,
  { fileName, headers = {} }: FormDataPartOptions = {},
): FormDataPart =>
  Object.freeze({
    _tag: 'FormDataPart',
    name,
    entity,
    representation: representationOf(representation),
    fileName,
    headers: Object.entries(headers).reduce(
      (fields, [field, value]) => Headers.append(fields, field, value),
      Headers.empty,
    ),
  })

/**
 * Returns the representation of a parameter codec. List codecs encode to one text per element, so the scalar format
 * fits both.
 */
const representationOf = (value: ParameterCodec | AnyRepresentation): AnyRepresentation =>
  toRepresentation(value as AnyRepresentation | ScalarCodec)

/** One part per element of a list, without its types. */
interface AnyRepeatedPart {
  readonly _tag: 'RepeatedPart'
  readonly representation: AnyRepresentation
}

/** One part per element of a list. */
export interface RepeatedPart<A, B = A> extends AnyRepeatedPart {
  /** The type of the value. Exists only at compile time. */
  readonly _A: ReadonlyArray<A>
  /** The type of the value that a client receives. Exists only at compile time. */
  readonly _received: ReadonlyArray<B>
}

/**
 * Writes one part per element of a list, all with the same name: `repeated(file)`. Lists of single values need no
 * `repeated`: `list(int)`.
 */
export const repeated = <R extends AnyRepresentation>(
  representation: R,
): RepeatedPart<R['_A'], ReceivedOf<R>> =>
  // `_A` and `_received` exist only at compile time
  Object.freeze({
    _tag: 'RepeatedPart',
    representation,
  } as const) as AnyRepeatedPart as RepeatedPart<R['_A'], ReceivedOf<R>>

/** Fields of a form that is sent: parameter codecs, representations, `part(…)` and `repeated(…)`. */
export interface OutputFields {
  readonly [name: string]: ParameterCodec | AnyRepresentation | AnyFormPart | RepeatedPart<unknown>
}

/** The value of a form with fields. `null` and `undefined` are omitted. */
export type OutputRecord<F> = {
  readonly [K in keyof F]: (F[K] extends { readonly _A: infer A } ? A : never) | null | undefined
}

/**
 * The value of a form with fields as a client receives it. A missing part is `undefined`, a list without parts is
 * empty.
 */
export type ReceivedRecord<F> = [{ readonly [K in keyof F]: ReceivedOf<F[K]> | undefined }][0]

/** A form with fields as a representation. */
export type MultipartRecord<F> = Receivable<
  OutputRecord<F>,
  ReceivedRecord<F>,
  'multipart/form-data'
>

/** A representation of parts, and a function that creates representations of records. */
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
        `form field "${name}" is an upload, which is only received: declare it as a file to send it`,
      )
    return { name, representation, isRepeated: tag === 'RepeatedPart' }
  }
  // otherwise a representation or a codec
  const rest = field as AnyRepresentation | ParameterCodec
  return { name, representation: representationOf(rest), isRepeated: false }
}

/**
 * `multipart/form-data` in a response: the parts that a handler returns, or the members of a record of fields.
 *
 * Parts keep their order. A scalar becomes a `text/plain` part, and a list becomes one part per element. A `file` is
 * streamed, and its part has the name of the file. All files are opened before the response starts, so that a missing
 * file results in 404.
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
