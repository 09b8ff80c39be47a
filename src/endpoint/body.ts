/** Request bodies: forms and their parts, and bodies in one or more representations. */
import type { AnySchema, SchemaOfText } from '../codec/standard-schema/schema-types.ts'
import type {
  CodecRepresentation,
  AnyRepresentation,
  Representation,
  SchemaRepresentation,
  Received,
} from './representation.ts'
import type {
  AlternativesOrStatuses,
  SingleAlternative,
  Wrapped,
} from './internal/declared-replies.ts'
import type {
  AnyCodec,
  CodecOfText,
  ParameterCodec,
  RecordOnly,
  VerifiedCodec,
} from '../codec/codec.ts'
import type { SentValue } from '../codec/sent-value.ts'
import type { UnhandledEndpoint } from './endpoint.ts'
import { addParameters, declareOnce, makeEndpoint } from './endpoint.ts'
import type { Added, Form, Remove } from './internal/declaration-errors.ts'
import { ConfigurationError } from './definition/configuration-error.ts'
import { describeValue } from './definition/describe-value.ts'
import { checkRecord, combinator } from './internal/combinator.ts'
import type { Headers } from '../http/headers.ts'
import type { Textual } from './parameters.ts'
import { checkRepresentation, makeRepresentation, toRepresentation } from './representation.ts'
import { isTagged } from '../http/platform-value.ts'

/**
 * Form fields by name. A text field is declared with a codec. Other fields are declared with a part, such as
 * `upload`. A form that contains a file or a structured part is always sent as `multipart/form-data`.
 */
export interface FormCodecs {
  readonly [name: string]:
    | ParameterCodec
    | AnyFormPart
    | AnySchema
    | UnwrappedPart<'wrap the representation in part(…), as in part(json(codec)), or use upload for a file'>
    | VerifiedCodec<'use a codec of a single value, a list, or part(json(codec))'>
}

/**
 * An alternative to a form field that no value has. TypeScript selects it for a representation, so that the error message
 * ends in `Remedy`.
 */
export interface UnwrappedPart<Remedy extends string> {
  readonly _tag: 'Representation'
  readonly _A: unknown
  readonly mediaType: unknown
  readonly format: unknown
  readonly part: Remedy
}

/**
 * The declarations of an endpoint to which `form` can be applied. Such an endpoint must not declare a body, and its
 * method must not be GET or HEAD.
 */
export interface Formable {
  readonly path: object
  readonly body?: 'a form and a body are declared: keep one'
  readonly formless?: 'a form requires a method other than GET or HEAD'
}

/** A combinator that declares form fields. */
export type FormStep<F> = <S extends Formable>(
  endpoint: UnhandledEndpoint<S>,
) => UnhandledEndpoint<S & Added<S, 'form', keyof F, Form<F>>>

/** The type of {@link form}. The second signature inspects the inputs of schemas, as in `DeclareParameters`. */
export interface DeclareForm {
  <F extends TextFields>(codecs: F): FormStep<F>
  <F extends RecordOnly<'pass a record of codecs: form({ title: string })'> & FormCodecs>(
    codecs: F & Textual<F>,
  ): FormStep<F>
}

/** Form fields that accept text, and parts. */
export interface TextFields {
  readonly [name: string]: CodecOfText | SchemaOfText | AnyFormPart
}

/**
 * Declares form fields, which clients send as `application/x-www-form-urlencoded` or `multipart/form-data`. `form`
 * can be applied to the same endpoint multiple times.
 *
 * A form that contains a file or a structured part (`upload`, `uploads`, `allUploads`, `part`) must be sent as
 * `multipart/form-data`.
 *
 * | status | cause |
 * |---|---|
 * | 400 | fields are missing or invalid; the response contains one validation error per field |
 * | 413 | a name or value is larger than `fw.http.limits.max-form-attribute-size` |
 * | 415 | the request body is not a form, or its media type does not support the declared parts |
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
export const form: DeclareForm = combinator(
  'form',
  'Endpoint',
  <F extends FormCodecs>(codecs: F): FormStep<F> => {
    checkRecord('form', codecs, 'pass a record of codecs: form({ title: string })')
    return ({ definition }) =>
      makeEndpoint(addParameters(definition, 'form', Object.entries(codecs)))
  },
)

/** The declaration of a part in a multipart form, without type parameters. */
export interface AnyFormPart {
  readonly _tag: 'FormPart'
  readonly kind: 'upload' | 'uploads' | 'allUploads' | 'allFields' | 'part'
  /** The representation of a structured part, or `undefined` for files. */
  readonly representation: AnyRepresentation | undefined
  readonly isOptional: boolean
  /** The type of the decoded value. This member exists only at compile time. */
  readonly _A: unknown
  /** The type of the value that a client sends. This member exists only at compile time. */
  readonly _O: unknown
}

/** The declaration of a form part with a decoded value of type `A`. */
export interface FormPart<A> extends AnyFormPart {
  readonly _A: A
  readonly _O: A
}

