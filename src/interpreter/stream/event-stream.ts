/**
 * Sends event streams. Unlike that of other streams, the head does not wait for an element: it leaves with the turn of the event
 * loop. What fails before, because the source does not wait for anything first, can still be an answer of its own.
 */
import type { Event } from '../../endpoint/event.ts'
import { isEvent } from '../../endpoint/event.ts'
import type { EventData } from '../../endpoint/representation.ts'
import * as EventStream from '../../http/event-stream.ts'
import * as Headers from '../../http/headers.ts'
import type { ContentPlan } from '../content-plan.ts'
import type { Opening } from '../opening.ts'
import type { Settings } from '../settings.ts'
import { eventData } from './event-data.ts'
import type { Framing } from './gathered.ts'
import { gathered } from './gathered.ts'
import { beating } from './heartbeat.ts'
import { asked } from './source.ts'
import { begunWith } from './begun-with.ts'

/** Prepares what writes sources; `writeOf` writes data that has a representation. */
export const eventStream = (
  data: EventData,
  settings: Settings,
  writeOf: (content: ContentPlan) => (value: unknown, asking: Asking) => unknown,
): ((source: unknown) => Opening) => {
  const write = writing(data, eventData(data, settings, writeOf))
  const framing: Framing = { begin: '', between: '', end: '', write }
  const interval = settings['fw.rest.sse.heartbeat']
  return (source) => async (head, exchange) => {
    const pieces = beating(gathered(asked(source), framing), interval)
    exchange.onEnd(() => pieces.close())
    const open = { status: head.status, headers: withFields(head.headers) }
    if (exchange.method === 'HEAD') return { ...open, content: pieces }
    const first = pieces.next()
    await Promise.race([first, turn()])
    return { ...open, content: begunWith(first, pieces) }
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What proxies and caches have to know, unless the operation says otherwise. */
const withFields = (headers: Headers.Headers): Headers.Headers => {
  const cached = Headers.first(headers, 'cache-control') === undefined ? uncached : Headers.empty
  const buffered =
    Headers.first(headers, 'x-accel-buffering') === undefined ? unbuffered : Headers.empty
  return [...headers, ...cached, ...buffered]
}

const uncached: Headers.Headers = ['Cache-Control', 'no-cache']
const unbuffered: Headers.Headers = ['X-Accel-Buffering', 'no']

const writing = (data: EventData, text: (value: unknown) => string): Framing['write'] => {
  const codec = data._tag === 'Codec' ? data.codec : undefined
  /** The messages of events that go to many, which are written once. */
  const written = new WeakMap<Event<unknown>, string>()
  const message = (event: Event<unknown>): string =>
    EventStream.format({
      name: event.name,
      id: event.id,
      retry: event.retry,
      comment: event.comment,
      data: event.hasData
        ? event.encoded !== undefined && event.encoded.codec === codec
          ? event.encoded.text
          : text(event.data)
        : undefined,
    })
  return (element) => {
    if (!isEvent(element)) return EventStream.format({ data: text(element) })
    if (element.encoded === undefined) return message(element)
    const before = written.get(element)
    if (before !== undefined) return before
    const made = message(element)
    written.set(element, made)
    return made
  }
}
