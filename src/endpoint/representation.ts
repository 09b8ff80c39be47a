/**
 * Representations: plain values that combine a media type with a format. The interpreter and the code in `body/` use
 * the format to read and write values.
 */
import { checkFunction, isObject } from '../http/platform-value.ts'
import type { AnySchema, SchemaInput, SchemaOutput } from '../codec/standard-schema/schema-types.ts'
import type { Either } from 'fp-ts/lib/Either.js'
import type {
  AnyCodec,
  Codec,
  RejectedOptions,
  RejectedRepresentation,
  ScalarCodec,
  RejectedForCodec,
  VerifiedCodec,
} from '../codec/codec.ts'
import type { JsonFraming } from '../codec/json/json-elements.ts'
import type { PlainCodec } from '../codec/sent-value.ts'
import type { Curies } from '../http/hal.ts'
import type { View } from '../codec/structure/restricted-member.ts'
import type { JsonRules } from './definition/json-rules.ts'
import type { Source } from './multi.ts'
import type { XmlFormat } from '../xml/context/xml-format.ts'
import { isStandardSchema, schemaCodec } from '../codec/standard-schema/standard-schema.ts'
import { isCodec } from '../codec/codec-structure.ts'
import { ConfigurationError } from './definition/configuration-error.ts'
import { checkOneOf, describeValue } from './definition/describe-value.ts'

/** The format of a body, which determines how a value is read and written. */
export type Format =
  | { readonly _tag: 'Json'; readonly codec: Codec }
  | { readonly _tag: 'RawJson' }
  /** A problem document. `codec` also describes its extension members. */
  | { readonly _tag: 'Problem'; readonly codec: Codec }
  /** JSON with links. `collection` is the key under which the elements of a collection appear in `_embedded`. */
  | {
      readonly _tag: 'Hal'
      readonly codec: Codec
      readonly collection: string
      readonly curies: Curies
    }
  | { readonly _tag: 'Text'; readonly codec: Codec | undefined }
  | { readonly _tag: 'Bytes' }
  | { readonly _tag: 'FormMap' }
  /** A stream of byte chunks, which is never buffered as a whole. */
  | { readonly _tag: 'ByteStream' }
  /** A request body stored in a file. */
  | { readonly _tag: 'FileBody' }
  /** A stream of JSON values, such as an array or lines. */
  | { readonly _tag: 'JsonStream'; readonly codec: Codec; readonly framing: JsonFraming }
  | { readonly _tag: 'TextStream' }
  /** Server-Sent Events. `data` is the format of the event data. */
  | { readonly _tag: 'EventStream'; readonly data: EventData }
  | XmlFormat
  | DataFormat
  /**
   * A file. If the media type is a range such as `image/*`, the actual media type is known only when the file is
   * opened.
   */
  | { readonly _tag: 'File' }
  /**
   * A multipart form in a response. It consists of the parts returned by a handler, or of the members of a record
   * with declared fields.
   */
  | { readonly _tag: 'MultipartOutput'; readonly fields: ReadonlyArray<OutputField> | undefined }
  /** A multipart form in a request. The handler receives the form after all parts have been read. */
  | { readonly _tag: 'MultipartInput' }
  /** A multipart form in a request. The handler reads the parts one by one. */
  | { readonly _tag: 'MultipartStream' }
  /**
   * An entity in any format supported by the readers and writers in scope. The representation declares a media range,
   * because the readers and writers determine the actual media types.
   */
  | { readonly _tag: 'Entity'; readonly codec: Codec }
  | {
      readonly _tag: 'Custom'
      readonly read: ((data: Uint8Array) => unknown) | undefined
      readonly write: ((value: unknown) => string | Uint8Array) | undefined
    }

export type HalFormat = Extract<Format, { readonly _tag: 'Hal' }>

/** Whether a format is HAL. */
export const isHal = <F extends Tagged>(format: F): format is Extract<F, HalFormat> =>
  format._tag === 'Hal'

/** Whether a format sends files. The media type of a file can be known only when it is opened. */
export const isFile = <F extends Tagged>(
  format: F,
): format is Extract<F, { readonly _tag: 'File' }> => format._tag === 'File'

interface Tagged {
  readonly _tag: string
}

