/**
 * Representations: a media type together with how a value travels under it. They are descriptions; reading and writing is
 * done by the interpreter that runs them.
 */
import type { AnyCodec, Codec, ScalarCodec } from '../codec/codec.ts'
import type { Curies } from '../http/hal.ts'
import type { View } from '../codec/visibility/restricted-member.ts'
import type { JsonRules } from './internal/json-rules.ts'
import type { Source } from './multi.ts'
import type { XmlFormat } from '../xml/context/xml-format.ts'

/** How the value travels. */
export type Format =
  | { readonly _tag: 'Json'; readonly codec: Codec }
  | { readonly _tag: 'RawJson' }
  /** JSON with the links of the value, and of each element of a collection, which has a name. */
  | {
      readonly _tag: 'Hal'
      readonly codec: Codec
      readonly collection: string
      readonly curies: Curies
    }
  | { readonly _tag: 'Text'; readonly codec: Codec | undefined }
  | { readonly _tag: 'Bytes' }
  | { readonly _tag: 'FormMap' }
  /** Octets in pieces, of which nobody ever has all. */
  | { readonly _tag: 'ByteStream' }
  /** Received as a whole, in a file. */
  | { readonly _tag: 'FileBody' }
  /** JSON values in pieces: one array, unless what is sent says otherwise, or one value a line. */
  | { readonly _tag: 'JsonStream'; readonly codec: Codec; readonly isArray: boolean }
  | { readonly _tag: 'TextStream' }
  /** Messages of an event stream. */
  | { readonly _tag: 'EventStream'; readonly data: EventData }
  | XmlFormat
  /** A file of the system; the media type of an open range shows when it is opened. */
  | { readonly _tag: 'File' }
  /** Parts as they are given, or the fields of a record as each is declared. */
  | { readonly _tag: 'MultipartOutput'; readonly fields: ReadonlyArray<OutputField> | undefined }
  /** All parts of a form, once they are there. */
  | { readonly _tag: 'MultipartInput' }
  /** Parts of a form, as they come. */
  | { readonly _tag: 'MultipartStream' }
  /** As the readers and writers around the operation say; the media type is a range that they fill. */
  | { readonly _tag: 'Entity'; readonly codec: Codec }
  | {
      readonly _tag: 'Custom'
      readonly read: ((octets: Uint8Array) => unknown) | undefined
      readonly write: ((value: unknown) => string | Uint8Array) | undefined
    }

/** How the data of events is written: by a codec, as text or JSON, or as a representation says. */
export type EventData = { readonly _tag: 'Codec'; readonly codec: Codec } | AnyRepresentation

/** A part of a form that is sent. */
export interface OutputField {
  readonly name: string
  readonly representation: AnyRepresentation
  /** Whether each element of a value is a part. */
  readonly isRepeated: boolean
}

export interface AnyRepresentation {
  readonly _tag: 'Representation'
  readonly mediaType: string
  readonly format: Format
  /** The `ETag` that is made from its octets; none where it is left out. */
  readonly validator?: Validator
  /** How its JSON is read and written; as the operation says where it is left out. */
  readonly json?: JsonRules
  /** Which members of its values are written, or read; what the operation says where it is left out. */
  readonly view?: View
  /** The type of the value; there is no such member at run time. */
  readonly _A: unknown
}

/** What a tag promises: equal octets, or equal meaning. */
export type Validator = 'strong' | 'weak'

/** `A` travelling as `M`. */
export interface Representation<A, M extends string = string> extends AnyRepresentation {
  readonly mediaType: M
  readonly _A: A
}

/** A representation; its type says what it is of. */
// `_A` is for the compiler alone, so the value need not have it
export const makeRepresentation = <A, M extends string>(
  mediaType: M,
  format: Format,
): Representation<A, M> =>
  Object.freeze({
    _tag: 'Representation',
    mediaType,
    format: Object.freeze(format),
  }) as Representation<A, M>

/** A representation of what is received otherwise than it is sent. */
// `_A` and `_received` are for the compiler alone, so the value need not have them
export const makeReceivable = <A, B, M extends string>(
  mediaType: M,
  format: Format,
): Receivable<A, B, M> => makeRepresentation(mediaType, format) as Receivable<A, B, M>

/** A codec of io-ts has the functions of {@link Codec}; the language asks for its phantom members only, to spare the compiler. */
export const toCodec = (codec: AnyCodec): Codec => codec as unknown as Codec

