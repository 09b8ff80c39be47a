/** Server-Sent Events: a representation for event streams, and functions that create events. */
import type { AnySchema, SchemaInput, SchemaOutput } from '../codec/standard-schema/schema-types.ts'
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { AnyRepresentation, Encodable, Receivable, Representation } from './representation.ts'
import { isRepresentation, makeReceivable, toCodec } from './representation.ts'
import type { Source } from './multi.ts'
import * as EventStreamFormat from '../http/event-stream.ts'
import { isObject } from '../http/platform-value.ts'

/** The possible sources of an event stream: all stream sources except `multi`. */
export type Events<A> = Exclude<Source<A | Event<A>>, { readonly _tag: 'Multi' }>

/** An event stream with data of type `A`. */
export type EventStream<A> = Receivable<
  Events<A>,
  AsyncIterable<ReceivedEvent<A>>,
  'text/event-stream'
>

/**
 * Creates a `text/event-stream` representation, which sends each element of the source as an event.
 *
 * The codec determines whether the data is text or JSON. Typed clients apply the same rule:
 *
 * | Codec | Data |
 * |---|---|
 * | strings, numbers, bigints, booleans, literals, `enumOf`, and unions of these | text |
 * | codecs without a structure, such as `instant`, `date`, `uuid` and `fromString(…)` | text if the encoded value is a string, otherwise JSON |
 * | objects, collections, records, `null`, unknown values, and all unions that contain any of these | JSON |
 *
 * Constraints, brands and `optional` do not affect the rule. As in parameters, a union of strings and numbers cannot
 * distinguish the text `5` from the number. A union has one format for all its values. For example, the
 * string `Emma` is sent as `Emma` with `sse(string)`, and as `"Emma"` with `sse(t.union([string, Book]))`. As text, a string
 * that looks like JSON could not be distinguished from an object.
 *
 * To encode the data in another format, pass a representation such as `json(string)` instead of a codec. A representation
 * that is not textual is a configuration error (`FW-MEDIA-001`). Use {@link event} to set the name, the id and other fields
 * of an event.
 *
 * The response head is sent without waiting for the first event. It contains `Cache-Control: no-cache` and
 * `X-Accel-Buffering: no`, unless the operation sets these headers. If the handler fails, or if the source fails before
 * its first asynchronous wait, the client receives an error response. Later errors destroy the connection.
 *
 * If no event is sent within the time set by `fw.rest.sse.heartbeat`, a comment is sent to keep the connection open. To
 * resume after a lost connection, read the last event id of the client with the codec `lastEventId`.
 *
 * An endless source must end when `context.application.stopping` is aborted. Otherwise, it delays the shutdown.
 * Streams created by a `broadcaster` end automatically.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, path, produces, routes, sse } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const returns = pipe(
 *   path('/returns'),
 *   get(),
 *   produces(sse(t.type({ title: t.string }))),
 *   handle(async function* () {
 *     yield { title: 'Emma' }
 *     yield { title: 'Persuasion' }
 *   }),
 * )
 * const response = await inMemory(routes({ returns }))('http://localhost/returns')
 *
 * assert.equal(response.headers.get('Content-Type'), 'text/event-stream')
 * assert.equal(
 *   await response.text(),
 *   'data: {"title":"Emma"}\n\ndata: {"title":"Persuasion"}\n\n',
 * )
 * ```
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function sse<A>(data: Representation<A>): EventStream<A>

export function sse<C extends AnyCodec>(codec: C): EventStream<C['_A']>
export function sse<S extends AnySchema>(
  schema: S,
): Receivable<
  Events<Encodable<SchemaInput<S>, SchemaOutput<S>>>,
  AsyncIterable<ReceivedEvent<SchemaOutput<S>>>,
  'text/event-stream'
>

export function sse(data: AnyRepresentation | AnyCodec | AnySchema): EventStream<unknown> {
  return makeReceivable('text/event-stream', {
    _tag: 'EventStream',
    data: isRepresentation(data) ? data : { _tag: 'Codec', codec: toCodec(data) },
  })
}

/** The fields of an event, except the name and the data. */
export interface EventOptions {
  /** Id of the event. When a client reconnects, it sends the last id that it received in the `Last-Event-ID` header. */
  readonly id?: string
  /** Reconnection delay of the client, in milliseconds. Must be an integer. Negative values are not sent. */
  readonly retry?: number
  /** Comment, which clients ignore. Useful for debugging. */
  readonly comment?: string
}