/**
 * A data format such as CBOR. Its functions convert between bytes and plain values, and its codec converts between
 * plain values and application values.
 */
export interface DataFormat {
  readonly _tag: 'Data'
  readonly codec: Codec
  /** Whether the serialized form is text. Only textual formats can encode event data. */
  readonly isTextual: boolean
  /** Parses a body. Returns a `Left` with the reason if the body is malformed or exceeds the bounds. */
  readonly parse: (bytes: Uint8Array, bounds: DataBounds) => Either<string, unknown>
  readonly serialize: (value: unknown) => string | Uint8Array
}

/** Limits for the structure of a parsed value. */
export interface DataBounds {
  /** Maximum nesting depth of arrays and objects. */
  readonly depth: number
  /** Maximum number of members in an object. */
  readonly keys: number
}

/** The encoding of event data, which is defined either by a codec (as text or JSON) or by a representation. */
export type EventData = { readonly _tag: 'Codec'; readonly codec: Codec } | AnyRepresentation

/** A field of a multipart form in a response. */
export interface OutputField {
  readonly name: string
  readonly representation: AnyRepresentation
  /** Whether the value is a list whose elements are sent as separate parts. */
  readonly isRepeated: boolean
}

/** A representation without type parameters. */
export interface AnyRepresentation {
  readonly _tag: 'Representation'
  readonly mediaType: string
  readonly format: Format
  /** The language tag of the body. If `undefined`, the language is not declared. */
  readonly language?: string
  /** Strength of the `ETag` that is computed from the body. If `undefined`, no `ETag` is computed. */
  readonly validator?: Validator
  /** JSON customization. Default: the customization of the operation. */
  readonly json?: JsonRules
  /** The view that determines which members are written. Default: the view of the operation. */
  readonly view?: View
  /** The type of the value. This member exists only at compile time. */
  readonly _A: unknown
}

/**
 * Strength of an `ETag`: responses with equal ETags are identical byte for byte (`strong`) or semantically equivalent
 * (`weak`).
 */
export type Validator = 'strong' | 'weak'

/** A representation that encodes values of type `A` in the media type `M`. */
export interface Representation<A, M extends string = string> extends AnyRepresentation {
  readonly mediaType: M
  readonly _A: A
}

/** Creates a representation from a media type and a format. */
// `_A` exists only at compile time
export const makeRepresentation = <A, M extends string>(
  mediaType: M,
  format: Format,
): Representation<A, M> =>
  Object.freeze({
    _tag: 'Representation',
    mediaType,
    format: Object.freeze(format),
  }) as Representation<A, M>

/** Creates a representation whose values have one type when they are sent and another type when they are received. */
// `_A` and `_received` exist only at compile time
export const makeReceivable = <A, B, M extends string>(
  mediaType: M,
  format: Format,
): Receivable<A, B, M> => makeRepresentation(mediaType, format) as Receivable<A, B, M>

/**
 * Returns the codec unchanged, with a type that includes the functions of io-ts codecs. Public signatures require only
 * phantom members (members that exist only as types), which makes type checking faster.
 *
 * Throws a `ConfigurationError` if the value is not a codec, which is possible in JavaScript.
 */
export const toCodec = (codec: AnyCodec | AnySchema | RejectedForCodec | number): Codec => {
  if (isCodec(codec)) return codec
  if (isStandardSchema(codec)) return schemaCodec(codec)
  throw unexpected(isRepresentation(codec) ? 'a codec' : 'a codec or a representation', codec)
}

/** Creates a representation from a codec or a Standard Schema. Its type is determined by the caller. */
// `_A`, `_received`, `_sent` and `_codec` exist only at compile time
export const makeFromCodec = <M extends string>(mediaType: M, format: Format): AnyFromCodec<M> =>
  makeRepresentation(mediaType, format) as AnyFromCodec<M>

interface AnyFromCodec<M extends string> extends Receivable<never, never, M> {
  readonly _sent: never
  readonly _codec: never
}

/** Returns a representation unchanged. Throws a `ConfigurationError` for any other value. */
export const checkRepresentation = <R extends AnyRepresentation>(value: R): R => {
  if (isRepresentation(value)) return value
  throw unexpected('a representation', value)
}