/** The declaration of a structured part for which a client sends an `I`. The server decodes an `O`. */
export interface SchemaPart<I, O> extends AnyFormPart {
  readonly _A: O
  readonly _O: I
  readonly _sent: I
}

// `_A` and `_O` exist only at compile time
const formPart = <A>(
  kind: AnyFormPart['kind'],
  representation?: AnyRepresentation,
  isOptional = false,
): FormPart<A> =>
  Object.freeze({ _tag: 'FormPart', kind, representation, isOptional }) as FormPart<A>

/**
 * Declares a required file part. If multiple parts have this name, the first one is used.
 *
 * | status | cause |
 * |---|---|
 * | 400 | the part is missing, or has neither a file name nor a body (browsers send such a part if no file is selected) |
 * | 413 | the file is larger than `fw.http.limits.max-multipart-file-size` or the limit set with `limits` |
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

/** Declares a list of all files uploaded under the name of the field. The list is empty if no part has this name. */
export const uploads: FormPart<ReadonlyArray<FileUpload>> = formPart('uploads')

/** Declares a list of all uploaded files, regardless of their part names. */
export const allUploads: FormPart<ReadonlyArray<FileUpload>> = formPart('allUploads')

/** The declaration of a map of all text fields. A client sends further fields with it, and can omit it. */
export interface AllFields extends AnyFormPart {
  readonly _A: FormMap
  readonly _O: FormMap | undefined
}

/**
 * Declares a map of all text fields of the form, regardless of their names, in addition to fields that are declared individually.
 *
 * The map contains declared and undeclared text fields. It contains neither files nor structured parts. The form can be URL-encoded
 * or multipart. In a typed client, the map is optional and contains fields that are sent in addition to the declared ones.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { allFields, form, handle, path, post, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const submit = pipe(
 *   path('/surveys'),
 *   post(),
 *   form({ title: string, answers: allFields }),
 *   produces(text),
 *   handle(({ form: { title, answers } }) => `${title}: ${[...answers.keys()].join(', ')}`),
 * )
 * const body = new URLSearchParams('title=Pets&cats=2&dogs=0')
 * const request = new Request('http://localhost/surveys', { method: 'POST', body })
 *
 * assert.equal(await (await inMemory(routes({ submit }))(request)).text(), 'Pets: title, cats, dogs')
 * ```
 */
// `_A` and `_O` exist only at compile time
export const allFields: AllFields = formPart<FormMap>('allFields')

/**
 * Declares a structured part, such as JSON. The representation determines how the part is decoded. The `Content-Type`
 * header of the part is ignored.
 *
 * A part that cannot be decoded results in a 400 response. Mappers receive the error as an `UnreadablePart`. A part larger than
 * `fw.http.limits.max-form-attribute-size` results in a 413 response.
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
export function part<I, O>(representation: SchemaRepresentation<I, O, string>): SchemaPart<I, O>
export function part<C extends AnyCodec>(
  representation: CodecRepresentation<C, string>,
): SchemaPart<SentValue<C>, C['_A']>
export function part<A>(representation: Representation<A>): FormPart<A>
export function part(representation: AnyRepresentation): AnyFormPart {
  return formPart('part', checkRepresentation(representation))
}

/** Makes a part optional. For example, `optionalPart(upload)` is read as `undefined` if the part is missing. */
export function optionalPart<I, O>(part: SchemaPart<I, O>): SchemaPart<I | undefined, O | undefined>
export function optionalPart<A>(part: FormPart<A>): FormPart<A | undefined>
export function optionalPart(declared: AnyFormPart): AnyFormPart {
  if (!isFormPart(declared)) throw notAPart(declared)
  const { kind, representation } = declared
  return formPart(kind, representation, true)
}

const notAPart = (value: unknown): ConfigurationError =>
  new ConfigurationError([
    {
      code: 'FW-MEDIA-003',
      concerns: [],
      remedy: `expected a form part, got ${describeValue(value)}: use optional(codec) for a field with a codec, and part(…) for a representation`,
    },
  ])

/** Whether a declared form field requires `multipart/form-data`, as files and structured parts do. */
export const requiresMultipart = (declared: unknown): boolean =>
  isFormPart(declared) && declared.kind !== 'allFields'

/** Whether a declared form field is a part rather than a parameter codec. */
export const isFormPart = (declared: unknown): declared is AnyFormPart =>
  isTagged(declared, 'FormPart')

