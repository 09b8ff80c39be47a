/**
 * Representations: a media type together with a format. They are plain data; `body/` and the interpreter read and
 * write them.
 */
import type { Either } from 'fp-ts/lib/Either.js'
import type { AnyCodec, Codec, ScalarCodec } from '../codec/codec.ts'
import type { Curies } from '../http/hal.ts'
import type { View } from '../codec/visibility/restricted-member.ts'
import type { JsonRules } from './internal/json-rules.ts'
import type { Source } from './multi.ts'
import type { XmlFormat } from '../xml/context/xml-format.ts'

/** How a value is read and written. */
export type Format =
  | { readonly _tag: 'Json'; readonly codec: Codec }
  | { readonly _tag: 'RawJson' }
  /** JSON with links. `collection` is the name of the elements in `_embedded`. */
  | {
      readonly _tag: 'Hal'
      readonly codec: Codec
      readonly collection: string
      readonly curies: Curies
    }
  | { readonly _tag: 'Text'; readonly codec: Codec | undefined }
  | { readonly _tag: 'Bytes' }
  | { readonly _tag: 'FormMap' }
  /** Bytes in chunks, never buffered as a whole. */
  | { readonly _tag: 'ByteStream' }
  /** A body that is received into a file. */
  | { readonly _tag: 'FileBody' }
  /** JSON values, one by one: as one array, or as one value per line. */
  | { readonly _tag: 'JsonStream'; readonly codec: Codec; readonly isArray: boolean }
  | { readonly _tag: 'TextStream' }
  /** Server-Sent Events. */
  | { readonly _tag: 'EventStream'; readonly data: EventData }
  | XmlFormat
  | DataFormat
  /** A file. The media type of a range such as `image/*` is known only when the file is opened. */
  | { readonly _tag: 'File' }
  /** Parts that a handler returns, or the members of a record with declared fields. */
  | { readonly _tag: 'MultipartOutput'; readonly fields: ReadonlyArray<OutputField> | undefined }
  /** A multipart form with all its parts. */
  | { readonly _tag: 'MultipartInput' }
  /** The parts of a multipart form, one by one. */
  | { readonly _tag: 'MultipartStream' }
  /** An entity, in the formats of the readers and writers in scope. Its media type is a range that they narrow. */
  | { readonly _tag: 'Entity'; readonly codec: Codec }
  | {
      readonly _tag: 'Custom'
      readonly read: ((data: Uint8Array) => unknown) | undefined
      readonly write: ((value: unknown) => string | Uint8Array) | undefined
    }

/** A data format such as CBOR: functions between bytes and plain values, and a codec between plain values and values. */
export interface DataFormat {
  readonly _tag: 'Data'
  readonly codec: Codec
  /** Whether serialized values are text. */
  readonly isTextual: boolean
  /** Parses a body, or returns why it is malformed. Input that exceeds the bounds is rejected. */
  readonly parse: (bytes: Uint8Array, bounds: DataBounds) => Either<string, unknown>
  readonly serialize: (value: unknown) => string | Uint8Array
}

/** Bounds of parsed values. */
export interface DataBounds {
  /** Maximum nesting of arrays and objects. */
  readonly depth: number
  /** Maximum number of members of an object. */
  readonly keys: number
}

/** The format of event data: a codec, written as text or JSON, or a representation. */
export type EventData = { readonly _tag: 'Codec'; readonly codec: Codec } | AnyRepresentation

/** A field of a form that is sent. */
export interface OutputField {
  readonly name: string
  readonly representation: AnyRepresentation
  /** Whether the value is a list with one part per element. */
  readonly isRepeated: boolean
}

/** A representation without its types. */
export interface AnyRepresentation {
  readonly _tag: 'Representation'
  readonly mediaType: string
  readonly format: Format
  /** Strength of the `ETag` that is computed from the body; no `ETag` if it is missing. */
  readonly validator?: Validator
  /** JSON customization. Default: that of the operation. */
  readonly json?: JsonRules
  /** The view that members must belong to. Default: that of the operation. */
  readonly view?: View
  /** The type of the value. Exists only at compile time. */
  readonly _A: unknown
}

/** Strength of an `ETag`: equal bytes (`strong`) or equal meaning (`weak`). */
export type Validator = 'strong' | 'weak'

/** A representation of values of type `A` as the media type `M`. */
export interface Representation<A, M extends string = string> extends AnyRepresentation {
  readonly mediaType: M
  readonly _A: A
}

/** Makes a representation. */
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