const unexpected = (expected: string, value: unknown): ConfigurationError => {
  const description = describeValue(value)
  const remedy = `expected ${expected}, got ${description}${remedies.get(description) ?? ''}`
  return new ConfigurationError([{ code: 'FW-MEDIA-003', concerns: [], remedy }])
}

/** Remedies for values that are not codecs, by their description. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['a function', ': call it, as in json(codec)'],
  ['an array', ': declare a list with list(codec)'],
  ['an object', ': declare an object with t.type({ … })'],
  ['a representation', ': use its codec'],
])

/** A representation whose value is an `A` when it is sent and a `B` when it is received. */
export interface Receivable<A, B, M extends string> extends Representation<A, M> {
  /** The type of the received value. This member exists only at compile time. */
  readonly _received: B
}

/** A representation created from a codec, for whose values a client can omit members. */
export interface CodecRepresentation<C extends AnyCodec, M extends string> extends Representation<
  C['_A'],
  M
> {
  /** The codec. This member exists only at compile time. */
  readonly _codec: C
}

/**
 * A representation created from a Standard Schema with inputs of type `I` and outputs of type `O`. The receiver obtains outputs.
 * A handler also sends outputs, which must be valid inputs. A client sends inputs.
 */
export interface SchemaRepresentation<I, O, M extends string> extends Receivable<
  Encodable<I, O>,
  O,
  M
> {
  /** The type of the value that a client sends. This member exists only at compile time. */
  readonly _sent: I
}

/** The outputs of a schema if they are also inputs. */
export type Encodable<I, O> = [O] extends [I]
  ? O
  : Unencodable<'the output of the schema is not an input: pass an encode function, as in fromStandardSchema(schema, encode)'>

/** A type that no value has. TypeScript displays the remedy if a handler returns an output that the schema cannot encode. */
export interface Unencodable<Remedy extends string> {
  readonly [key: string]: Remedy
  readonly 'an encode function': never
}

/**
 * A function that creates a representation from a codec or a Standard Schema. TypeScript selects the last signature for other
 * arguments, so that the error message ends in a remedy.
 */
export interface FromCodec<M extends string> {
  <C extends PlainCodec>(codec: C): Representation<C['_A'], M>
  <C extends AnyCodec>(codec: C): CodecRepresentation<C, M>
  <S extends AnySchema>(schema: S): SchemaRepresentation<SchemaInput<S>, SchemaOutput<S>, M>
  (
    codec:
      | RejectedRepresentation<'use the codec without json(…)'>
      | VerifiedCodec<'use a codec, such as t.type({ … }) or list(codec), or a schema'>,
  ): Representation<never, M>
}

/** A function that creates a representation for a stream of elements from a codec or a Standard Schema. */
export interface StreamFromCodec<M extends string> {
  <C extends AnyCodec>(codec: C): Receivable<Source<C['_A']>, AsyncIterable<C['_A']>, M>
  <S extends AnySchema>(
    schema: S,
  ): Receivable<
    Source<Encodable<SchemaInput<S>, SchemaOutput<S>>>,
    AsyncIterable<SchemaOutput<S>>,
    M
  >
  (
    codec:
      | RejectedRepresentation<'use the codec without json(…)'>
      | VerifiedCodec<'use a codec, such as t.type({ … }) or list(codec), or a schema'>,
  ): Representation<never, M>
}

/** A representation of a byte stream. Any source can be sent. The received value is an `AsyncIterable`. */
export interface ByteStream<M extends string> extends Receivable<
  Source<Uint8Array>,
  AsyncIterable<Uint8Array>,
  M
> {}

/** A representation of a text stream. Any source can be sent. The received value is an `AsyncIterable`. */
export interface TextStream<M extends string> extends Receivable<
  Source<string>,
  AsyncIterable<string>,
  M
> {}

/**
 * The type that a body declaration stores for `R`. It describes received values, whose type can differ from the type of
 * sent values.
 */
export type Received<R> = R extends { readonly _received: infer A }
  ? R extends { readonly _sent: infer I }
    ? { readonly _A: A; readonly _sent: I }
    : { readonly _A: A }
  : R

/** The type of the value that is received in the representation or codec `R`. */
export type ReceivedOf<R> = R extends { readonly _received: infer B }
  ? B
  : R extends { readonly _A: infer A }
    ? A
    : R extends AnySchema
      ? SchemaOutput<R>
      : never

