/**
 * Representations: a media type together with how a value travels under it. They are descriptions; reading and writing is
 * done by the interpreter that runs them.
 */
import type { AnyCodec, Codec, ScalarCodec } from '../codec/codec.ts'
import type { Curies } from '../http/hal.ts'
import type { View } from '../codec/visibility/restricted-member.ts'
import type { JsonRules } from './internal/json-rules.ts'
import type { Source } from './source.ts'
import type { XmlFormat } from './xml-format.ts'

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
export const of = <A, M extends string>(mediaType: M, format: Format): Representation<A, M> =>
  Object.freeze({
    _tag: 'Representation',
    mediaType,
    format: Object.freeze(format),
  }) as Representation<A, M>

/** A representation of what is received otherwise than it is sent. */
// `_A` and `_received` are for the compiler alone, so the value need not have them
export const receivable = <A, B, M extends string>(
  mediaType: M,
  format: Format,
): Receivable<A, B, M> => of(mediaType, format) as Receivable<A, B, M>

/** The same representation, tagged. */
export const validated = <A, M extends string>(
  representation: Representation<A, M>,
  validator: Validator,
): Representation<A, M> => Object.freeze({ ...representation, validator })

/** An entity, whose codec decides which readers and writers there are for it. */
export const ofEntity = <C extends AnyCodec>(codec: C): Representation<C['_A']> =>
  of('*/*', { _tag: 'Entity', codec: runnable(codec) })

/** A codec of io-ts has the functions of {@link Codec}; the language asks for its phantom members only, to spare the compiler. */
export const runnable = (codec: AnyCodec): Codec => codec as unknown as Codec

/**
 * `application/json` by a codec. Members that the codec does not declare are dropped, both ways. A request that is no
 * JSON, or that the codec refuses, is answered with 400.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, handle, json, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = json(t.type({ title: t.string }))
 * const echo = pipe(
 *   path('/'),
 *   post(),
 *   body(Book),
 *   produces(Book),
 *   handle((input) => input.body),
 * )
 * const call = inMemory(routes({ echo }))
 * const send = (sent: string) =>
 *   call(new Request('http://localhost/', { method: 'POST', body: Buffer.from(sent) }))
 *
 * assert.equal(await (await send('{"title":"Emma","admin":true}')).text(), '{"title":"Emma"}')
 * assert.equal((await send('{"title":1}')).status, 400)
 * ```
 */
export const json = <C extends AnyCodec>(codec: C): Representation<C['_A'], 'application/json'> =>
  of('application/json', { _tag: 'Json', codec: runnable(codec) })

/**
 * `application/json` for text that is JSON already; it is sent, or handed to the handler, as it is and not checked.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, json, path, produces, rawJson, routes, string } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const sentAs = async (representation: typeof rawJson) => {
 *   const list = pipe(
 *     path('/'),
 *     get(),
 *     produces(representation),
 *     handle(() => '[1, 2]'),
 *   )
 *   return (await inMemory(routes({ list }))(new Request('http://localhost/'))).text()
 * }
 *
 * assert.equal(await sentAs(rawJson), '[1, 2]')
 * assert.equal(await sentAs(json(string)), '"[1, 2]"')
 * ```
 */
export const rawJson: Representation<string, 'application/json'> = of('application/json', {
  _tag: 'RawJson',
})

/**
 * `text/plain` in UTF-8, which `Content-Type` announces. A request may name another charset; an unknown one gets 415.
 *
 * `as('text/plain;charset=ISO-8859-1')(text)` is written in that charset; US-ASCII is supported too. Any other charset is a
 * configuration error (`FW-MEDIA-001`): encode the text and use `bytes`. Text with a character that the charset does not have
 * is an internal error.
 */
export const text: Representation<string, 'text/plain'> = of('text/plain', {
  _tag: 'Text',
  codec: undefined,
})

/** `text/html` in UTF-8. */
export const html: Representation<string, 'text/html'> = of('text/html', {
  _tag: 'Text',
  codec: undefined,
})

/** `application/octet-stream`: the octets, untouched and in memory. `as('image/*')(bytes)` takes those of any image. */
export const bytes: Representation<Uint8Array, 'application/octet-stream'> = of(
  'application/octet-stream',
  {
    _tag: 'Bytes',
  },
)

/**
 * `application/octet-stream` in pieces, of any size and number. A handler reads a body of it while it comes; what is more than
 * `fw.http.limits.max-body-size` octets shows where that is read, as an `HttpError` for 413. What is
 * produced is sent as fast as the client takes it: a generator, a `Readable` of Node, a `ReadableStream`, any source. It is
 * chunked, unless the reply says its `Content-Length`: a stream that has fewer octets, or more, is cut.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, byteStream, handle, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * async function* doubled(pieces: AsyncIterable<Uint8Array>) {
 *   for await (const piece of pieces) yield piece.map((octet) => 2 * octet)
 * }
 * const double = pipe(
 *   path('/double'),
 *   post(),
 *   body(byteStream),
 *   produces(byteStream),
 *   handle((input) => doubled(input.body)),
 * )
 * const sent = new Request('http://localhost/double', {
 *   method: 'POST',
 *   body: new Uint8Array([1, 2, 3]),
 * })
 * const response = await inMemory(routes({ double }))(sent)
 *
 * assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array([2, 4, 6]))
 * ```
 */
export const byteStream: ByteStream<'application/octet-stream'> = receivable(
  'application/octet-stream',
  { _tag: 'ByteStream' },
)

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
export const formMap: Representation<FormMap, 'application/x-www-form-urlencoded'> = of(
  'application/x-www-form-urlencoded',
  { _tag: 'FormMap' },
)

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
  return of(own.mediaType, {
    _tag: 'Custom',
    read,
    // the handler's type says that only an `A` comes here
    write: write === undefined ? undefined : (value) => write(value as A),
  })
}

/** What stands for a representation: one, or a codec of a single value, which means `text/plain` by that codec. */
export type Representable = AnyRepresentation | ScalarCodec

/** The representation meant. */
export const represented = (one: Representable): AnyRepresentation =>
  isRepresentation(one) ? one : of('text/plain', { _tag: 'Text', codec: runnable(one) })

const isRepresentation = (one: Representable): one is AnyRepresentation =>
  '_tag' in one && one._tag === 'Representation'

/** Nothing at all: a response without content. */
export interface Nothing {
  readonly _A: void
}
