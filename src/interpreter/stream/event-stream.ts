/**
 * Sends event streams. Unlike that of other streams, the head does not wait for an element: it leaves with the turn of the event
 * loop. What fails before, because the source does not wait for anything first, can still be an answer of its own.
 */
import type { Event } from '../../endpoint/event.ts'
import { isEvent } from '../../endpoint/event.ts'
import type { EventData } from '../../endpoint/representation.ts'
import * as EventStream from '../../http/event-stream.ts'
import * as Headers from '../../http/headers.ts'
import type { Asking } from '../asking.ts'
import type { ContentPlan } from '../content-plan.ts'
import type { Said } from '../entities.ts'
import type { Opening, Write } from '../opening.ts'
import type { Settings } from '../settings.ts'
import type { DataWriter } from './event-data.ts'
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
  said: Said,
  writeOf: (content: ContentPlan) => Write,
): ((source: unknown, asking: Asking) => Opening) => {
  const writerFor = eventData(data, settings, said, writeOf)
  const interval = settings['fw.rest.sse.heartbeat']
  return (source, asking) => async (head, exchange) => {
    const pieces = beating(gathered(asked(source), framing(writerFor(asking))), interval)
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

const framing = (data: DataWriter): Framing => ({
  begin: '',
  between: '',
  end: '',
  write: writing(data),
})

const writing = ({ write: text, shared, messages }: DataWriter): Framing['write'] => {
  const message = (event: Event<unknown>): string =>
    EventStream.format({
      name: event.name,
      id: event.id,
      retry: event.retry,
      comment: event.comment,
      data: event.hasData
        ? event.encoded !== undefined && event.encoded.codec === shared
          ? event.encoded.text
          : text(event.data)
        : undefined,
    })
  return (element) => {
    if (!isEvent(element)) return EventStream.format({ data: text(element) })
    if (element.encoded === undefined) return message(element)
    const before = messages.get(element)
    if (before !== undefined) return before
    const made = message(element)
    messages.set(element, made)
    return made
  }
}
