/**
 * Sends event streams. Unlike that of other streams, the head does not wait for an element: it leaves with the turn of the event
 * loop. What fails before, because the source does not wait for anything first, can still be an answer of its own.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Event } from '../../endpoint/event.ts'
import { isEvent } from '../../endpoint/event.ts'
import type { EventData } from '../../endpoint/representation.ts'
import * as EventStream from '../../http/event-stream.ts'
import * as Headers from '../../http/headers.ts'
import type { Asking } from '../asking.ts'
import type { Said } from '../content-plan.ts'
import { unusual } from '../json-rules.ts'
import type { Opening } from '../opening.ts'
import { writeFor } from '../projecting.ts'
import type { Settings } from '../settings.ts'
import type { Text, WriteOf } from './event-data.ts'
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
  writeOf: WriteOf,
): ((source: unknown, asking: Asking) => Opening) => {
  const framingOf = framings(data, settings, said, writeOf)
  const interval = settings['fw.rest.sse.heartbeat']
  return (source, asking) => async (head, exchange) => {
    const pieces = beating(gathered(asked(source), framingOf(asking)), interval)
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

/** Whoever sees the same has the same framing: it remembers messages that go to many. */
const framings = (
  data: EventData,
  settings: Settings,
  said: Said,
  writeOf: WriteOf,
): ((asking: Asking) => Framing) => {
  const { text, isWhole } = eventData(data, settings, said, writeOf)
  const codec = data._tag === 'Codec' ? data.codec : undefined
  const usual = codec && unusual(codec, said.json, settings) === undefined ? codec : undefined
  const known = new WeakMap<Text, Framing>()
  return (asking) => {
    const write = writeFor(text, asking)
    const before = known.get(write)
    if (before !== undefined) return before
    const framing = {
      begin: '',
      between: '',
      end: '',
      write: writing(write, isWhole(write) ? usual : undefined),
    }
    known.set(write, framing)
    return framing
  }
}

/** Data that `shared` has written already is sent as it is: of a codec of which nothing is hidden, and which is written as usual. */
const writing = (text: Text, shared: Codec | undefined): Framing['write'] => {
  /** The messages of events that go to many, which are written once. */
  const written = new WeakMap<Event<unknown>, string>()
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
    const before = written.get(element)
    if (before !== undefined) return before
    const made = message(element)
    written.set(element, made)
    return made
  }
}