/** `A` where it is sent, and `B` where it is received, by a handler or by a client. */
export interface Receivable<A, B, M extends string> extends Representation<A, M> {
  /** The type of what is received; there is no such member at run time. */
  readonly _received: B
}

/** Octets in pieces. They come in one way, and are taken from any source. */
export interface ByteStream<M extends string> extends Receivable<
  Source<Uint8Array>,
  AsyncIterable<Uint8Array>,
  M
> {}

/** Text in pieces, in and out in the same way. */
export interface TextStream<M extends string> extends Receivable<
  Source<string>,
  AsyncIterable<string>,
  M
> {}

/** A representation as one of what is received, where that differs from what is sent. */
export type Received<R> = R extends { readonly _received: infer A } ? { readonly _A: A } : R

/** What is received of a representation, or a codec. */
export type ReceivedOf<R> = R extends { readonly _received: infer B }
  ? B
  : R extends { readonly _A: infer A }
    ? A
    : never

/**
 * The same value under another media type. A `qs` parameter from 0 to 1 is the server's own weight in negotiation and
 * is not sent.
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
 * const response = await inMemory(routes({ answer }))(new Request('http://localhost/answer'))
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
    // everything else that is said of it stays
    return Object.freeze({ ...representation, mediaType })
  }
  return retyped
}

/** Gives a representation another media type. */
export interface Retyped<M extends string> {
  (representation: ByteStream<string>): ByteStream<M>
  (representation: TextStream<string>): TextStream<M>
  <A, B>(representation: Receivable<A, B, string>): Receivable<A, B, M>
  <A>(representation: Representation<A>): Representation<A, M>
}

/**
 * A representation of one's own. `read` may throw: the request is then refused with 400, or with the status of the
 * `HttpError` thrown. What is not given cannot be done: without `read` it cannot be a body, without `write` it cannot
 * be produced, and the tree says so when it is compiled.
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
 * const response = await inMemory(routes({ row }))(new Request('http://localhost/row'))
 *
 * assert.equal(response.headers.get('Content-Type'), 'text/csv;charset=UTF-8')
 * assert.equal(await response.text(), '1,2\r\n')
 * ```
 */
export const representation = <A, M extends string>(own: {
  readonly mediaType: M
  readonly read?: (octets: Uint8Array) => A
  readonly write?: (value: A) => string | Uint8Array
}): Representation<A, M> => {
  const { read, write } = own
  return makeRepresentation(own.mediaType, {
    _tag: 'Custom',
    read,
    // the handler's type says that only an `A` comes here
    write: write === undefined ? undefined : (value) => write(value as A),
  })
}

/** What stands for a representation: one, or a codec of a single value, which means `text/plain` by that codec. */
export type Representable = AnyRepresentation | ScalarCodec

/** The representation meant. */
export const toRepresentation = (one: Representable): AnyRepresentation =>
  isRepresentation(one)
    ? one
    : makeRepresentation('text/plain', { _tag: 'Text', codec: toCodec(one) })

const isRepresentation = (one: Representable): one is AnyRepresentation =>
  '_tag' in one && one._tag === 'Representation'

/** Nothing at all: a response without content. */
export interface Nothing {
  readonly _A: void
}

/**
 * The same representation with an `ETag` made from its octets: a `strong` tag, or a `weak` one where equal octets promise equal
 * meaning only. It is sent when GET or HEAD is answered with 200, and then the conditions of the request are decided: who names
 * the tag in `If-None-Match` is answered with 304, without anything being declared. A reply that has a tag keeps it, and so does one to which
 * `context.response.addHeader` has given one.
 *
 * The handler runs all the same: this saves the network and not the work, which `evaluatePreconditions` does. A digest is
 * computed for every response, so octets are held as a whole; streams are not tagged.
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
 * const call = inMemory(routes({ greeting }))
 * const ask = (headers: Record<string, string>) =>
 *   call(new Request('http://localhost/greeting', { headers }))
 * const tag = (await ask({})).headers.get('ETag') ?? ''
 *
 * assert.match(tag, /^"[^"]+"$/)
 * assert.equal((await ask({ 'If-None-Match': tag })).status, 304)
 * ```
 */
export const withEtag =
  (strength: Validator) =>
  <A, M extends string>(of: Representation<A, M>): Representation<A, M> =>
    Object.freeze({ ...of, validator: strength })