/** An uploaded file. The file is kept until the request ends. */
export interface FileUpload {
  /** Name of the part. */
  readonly name: string
  /**
   * File name sent by the client, without directories. Empty if the client did not send a file name. Use this value
   * for display only, never as a path.
   */
  readonly fileName: string
  /**
   * Absolute path of the file. Only the operating system user that runs this process can read the file.
   *
   * The file is deleted when the request ends, unless `fw.http.body.delete-uploaded-files-on-end` is `false`. Move
   * the file to keep it. Reading the property throws a `TypeError` if the file is in memory, as in a handler of
   * `espalier/fetch`.
   */
  readonly path: string
  /** Size in bytes. */
  readonly size: number
  /**
   * Value of the `Content-Type` header of the part. Default: `application/octet-stream`. The value is not checked
   * against the file content.
   */
  readonly contentType: string
  /** Value of the `charset` parameter of `contentType`, in lower case, or `undefined` if the parameter is missing. */
  readonly charset: string | undefined
  /** Headers of the part, as alternating names and values. */
  readonly headers: Headers
  /** Reads the whole file into memory. */
  readonly read: () => Promise<Uint8Array>
}

/** Form values by field name. Both the names and the values are in order of appearance. */
export type FormMap = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * Representation of `application/x-www-form-urlencoded` as a map from field names to values. Use it for forms whose
 * fields are not known in advance.
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

/**
 * Constrains the declarations of an endpoint to which a body can be added. It must not have a form, and no body at the same level. The
 * method must not be GET or HEAD.
 */
export type Bodiless =
  | (ReplaceableBody & {
      readonly form?: 'a body and a form are declared: keep one'
      readonly formless?: 'a body requires a method other than GET or HEAD: use post()'
    })
  | (WithoutBody & { readonly form?: 'a body and a form are declared: keep one' })

/** Constrains a resource that has no body. */
export interface WithoutBody {
  readonly path: object
  readonly method?: undefined
  readonly body?: 'the body is declared twice: keep one'
}

/** Constrains an operation that has no body, except for that of its resource. */
export interface ReplaceableBody {
  readonly path: object
  readonly method: string
  readonly body?: SharedBody<'the body is declared twice: keep one'>
  readonly bodyRemoved?: 'the body is declared twice: keep one'
}

/** Distinguishes the body of a resource from that of an operation. The error message for the latter ends in `Remedy`. */
export interface SharedBody<Remedy extends string> {
  readonly _isShared: Remedy
}

/** The declaration of a body. */
export interface Body<B> {
  readonly body: B
}

/** Sets the body in the declarations `S`, or replaces that of the resource. */
export type WithBody<S, B> = ('body' extends keyof S ? Remove<S, 'body'> : S) &
  ('method' extends keyof S ? Body<B> : Body<B & SharedBody<never>>)

/** Removes the body from the declarations `S`. */
export type WithoutOwnBody<S> = Remove<S, 'body'> & { readonly bodyRemoved: true }

/** A combinator that declares a body. */
export type BodyStep<B> = <S extends Bodiless>(
  endpoint: UnhandledEndpoint<S>,
) => UnhandledEndpoint<WithBody<S, B>>

/** The type of {@link body}. */
export interface DeclareBody {
  (): <S extends WithoutBody | ReplaceableBody>(
    endpoint: UnhandledEndpoint<S>,
  ) => UnhandledEndpoint<WithoutOwnBody<S>>
  <R extends SingleAlternative>(representation: R): BodyStep<Received<R>>
  <M extends AlternativesOrStatuses>(
    ...alternatives: M & Wrapped<M, 'a request body has no status: remove it'>
  ): BodyStep<Received<M[number]>>
}

/**
 * Declares the request body, in one or more representations.
 *
 * The `Content-Type` header selects the representation. If the header is missing, the first representation is used. A
 * codec for a single value, as in `body(int)`, declares a `text/plain` body. A declaration on an operation replaces the
 * declaration on the resource. `body()` without arguments declares an operation without a body. A body on GET, HEAD or TRACE is a
 * configuration error (`FW-ROUTE-005`), because it has no meaning there (RFC 9110, 9.3.1).
 *
 * | status | cause |
 * |---|---|
 * | 400 | the body is malformed, or the codec rejects the value |
 * | 413 | the body is larger than `fw.http.limits.max-parsed-body-size` or the limit set with `limits` |
 * | 415 | no declared representation has the media type of the request |
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, int, json, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const double = pipe(
 *   path('/double'),
 *   post(),
 *   body(int, json(int)),
 *   produces(int),
 *   handle(({ body: number }) => 2 * number),
 * )
 * const request = inMemory(routes({ double }))
 * const send = (type: string, content: string) => {
 *   const sent = new Blob([content], { type })
 *   return request('http://localhost/double', { method: 'POST', body: sent })
 * }
 *
 * assert.equal(await (await send('application/json', '21')).text(), '42')
 * assert.equal((await send('application/json', '"21"')).status, 400)
 * assert.equal((await send('text/csv', '21')).status, 415)
 * ```
 */
export const body: DeclareBody = combinator(
  'body',
  'Endpoint',
  (...alternatives: AlternativesOrStatuses) =>
    <S>({ definition }: UnhandledEndpoint<S>): UnhandledEndpoint<never> =>
      makeEndpoint({
        ...declareOnce(definition, 'the body'),
        bodies: alternatives.map(toRepresentation),
      }),
)
