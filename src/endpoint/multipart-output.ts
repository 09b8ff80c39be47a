/** Forms that are sent: `multipart/form-data` from a record of fields, or from parts that a program puts together. */
import type { ParameterCodec, ScalarCodec } from '../codec/codec.ts'
import * as Headers from '../http/headers.ts'
import type { AnyFormPart } from './form.ts'
import type { StreamedPart } from './multipart.ts'
import type { AnyRepresentation, OutputField, Receivable, ReceivedOf } from './representation.ts'
import { makeReceivable, toRepresentation } from './representation.ts'

/** A part of a form, as it is to be sent. */
export interface FormDataPart {
  readonly _tag: 'FormDataPart'
  readonly name: string
  readonly entity: unknown
  readonly representation: AnyRepresentation
  readonly fileName: string | undefined
  readonly headers: Headers.Headers
}

/** What a part says beside its name and its content. */
export interface FormDataPartOptions {
  /** The name of its file; that of the path for a `file` unless it is said. Directories before it are left out. */
  readonly fileName?: string
  /** Further header fields. `Content-Type` takes the place of that of the representation. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A part of a form: a name, and a value by its representation, or by a codec of single values; a list of them gives a part for each. Throws a `TypeError` for a header
 * field that cannot be sent.
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

/** A codec of several values gives a text for each when it is written, so it stands where one of a single value does. */
const representationOf = (one: ParameterCodec | AnyRepresentation): AnyRepresentation =>
  toRepresentation(one as AnyRepresentation | ScalarCodec)

/** A part for each element of a list, as data. */
interface AnyRepeatedPart {
  readonly _tag: 'RepeatedPart'
  readonly representation: AnyRepresentation
}

/** A part for each element of a list. */
export interface RepeatedPart<A, B = A> extends AnyRepeatedPart {
  /** The type of the value; there is no such member at run time. */
  readonly _A: ReadonlyArray<A>
  /** The same, as a client gets it. */
  readonly _received: ReadonlyArray<B>
}

/** A part for each element of a list, all with one name: `repeated(file)`. Lists of single values need it not: `list(int)`. */
export const repeated = <R extends AnyRepresentation>(
  representation: R,
): RepeatedPart<R['_A'], ReceivedOf<R>> =>
  // `_A` and `_received` are for the compiler alone, so the value need not have them
  Object.freeze({
    _tag: 'RepeatedPart',
    representation,
  } as const) as AnyRepeatedPart as RepeatedPart<R['_A'], ReceivedOf<R>>

/** The fields of a form that is sent: codecs of single values and lists of them, representations, `part(…)`, `repeated(…)`. */
export interface OutputFields {
  readonly [name: string]: ParameterCodec | AnyRepresentation | AnyFormPart | RepeatedPart<unknown>
}

/** A record of fields; what is `null` or `undefined` is left out. */
export type OutputRecord<F> = {
  readonly [K in keyof F]: (F[K] extends { readonly _A: infer A } ? A : never) | null | undefined
}

/** The same record as a client gets it: what is not there is `undefined`, and a list without parts is empty. */
export type ReceivedRecord<F> = [{ readonly [K in keyof F]: ReceivedOf<F[K]> | undefined }][0]

/** A record of fields as a representation. */
export type MultipartRecord<F> = Receivable<
  OutputRecord<F>,
  ReceivedRecord<F>,
  'multipart/form-data'
>

/** A representation, and a function that makes others. */
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
        `"${name}" says how a file is received: to send one, declare it as a file`,
      )
    return { name, representation, isRepeated: tag === 'RepeatedPart' }
  }
  // what is left is a representation or a codec
  const rest = field as AnyRepresentation | ParameterCodec
  return { name, representation: representationOf(rest), isRepeated: false }
}

/**
 * `multipart/form-data`: the parts that a handler returns, in their order, names repeated or not; or, given a record of fields, the
 * values of these. A scalar is a part of `text/plain`, a list of them a part for each; a `file` is streamed, and its part has the name
 * of the file. All files are open before the head is sent, so that one which is missing is an answer of its own.
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
 * const call = inMemory(routes({ book, cover }))
 * const ask = async (of: string) => (await call(new Request(`http://localhost${of}`))).formData()
 *
 * const { meta, ...others } = Object.fromEntries(await ask('/book'))
 * assert.deepEqual((await ask('/book')).getAll('tag'), ['a', 'b'])
 * assert.equal(others.title, 'Emma')
 * assert.deepEqual([...(await ask('/cover')).keys()], ['title', 'cover'])
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