/** An event received by a client. */
export interface ReceivedEvent<A> {
  readonly data: A
  /** Event type. Default: `message`. */
  readonly name: string
  /** The most recent event id in the stream, or an empty string if the stream has not sent an id. */
  readonly id: string
  /** Comments that precede the event, one per line. */
  readonly comment?: string
}

/** An event with data of type `A`. */
export interface Event<A> extends EventOptions {
  readonly _tag: 'Event'
  /** Event type. Default: `message`. */
  readonly name: string | undefined
  /** Whether the event has data. Clients do not dispatch an event without data. */
  readonly hasData: boolean
  readonly data: A
  /** The encoded data if the event is sent to several subscribers, otherwise `undefined`. */
  readonly encoded: Encoded | undefined
}

/** Encoded event data, and the codec that encoded it. */
export interface Encoded {
  readonly codec: Codec
  readonly text: string
}

/**
 * Creates an event with a name, an id, a reconnection delay or a comment.
 *
 * Throws a `TypeError` if the name or the id contains a line break or NUL, because such characters could inject
 * fields. Throws a `RangeError` if `retry` is not an integer.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { comment, event, get, handle, path, produces, routes, sse, string } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const news = pipe(
 *   path('/news'),
 *   get(),
 *   produces(sse(string)),
 *   handle(() => [
 *     event('returned', 'Emma', { id: '7' }),
 *     event('Persuasion\nis due'),
 *     comment('that is all', { retry: 60_000 }),
 *   ]),
 * )
 * const response = await inMemory(routes({ news }))('http://localhost/news')
 *
 * assert.equal(
 *   await response.text(),
 *   'id: 7\nevent: returned\ndata: Emma\n\n' +
 *     'data: Persuasion\ndata: is due\n\n' +
 *     ': that is all\nretry: 60000\n\n',
 * )
 * assert.throws(() => event('a\ndata: b', 'c'), TypeError)
 * ```
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function event<A>(data: A): Event<A>

export function event<A>(name: string | undefined, data: A, options?: EventOptions): Event<A>

export function event(...parameters: ReadonlyArray<unknown>): Event<unknown> {
  const [first, data, options] = parameters
  // the overloads determine the types of the arguments
  return parameters.length === 1
    ? makeEvent(undefined, true, first, {})
    : makeEvent(first as string | undefined, true, data, (options ?? {}) as EventOptions)
}

/**
 * Creates an event that contains a comment but no data. Clients do not dispatch the event, but it can update their last
 * event id and reconnection delay.
 */
export const comment = (
  text: string,
  { id, retry }: Omit<EventOptions, 'comment'> = {},
): Event<never> =>
  // `hasData` is false, so the data is never read
  makeEvent(undefined, false, undefined as never, {
    comment: text,
    ...(id === undefined ? {} : { id }),
    ...(retry === undefined ? {} : { retry }),
  })

const makeEvent = <A>(
  name: string | undefined,
  hasData: boolean,
  data: A,
  { id, retry, comment: remark }: EventOptions,
): Event<A> => {
  // formatting throws an error for invalid fields
  if (name !== undefined || id !== undefined || retry !== undefined)
    EventStreamFormat.format({ name, id, retry })
  return brand({
    _tag: 'Event',
    name,
    hasData,
    data,
    encoded: undefined,
    ...(id === undefined ? {} : { id }),
    ...(retry === undefined ? {} : { retry }),
    ...(remark === undefined ? {} : { comment: remark }),
  })
}

/**
 * Returns a copy of an event with the given id, if any, and the encoded data. The data is encoded only once and shared
 * by all subscribers.
 */
export const withEncodedData = <A>(
  element: Event<A>,
  { id, encoded }: { readonly id: string | undefined; readonly encoded: Encoded | undefined },
): Event<A> => brand({ ...element, ...(id === undefined ? {} : { id }), encoded })

/** Key that marks events. JSON cannot contain a symbol, so JSON from a client is never treated as an event. */
const brandKey = Symbol.for('espalier.Event')

const brand = <A>(plain: Event<A>): Event<A> => Object.freeze({ ...plain, [brandKey]: true })

/** Whether an element is an event. Also recognizes events created by another copy of the package. */
export const isEvent = (element: unknown): element is Event<unknown> =>
  isObject(element) && brandKey in element
