/** Server-Sent Events. */
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { AnyRepresentation, Receivable, Representation } from './representation.ts'
import { makeReceivable, toCodec } from './representation.ts'
import type { Source } from './multi.ts'
import * as EventStreamFormat from '../http/event-stream.ts'

/**
 * Sources of event streams. `multi` is excluded, because the head of an event stream is sent before the first element.
 */
export type Events<A> = Exclude<Source<A | Event<A>>, { readonly _tag: 'Multi' }>

/** An event stream with data of type `A`. */
export type EventStream<A> = Receivable<
  Events<A>,
  AsyncIterable<ReceivedEvent<A>>,
  'text/event-stream'
>

/**
 * `text/event-stream`: each element of the source is sent as one event.
 *
 * The codec encodes the data: single values as text, everything else as JSON. Use {@link event} to set the name, the
 * id and other fields of an event. With a representation instead of a codec, such as `json(string)`, that encodes the
 * data. It must be textual; otherwise it is a configuration error (`FW-MEDIA-001`).
 *
 * The head is sent at once, with `Cache-Control: no-cache` and `X-Accel-Buffering: no` unless the operation sets these
 * headers. Errors before that (of the handler, and of the source before it first waits) result in an error response;
 * later ones destroy the connection. A comment is sent after `fw.rest.sse.heartbeat` without an event. `lastEventId`
 * tells where a client resumes.
 *
 * An endless source must end when `context.application.stopping` aborts, or it delays the shutdown. Streams of a
 * `broadcaster` do so.
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

export function sse(data: AnyRepresentation | AnyCodec): EventStream<unknown> {
  return makeReceivable('text/event-stream', {
    _tag: 'EventStream',
    data: isRepresentation(data) ? data : { _tag: 'Codec', codec: toCodec(data) },
  })
}

const isRepresentation = (data: AnyRepresentation | AnyCodec): data is AnyRepresentation =>
  '_tag' in data && data._tag === 'Representation'

/** Fields of an event besides its name and data. */
export interface EventOptions {
  /** Id, which the client sends as `Last-Event-ID` when it reconnects. */
  readonly id?: string
  /** Reconnection delay in milliseconds. Must be an integer; a negative one is not sent. */
  readonly retry?: number
  /** Comment, ignored by clients. Useful for debugging. */
  readonly comment?: string
}

/** An event that a client receives. */
export interface ReceivedEvent<A> {
  readonly data: A
  /** Event type. Default: `message`. */
  readonly name: string
  /** Last id of the stream so far; empty without one. */
  readonly id: string
  /** Comments before the event, one per line. */
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
  /** The encoded data, if one event is sent to many clients. */
  readonly encoded: Encoded | undefined
}

/** Encoded event data, with its codec. */
export interface Encoded {
  readonly codec: Codec
  readonly text: string
}

/**
 * Creates an event with a name, an id, a reconnection delay or a comment.
 *
 * Throws a `TypeError` for a name or id with a line break or NUL, which could inject fields, and a `RangeError` for a
 * `retry` that is not an integer.
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

export function event(...given: ReadonlyArray<unknown>): Event<unknown> {
  const [first, data, options] = given
  // the overloads determine the types of the arguments
  return given.length === 1
    ? makeEvent(undefined, true, first, {})
    : makeEvent(first as string | undefined, true, data, (options ?? {}) as EventOptions)
}

/**
 * Creates an event without data: a comment, or an update of the client's last id or reconnection delay. Clients do not
 * dispatch it.
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
  // formatting validates: throws for invalid fields
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

/** Returns the event with an id and with its encoded data, so that it is encoded once for all subscribers. */
export const withEncodedData = <A>(
  element: Event<A>,
  { id, encoded }: { readonly id: string | undefined; readonly encoded: Encoded | undefined },
): Event<A> => brand({ ...element, ...(id === undefined ? {} : { id }), encoded })

/** A symbol, so that client data in JSON can never pass for an event. */
const mark = Symbol.for('espalier.Event')

const brand = <A>(plain: Event<A>): Event<A> => Object.freeze({ ...plain, [mark]: true })

/** Whether an element is an event, of this or another copy of the package. */
export const isEvent = (element: unknown): element is Event<unknown> =>
  typeof element === 'object' && element !== null && mark in element
