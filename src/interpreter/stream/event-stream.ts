/**
 * Sends event streams. Unlike that of other streams, the head does not wait for an element: it leaves with the turn of the event
 * loop. What fails before, because the source does not wait for anything first, can still be an answer of its own.
 */
import type { Codec } from '../../codec/codec.ts'
import { dataText } from '../../codec/data-text.ts'
import { whole as everything } from '../../codec/projection.ts'
import type { Event } from '../../endpoint/event.ts'
import { isEvent } from '../../endpoint/event.ts'
import * as EventStream from '../../http/event-stream.ts'
import * as Headers from '../../http/headers.ts'
import type { Asking } from '../asking.ts'
import { backEnd } from '../back-end.ts'
import type { Opening } from '../pieces.ts'
import type { Projecting } from '../projecting.ts'
import { projected, writeFor } from '../projecting.ts'
import type { Settings } from '../settings.ts'
import type { Framing } from './gathered.ts'
import { gathered } from './gathered.ts'
import { beating } from './heartbeat.ts'
import { asked } from './source.ts'
import { begunWith } from './begun-with.ts'

/** Prepares what writes sources whose data a codec writes. */
export const eventStream = (
  codec: Codec,
  settings: Settings,
  projecting: Projecting | undefined,
): ((source: unknown, asking: Asking) => Opening) => {
  const framingOf = framings(codec, settings, projecting)
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
  codec: Codec,
  settings: Settings,
  projecting: Projecting | undefined,
): ((asking: Asking) => Framing) => {
  const whole = new WeakSet<Text>()
  const text = projected(codec, projecting, (projection) => {
    const made = checking(codec, settings, dataText(codec, backEnd(settings), projection))
    if (projection === everything) whole.add(made)
    return made
  })
  const known = new WeakMap<Text, Framing>()
  return (asking) => {
    const write = writeFor(text, asking)
    const before = known.get(write)
    if (before !== undefined) return before
    const shares = whole.has(write) ? codec : undefined
    const framing = { begin: '', between: '', end: '', write: writing(write, shares) }
    known.set(write, framing)
    return framing
  }
}

type Text = (value: unknown) => string

/** Data that `shared` has written already is sent as it is: of a codec of which nothing is hidden. */
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

/** `fw.rest.check-results`, for each element. */
const checking = (
  codec: Codec,
  settings: Settings,
  write: (value: unknown) => string,
): ((value: unknown) => string) =>
  settings['fw.rest.check-results']
    ? (value) => {
        if (!codec.is(value)) throw new TypeError(`the data of an event has to be: ${codec.name}`)
        return write(value)
      }
    : write