/**
 * Changes the media type of a representation.
 *
 * The media type parameter `qs`, a number from 0 to 1, is the weight assigned by the server to the representation in
 * content negotiation. The parameter is not sent.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { as, get, handle, int, json, path, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const answer = pipe(
 *   path('/answer'),
 *   get(),
 *   produces(
 *     as('application/json;qs=0.5')(json(int)),
 *     as('application/vnd.answer+json')(json(int)),
 *   ),
 *   handle(() => 42),
 * )
 * const response = await inMemory(routes({ answer }))('http://localhost/answer')
 *
 * assert.equal(response.headers.get('Content-Type'), 'application/vnd.answer+json')
 * ```
 */
export const as = <M extends string>(mediaType: M): Retyped<M> =>
  // the interface describes the types of the representations
  ((representation: AnyRepresentation): AnyRepresentation =>
    Object.freeze({ ...checkRepresentation(representation), mediaType })) as Retyped<M>

/** A function that changes the media type of a representation. */
export interface Retyped<M extends string> {
  (representation: ByteStream<string>): ByteStream<M>
  (representation: TextStream<string>): TextStream<M>
  <I, O>(representation: SchemaRepresentation<I, O, string>): SchemaRepresentation<I, O, M>
  <C extends AnyCodec>(representation: CodecRepresentation<C, string>): CodecRepresentation<C, M>
  <A, B>(representation: Receivable<A, B, string>): Receivable<A, B, M>
  <A>(representation: Representation<A>): Representation<A, M>
}

/**
 * Creates a representation from functions that read and write values.
 *
 * A representation without `read` cannot be used as a request body, and a representation without `write` cannot be
 * used in a response. Either use is a configuration error (`FW-MEDIA-001`). An error thrown by `read` results in a 400 response,
 * unless it is an `HttpError`. Strings are sent in UTF-8.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, representation, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const csv = representation({
 *   mediaType: 'text/csv',
 *   write: (row: ReadonlyArray<number>) => `${row.join()}\r\n`,
 * })
 * const row = pipe(
 *   path('/row'),
 *   get(),
 *   produces(csv),
 *   handle(() => [1, 2]),
 * )
 * const response = await inMemory(routes({ row }))('http://localhost/row')
 *
 * assert.equal(response.headers.get('Content-Type'), 'text/csv;charset=UTF-8')
 * assert.equal(await response.text(), '1,2\r\n')
 * ```
 */
export const representation = <A, M extends string>(options: {
  readonly mediaType: M
  readonly read?: (data: Uint8Array) => A
  readonly write?: (value: A) => string | Uint8Array
}): Representation<A, M> => {
  const { mediaType, read, write } = options
  for (const [name, run] of Object.entries({ read, write }))
    if (run !== undefined) checkFunction('representation({ mediaType, read, write })', name, run)
  return makeRepresentation(mediaType, {
    _tag: 'Custom',
    read,
    // the type of the handler guarantees that the value is an `A`
    write: write === undefined ? undefined : (value) => write(value as A),
  })
}

/** A representation, or a codec for a single value. Such a codec is treated as a `text/plain` representation. */
export type Representable = AnyRepresentation | ScalarCodec | AnySchema

/** Converts a codec to a `text/plain` representation. Returns a representation unchanged. */
export const toRepresentation = (value: Representable | AnyCodec | number): AnyRepresentation =>
  isRepresentation(value)
    ? value
    : makeRepresentation('text/plain', { _tag: 'Text', codec: toCodec(value) })

/** Whether a value is a representation. Accepts any value, because JavaScript does not check the types of arguments. */
export const isRepresentation = (value: unknown): value is AnyRepresentation =>
  // `multipartOutput` is a function
  (isObject(value) || typeof value === 'function') &&
  '_tag' in value &&
  value._tag === 'Representation'

/** The body declaration for a response without a body. */
export interface Nothing {
  readonly _tag: 'Nothing'
  readonly _A: void
}

