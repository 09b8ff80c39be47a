/** Server-Sent Events: streams of elements to which browsers listen. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Event, ReceivedEvent } from './event.ts'
import type { AnyRepresentation, Receivable, Representation } from './representation.ts'
import { receivable, runnable } from './representation.ts'
import type { Source } from './source.ts'

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
  return receivable('text/event-stream', {
    _tag: 'EventStream',
    data: isRepresentation(data) ? data : { _tag: 'Codec', codec: runnable(data) },
  })
}

const isRepresentation = (data: AnyRepresentation | AnyCodec): data is AnyRepresentation =>
  '_tag' in data && data._tag === 'Representation'