/** Makes a representation whose values have different types when sent and when received. */
// `_A` and `_received` exist only at compile time
export const makeReceivable = <A, B, M extends string>(
  mediaType: M,
  format: Format,
): Receivable<A, B, M> => makeRepresentation(mediaType, format) as Receivable<A, B, M>

/**
 * Returns a codec with the functions that io-ts gives it. Public signatures require only its phantom members, which is
 * cheaper to type-check.
 */
export const toCodec = (codec: AnyCodec): Codec => codec as unknown as Codec

/** A representation of an `A` where it is sent, and of a `B` where it is received. */
export interface Receivable<A, B, M extends string> extends Representation<A, M> {
  /** The type of the received value. Exists only at compile time. */
  readonly _received: B
}

/** Bytes in chunks: any source where they are sent, an `AsyncIterable` where they are received. */
export interface ByteStream<M extends string> extends Receivable<
  Source<Uint8Array>,
  AsyncIterable<Uint8Array>,
  M
> {}

/** Text in chunks: any source where it is sent, an `AsyncIterable` where it is received. */
export interface TextStream<M extends string> extends Receivable<
  Source<string>,
  AsyncIterable<string>,
  M
> {}

/** A representation with the type of its received value. */
export type Received<R> = R extends { readonly _received: infer A } ? { readonly _A: A } : R

/** The type of the value that is received for a representation or a codec. */
export type ReceivedOf<R> = R extends { readonly _received: infer B }
  ? B
  : R extends { readonly _A: infer A }
    ? A
    : never

/**
 * Changes the media type of a representation.
 *
 * The parameter `qs`, from 0 to 1, is the server's weight in content negotiation. It is not sent.
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
export const as = <M extends string>(mediaType: M): Retyped<M> => {
  function retyped(representation: ByteStream<string>): ByteStream<M>
  function retyped(representation: TextStream<string>): TextStream<M>
  function retyped<A, B>(representation: Receivable<A, B, string>): Receivable<A, B, M>
  function retyped<A>(representation: Representation<A>): Representation<A, M>
  function retyped(representation: AnyRepresentation): AnyRepresentation {
    return Object.freeze({ ...representation, mediaType })
  }
  return retyped
}

/** A function that changes the media type of a representation. */
export interface Retyped<M extends string> {
  (representation: ByteStream<string>): ByteStream<M>
  (representation: TextStream<string>): TextStream<M>
  <A, B>(representation: Receivable<A, B, string>): Receivable<A, B, M>
  <A>(representation: Representation<A>): Representation<A, M>
}

/**
 * Creates a representation with functions that read and write it.
 *
 * Without `read`, it cannot be a body; without `write`, it cannot be produced. Either is a configuration error
 * (`FW-MEDIA-001`). An error that `read` throws results in 400, unless it is an `HttpError`. Strings are sent in
 * UTF-8.
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
export const representation = <A, M extends string>(own: {
  readonly mediaType: M
  readonly read?: (data: Uint8Array) => A
  readonly write?: (value: A) => string | Uint8Array
}): Representation<A, M> => {
  const { read, write } = own
  return makeRepresentation(own.mediaType, {
    _tag: 'Custom',
    read,
    // the type of the handler guarantees an `A`
    write: write === undefined ? undefined : (value) => write(value as A),
  })
}

/** A representation, or a codec of a single value, which stands for `text/plain` with that codec. */
export type Representable = AnyRepresentation | ScalarCodec

/** Returns the representation; for a codec, that of `text/plain`. */
export const toRepresentation = (value: Representable): AnyRepresentation =>
  isRepresentation(value)
    ? value
    : makeRepresentation('text/plain', { _tag: 'Text', codec: toCodec(value) })

const isRepresentation = (value: Representable): value is AnyRepresentation =>
  '_tag' in value && value._tag === 'Representation'

/** The value of a response without a body. */
export interface Nothing {
  readonly _A: void
}

/**
 * Adds an `ETag`, computed from the response body, to a representation: a strong or a weak validator (RFC 9110,
 * 8.8.1).
 *
 * The header is sent with 200 responses to GET and HEAD. The request's preconditions are evaluated against it: a
 * matching `If-None-Match` results in 304, a failing `If-Match` in 412. Neither status needs to be declared. An `ETag`
 * set by the handler or by `context.response.addHeader` takes precedence.
 *
 * The handler always runs, so this saves bandwidth but no work; use {@link evaluatePreconditions} to skip the work.
 * The body is buffered to compute the digest. Streams get no `ETag`.
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
export const withEtag =
  (strength: Validator) =>
  <A, M extends string>(of: Representation<A, M>): Representation<A, M> =>
    Object.freeze({ ...of, validator: strength })
