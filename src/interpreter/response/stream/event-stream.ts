/**
 * Responds with server-sent events.
 *
 * Unlike for other streams, the head does not wait for the first element: it is sent after one turn of the event loop. An error
 * within that turn still results in an error response.
 */
import type { Event } from '../../../endpoint/sse.ts'
import { isEvent } from '../../../endpoint/sse.ts'
import type { EventData } from '../../../endpoint/representation.ts'
import * as EventStream from '../../../http/event-stream.ts'
import * as Headers from '../../../http/headers.ts'
import type { BodyPlan, BodyOptions } from '../../../body/body-plan.ts'
import type { Framing } from '../../../body/stream/framings.ts'
import { openSource } from '../../../body/stream/open-source.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { onStreamEnd } from '../../exchange.ts'
import type { DeferredResponse, WriteBody, WriteContext } from '../write-body.ts'
import { coalesce } from './coalesce.ts'
import type { EventDataWriter } from './event-data.ts'
import { eventDataWriterFor } from './event-data.ts'
import { withHeartbeat } from './heartbeat.ts'
import { prependChunk } from './stream-response.ts'

/** Prepares writing event streams. `bodyWriterOf` creates the writer for event data with a representation. */
export const eventStreamWriter = (
  data: EventData,
  settings: Settings,
  options: BodyOptions,
  bodyWriterOf: (plan: BodyPlan) => WriteBody,
): ((source: unknown, context: WriteContext) => DeferredResponse) => {
  const dataWriterFor = eventDataWriterFor(data, settings, options, bodyWriterOf)
  const interval = settings['fw.rest.sse.heartbeat']
  return (source, context) => async (head, exchange) => {
    const { turnBudget } = exchange.platform
    const events = coalesce(openSource(source), eventFraming(dataWriterFor(context)), turnBudget)
    const chunks = withHeartbeat(events, interval)
    onStreamEnd(exchange, () => chunks.close())
    const completeHead = { status: head.status, headers: addStreamHeaders(head.headers) }
    if (exchange.method === 'HEAD') return { ...completeHead, body: chunks }
    const first = chunks.next()
    await Promise.race([first, nextTurn()])
    return { ...completeHead, body: prependChunk(first, chunks) }
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Adds headers that disable caching, and buffering by reverse proxies, unless the reply sets them. */
const addStreamHeaders = (headers: Headers.Headers): Headers.Headers => {
  const caching = Headers.first(headers, 'cache-control') === undefined ? noCache : Headers.empty
  const buffering =
    Headers.first(headers, 'x-accel-buffering') === undefined ? noBuffering : Headers.empty
  return [...headers, ...caching, ...buffering]
}

const noCache: Headers.Headers = ['Cache-Control', 'no-cache']
const noBuffering: Headers.Headers = ['X-Accel-Buffering', 'no']

const eventFraming = (data: EventDataWriter): Framing => ({
  begin: '',
  between: '',
  end: '',
  write: elementWriter(data),
})

/** Prepares writing the elements of a stream: events, or bare data. Events of a broadcast are written once for many subscribers. */
const elementWriter = ({ write, messages, unrestricted }: EventDataWriter): Framing['write'] => {
  const cache = unrestricted?.messages ?? messages
  return (element) => {
    if (!isEvent(element)) return EventStream.format({ data: write(element) })
    const { encoded, hasData } = element
    if (encoded === undefined || !hasData)
      return formatEvent(element, hasData ? write(element.data) : undefined)
    const cached = cache.get(element)
    if (cached !== undefined) return cached
    const isEncoded = unrestricted !== undefined && encoded.codec === unrestricted.codec
    const message = formatEvent(element, isEncoded ? encoded.text : write(element.data))
    cache.set(element, message)
    return message
  }
}

const formatEvent = (
  { name, id, retry, comment }: Event<unknown>,
  data: string | undefined,
): string => EventStream.format({ name, id, retry, comment, data })
