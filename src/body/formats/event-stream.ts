/**
 * Provides the format for streams of server-sent events, and the format for event data that is described by a codec: text or JSON.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Codec } from '../../codec/codec.ts'
import { eventDataFormat, eventDataWriter } from '../../codec/event-data.ts'
import type { EventData } from '../../endpoint/representation.ts'
import type { Event, ReceivedEvent } from '../../endpoint/sse.ts'
import { isEvent } from '../../endpoint/sse.ts'
import * as EventStream from '../../http/event-stream.ts'
import { EventStreamReader } from '../../http/event-stream.ts'
import * as MediaType from '../../http/media-type.ts'
import { isPromise } from '../../http/platform-value.ts'
import type { BodyFormat } from '../body-format.ts'
import { onlySent, streamedBody, wholeBody } from '../body-format.ts'
import { bodyPlans } from '../create-body-plans.ts'
import { whenRead, readText } from '../decode-body.ts'
import { readJson, writeJson } from '../json/json-rules.ts'
import type { FramingOptions, StreamFormat, StreamReadOptions } from '../stream/stream-format.ts'

/** Creates the format for event data that a codec describes. If the data can be text or JSON, it is read as text first. */
export const codecDataFormat = (codec: Codec): BodyFormat => ({
  ...wholeBody,
  codec,
  accepts: codec.is,
  reader: (options) => {
    const readAsText = readText(codec)
    const readAsJson = readJson(codec, options, options)
    switch (eventDataFormat(codec)) {
      case 'text':
        return readAsText
      case 'json':
        return readAsJson
      case 'textOrJson':
        return (bytes, contentType) =>
          whenRead(readAsText(bytes, contentType), (value) =>
            E.isRight(value) ? value : readAsJson(bytes, contentType),
          )
    }
  },
  writer: (options) =>
    eventDataWriter(codec, writeJson(codec, options, options.json, options.visibility)),
})

/** Creates the format for a stream of server-sent events. The event data is described by a codec or a representation. */
export const eventStreamFormat = (data: EventData): BodyFormat => ({
  ...streamedBody,
  codec: data._tag === 'Codec' ? data.codec : undefined,
  stream: eventElements(data),
  cannotReceive: onlySent,
})

/** A stream whose elements are events, or plain data. The data of an event is a body in a format of its own. */
const eventElements = (data: EventData): StreamFormat => ({
  element: (plan) =>
    data._tag === 'Codec' ? { ...plan, format: data } : bodyPlans([data], [], plan)[0],
  elementName: 'event data',
  live: {
    keepAlive: EventStream.heartbeat,
    // caches and reverse proxies would hold events back
    headers: [
      ['Cache-Control', 'no-cache'],
      ['X-Accel-Buffering', 'no'],
    ],
  },
  framing: (options) => ({ begin: '', between: '', end: '', write: eventWriter(data, options) }),
  read: (chunks, options) => E.right(readEvents(chunks, options)),
})

/**
 * Returns a function that writes elements as messages. An event that is sent to several receivers is encoded only once, because
 * `shared` contains the messages written before.
 */
const eventWriter = (
  data: EventData,
  { write, shared }: FramingOptions,
): ((element: unknown) => string) => {
  const { written = new WeakMap<object, string>(), isUnrestricted = false } = shared ?? {}
  return (element) => {
    if (!isEvent(element)) return EventStream.format({ data: write(element) })
    const { encoded, hasData } = element
    if (encoded === undefined || !hasData)
      return formatEvent(element, hasData ? write(element.data) : undefined)
    const known = written.get(element)
    if (known !== undefined) return known
    const isEncoded = isUnrestricted && data._tag === 'Codec' && encoded.codec === data.codec
    const message = formatEvent(element, isEncoded ? encoded.text : write(element.data))
    written.set(element, message)
    return message
  }
}

const formatEvent = (
  { name, id, retry, comment }: Event<unknown>,
  data: string | undefined,
): string => EventStream.format({ name, id, retry, comment, data })

const encoder = new TextEncoder()

/** Media type of event data, which is always text. The media type ensures that empty data is decoded as an empty string. */
const plainText = O.toUndefined(MediaType.parse('text/plain'))

/** Yields events as soon as they are complete. `events` is the state of the stream, with which it can be resumed. */
async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  { readElement, maxBytes, invalid, tooLarge, events = new EventStreamReader() }: StreamReadOptions,
): AsyncGenerator<ReceivedEvent<unknown>, undefined> {
  // the reader removes the byte order mark at the beginning of the stream
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const chunk of chunks) {
    for (const { name, id, data, comment } of events.push(
      decoder.decode(chunk, { stream: true }),
    )) {
      const result = readElement(encoder.encode(data), plainText)
      const value = isPromise(result) ? await result : result
      if (E.isLeft(value)) throw invalid(value.left)
      yield { data: value.right, name, id, ...(comment === undefined ? {} : { comment }) }
    }
    if (events.size > maxBytes) throw tooLarge()
  }
}