/**
 * Adds an `ETag` header, computed from the response body, to a representation. The `ETag` is a strong or a weak
 * validator (RFC 9110, 8.8.1).
 *
 * The header is sent in 200 responses to GET, HEAD and QUERY, and the preconditions of the request are evaluated against it.
 * A matching `If-None-Match` results in a 304 response, and a failing `If-Match` in a problem document with status 412. These statuses need no declaration. An
 * `ETag` set by the handler or by `context.response.addHeader` takes precedence.
 *
 * The handler always runs, so the `ETag` saves bandwidth but not computation time. To save computation time too, use
 * {@link evaluatePreconditions}. The body is buffered to compute the digest. For streams and files, `withEtag` is a configuration
 * error (`FW-ROUTE-005`): streams have no `ETag`, and files have their own.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, json, path, produces, routes, string, withEtag } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const greeting = pipe(
 *   path('/greeting'),
 *   get(),
 *   produces(withEtag('strong')(json(string))),
 *   handle(() => 'Hello'),
 * )
 * const send = inMemory(routes({ greeting }))
 * const request = (headers: Record<string, string>) =>
 *   send('http://localhost/greeting', { headers })
 * const tag = (await request({})).headers.get('ETag') ?? ''
 *
 * assert.match(tag, /^"[^"]+"$/)
 * assert.equal((await request({ 'If-None-Match': tag })).status, 304)
 * ```
 */
export function withEtag(
  strength:
    | Validator
    | RejectedOptions<"pass 'strong' or 'weak', as in produces(withEtag('strong')(json(codec))); conditional({ etag }) sets other tags">,
): ChangeRepresentation<EtagRemedy>
export function withEtag(
  strength: Validator | RejectedOptions<string>,
): <A, M extends string>(original: Representation<A, M>) => Representation<A, M> {
  const validator = checkOneOf<Validator>('withEtag', 'strength', ['strong', 'weak'], strength)
  return (original) => Object.freeze({ ...checkRepresentation(original), validator })
}

type EtagRemedy = "apply it to a representation: produces(withEtag('strong')(json(codec)))"

/** Changes a representation. The error message for an endpoint ends in `Remedy`. */
export interface ChangeRepresentation<Remedy extends string> {
  <A, M extends string>(
    original: Representation<A, M> | RejectedEndpoint<Remedy>,
  ): Representation<A, M>
}

/** An alternative to a representation that no value has. TypeScript selects it for an endpoint. */
export interface RejectedEndpoint<Remedy extends string> {
  readonly _tag: 'Endpoint'
  readonly remedy: Remedy
}

/**
 * Declares the language of a representation as a language tag, such as `de-CH` (RFC 5646).
 *
 * If the representations of a response differ in language, the `Accept-Language` header selects one of them together
 * with `Accept`: the representation with the greatest product of both weights. A language range such as `de` matches
 * `de-CH`, and `de-CH` matches `de` if no other range does (RFC 4647). If the client accepts none of the languages,
 * the header is ignored. Representations without a language suit any client.
 *
 * The response contains `Content-Language`, unless the reply sets it, and `Vary: Accept, Accept-Language`. The handler
 * reads the selected language from `context.response.language`. Typed clients decode a response with the
 * representation declared for its media type and language. The language of a request body is ignored.
 *
 * A malformed tag is a configuration error (`FW-MEDIA-001`). To set the language of a single reply, use `language`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, inLanguage, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const greetings = new Map([['en', 'Hello'], ['de', 'Hallo']])
 * const greet = pipe(
 *   path('/greeting'),
 *   get(),
 *   produces(inLanguage('en')(text), inLanguage('de')(text)),
 *   handle((_, { response }) => greetings.get(response.language ?? 'en') ?? ''),
 * )
 * const send = inMemory(routes({ greet }))
 * const german = await send('http://localhost/greeting', { headers: { 'Accept-Language': 'de-CH, en;q=0.8' } })
 *
 * assert.deepEqual([await german.text(), german.headers.get('Content-Language')], ['Hallo', 'de'])
 * assert.equal(german.headers.get('Vary'), 'Accept, Accept-Language')
 * assert.equal(await (await send('http://localhost/greeting')).text(), 'Hello')
 * ```
 */
export const inLanguage =
  (tag: string) =>
  <R extends AnyRepresentation>(of: R): R =>
    Object.freeze({ ...checkRepresentation(of), language: tag })
