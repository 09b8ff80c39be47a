/** Server-Sent Events: streams of elements to which browsers listen. */
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { AnyRepresentation, Receivable, Representation } from './representation.ts'
import { makeReceivable, toCodec } from './representation.ts'
import type { Source } from './multi.ts'
import * as EventStreamFormat from '../http/event-stream.ts'

/**
 * The sources of event streams: every source but one that says something of status and fields, because the head of an event
 * stream is sent before there could be an answer to that.
 */
export type Events<A> = Exclude<Source<A | Event<A>>, { readonly _tag: 'Multi' }>

/** An event stream whose data is an `A`. */
export type EventStream<A> = Receivable<
  Events<A>,
  AsyncIterable<ReceivedEvent<A>>,
  'text/event-stream'
>

/**
 * `text/event-stream`: every element is a message, whose data is written by the codec: texts, numbers and other single values
 * as they are, everything else as JSON. An `event(…)` among them has a name, an id and the like. A representation instead of
 * a codec says itself how the data is written, such as `json(string)` for texts in quotes; it has to be one of text, or the
 * start fails with `FW-MEDIA-001`.
 *
 * The head is sent at once, with `Cache-Control: no-cache` and `X-Accel-Buffering: no` unless the operation says something
 * else of these, and so it cannot depend on the elements. Whatever fails before (the handler, and the source before it first
 * waits) is answered like any other failure; what fails later cuts the connection. Where nothing is sent for
 * `fw.rest.sse.heartbeat`, a comment is. The client says by `lastEventId` where it goes on.
 *
 * A source that goes on for ever has to end when `context.application.stopping` aborts, or it holds up the server;
 * what a `broadcaster` gives does.
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
 * const response = await inMemory(routes({ returns }))(new Request('http://localhost/returns'))
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

/** What a message says beside its data. */
export interface EventOptions {
  /** What the client says in `Last-Event-ID` when it comes back. */
  readonly id?: string
  /** Milliseconds until the client comes back when the stream has ended; nothing is sent of a negative number. */
  readonly retry?: number
  /** For whoever reads the stream with bare eyes; no client tells it to anybody. */
  readonly comment?: string
}

/** An event as a client gets it. */
export interface ReceivedEvent<A> {
  readonly data: A
  /** The type under which a client listens for it; `message` when nothing was said. */
  readonly name: string
  /** The last id that the stream has said, here or before; empty when it has said none. */
  readonly id: string
  /** The comments in front of it, a line each. */
  readonly comment?: string
}

/** An event whose data is an `A`. */
export interface Event<A> extends EventOptions {
  readonly _tag: 'Event'
  /** The type under which a client listens for it; `message` when nothing is said. */
  readonly name: string | undefined
  /** Whether there is data; without, no client tells anybody of it. */
  readonly hasData: boolean
  readonly data: A
  /** The data as it was written already by a codec, of an event that goes to many. */
  readonly encoded: Encoded | undefined
}

export interface Encoded {
  readonly codec: Codec
  readonly text: string
}

/**
 * An element of an event stream with a name, an id, a delay before the client comes back, or a comment. Throws a `TypeError`
 * for a name or id that holds a line break or NUL, and a `RangeError` for a `retry` that is no whole number: nothing that
 * comes from outside can add a field or a message.
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
 * const response = await inMemory(routes({ news }))(new Request('http://localhost/news'))
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
  // the signatures say what stands where
  return given.length === 1
    ? makeEvent(undefined, true, first, {})
    : makeEvent(first as string | undefined, true, data, (options ?? {}) as EventOptions)
}

/**
 * A message without data, of which a client tells nobody: for a comment, or to change what the client says and how long it
 * waits when it comes back.
 */
export const comment = (
  text: string,
  { id, retry }: Omit<EventOptions, 'comment'> = {},
): Event<never> =>
  // nobody reads the data of an event that has none
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
  // what cannot be sent is told to whoever makes it
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

/** The same event with an id and with its data written, so that it is not written for everybody anew. */
export const withEncodedData = <A>(
  one: Event<A>,
  { id, encoded }: { readonly id: string | undefined; readonly encoded: Encoded | undefined },
): Event<A> => brand({ ...one, ...(id === undefined ? {} : { id }), encoded })

/** What no JSON has: data that a client sent is never taken for an event. */
const mark = Symbol.for('espalier.Event')

const brand = <A>(one: Event<A>): Event<A> => Object.freeze({ ...one, [mark]: true })

/** Whether an element is an event, of this or another copy of the package. */
export const isEvent = (element: unknown): element is Event<unknown> =>
  typeof element === 'object' && element !== null && mark in element
