/**
 * Sends event streams. Unlike that of other streams, the head does not wait for an element: it leaves with the turn of the event
 * loop. What fails before, because the source does not wait for anything first, can still be an answer of its own.
 */
import type { Event } from '../../../endpoint/sse.ts'
import { isEvent } from '../../../endpoint/sse.ts'
import type { EventData } from '../../../endpoint/representation.ts'
import * as EventStream from '../../../http/event-stream.ts'
import * as Headers from '../../../http/headers.ts'
import type { WriteContext } from '../write-context.ts'
import type { BodyPlan, BodyOptions } from '../../../body/body-plan.ts'
import { onStreamEnd } from '../../exchange.ts'
import type { DeferredResponse, WriteBody } from '../deferred-response.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { EventDataWriter } from './event-data.ts'
import { eventDataWriterFor } from './event-data.ts'
import type { Framing } from '../../../body/stream/framings.ts'
import { coalesce } from './coalesce.ts'
import { withHeartbeat } from './heartbeat.ts'
import { openSource } from '../../../body/stream/open-source.ts'
import { prependChunk } from './first-chunk.ts'

/** Prepares what writes sources; `writeOf` writes data that has a representation. */
export const eventStreamWriter = (
  data: EventData,
  settings: Settings,
  said: BodyOptions,
  writeOf: (content: BodyPlan) => WriteBody,
): ((source: unknown, asking: WriteContext) => DeferredResponse) => {
  const writerFor = eventDataWriterFor(data, settings, said, writeOf)
  const interval = settings['fw.rest.sse.heartbeat']
  return (source, asking) => async (head, exchange) => {
    const { turnBudget } = exchange.platform
    const events = coalesce(openSource(source), framing(writerFor(asking)), turnBudget)
    const pieces = withHeartbeat(events, interval)
    onStreamEnd(exchange, () => pieces.close())
    const open = { status: head.status, headers: withFields(head.headers) }
    if (exchange.method === 'HEAD') return { ...open, body: pieces }
    const first = pieces.next()
    await Promise.race([first, turn()])
    return { ...open, body: prependChunk(first, pieces) }
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

const framing = (data: EventDataWriter): Framing => ({
  begin: '',
  between: '',
  end: '',
  write: writing(data),
})

const writing = ({ write: text, messages, open }: EventDataWriter): Framing['write'] => {
  const shared = open?.messages ?? messages
  return (element) => {
    if (!isEvent(element)) return EventStream.format({ data: text(element) })
    const { encoded, hasData } = element
    if (encoded === undefined || !hasData)
      return message(element, hasData ? text(element.data) : undefined)
    const before = shared.get(element)
    if (before !== undefined) return before
    const isEncoded = open !== undefined && encoded.codec === open.codec
    const made = message(element, isEncoded ? encoded.text : text(element.data))
    shared.set(element, made)
    return made
  }
}

const message = ({ name, id, retry, comment }: Event<unknown>, data: string | undefined): string =>
  EventStream.format({ name, id, retry, comment, data })
