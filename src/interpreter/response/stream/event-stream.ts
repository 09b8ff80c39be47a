/**
 * Responds with server-sent events.
 *
 * The head is sent after at most one event-loop turn. Unlike the head of other streams, it is not delayed until the first element
 * is available. An error that occurs within that turn still results in an error response.
 */
import type { Codec } from '../../../codec/codec.ts'
import { eventDataWriter } from '../../../codec/event-data.ts'
import { fullVisibility } from '../../../codec/visibility/visibility.ts'
import type { Event } from '../../../endpoint/sse.ts'
import type { EventData } from '../../../endpoint/representation.ts'
import type { BodyPlan, BodyOptions } from '../../../body/body-plan.ts'
import { bodyPlans } from '../../../body/create-body-plans.ts'
import { codecOfBody } from '../../../body/entity/select-body-plan.ts'
import { customJson, writeJson } from '../../../body/json/json-rules.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { jsonSettings } from '../../json-settings.ts'
import { visibleWriter, writerForCaller } from '../visibility.ts'
import type { WriteResponseBody, WriteContext, DeferredResponse } from '../write-body.ts'
import * as EventStream from '../../../http/event-stream.ts'
import type { ChunkSource } from '../../chunks.ts'
import type { Timer } from '../../timers.ts'
import { isEvent } from '../../../endpoint/sse.ts'
import * as Headers from '../../../http/headers.ts'
import type { Framing } from '../../../body/stream/stream-format.ts'
import { openSource } from '../../../body/stream/open-source.ts'
import { onStreamEnd } from '../../exchange.ts'
import { inNextTurn, startTimer } from '../../timers.ts'
import { coalesce } from './coalesce.ts'
import { prependChunk } from './stream-response.ts'
import { isBytes } from '../../../http/platform-value.ts'
import { invalidResult, writeResult } from '../invalid-result.ts'

/** Writes event data for one caller. */
export interface EventDataWriter {
  /**
   * Returns event data as text. Throws a `TypeError` if the data cannot be written as text, or if `fw.rest.check-results` is set
   * and the data is invalid.
   */
  readonly write: WriteText
  /**
   * The encoded messages, shared by all callers that see the same members. An event with many subscribers is therefore encoded
   * only once.
   */
  readonly messages: MessageCache
  /**
   * The messages for callers that see all members. `undefined` if these messages cannot be sent to the caller, for example because
   * some members are hidden from it.
   */
  readonly unrestricted: UnrestrictedMessages | undefined
}

/** The encoded messages for callers that are allowed to see all members, and the codec for the event data. */
export interface UnrestrictedMessages {
  readonly codec: Codec
  readonly messages: MessageCache
}

/** Encoded messages, keyed by event. */
export type MessageCache = WeakMap<Event<unknown>, string>

type WriteText = (value: unknown) => string

/**
 * Returns a function that creates the event data writer for a caller. If the data has a representation, `bodyWriterOf` creates the
 * body writer.
 */
const eventDataWriterFor = (
  data: EventData,
  settings: Settings,
  options: BodyOptions,
  bodyWriterOf: (plan: BodyPlan) => WriteResponseBody,
): ((context: WriteContext) => EventDataWriter) => {
  if (data._tag === 'Codec') return writerByCodec(data.codec, settings, options)
  const [plan] = bodyPlans([data], noProviders, options)
  return plan === undefined ? () => invalidData : writerByPlan(plan, bodyWriterOf(plan))
}

const writerByCodec = (
  codec: Codec,
  settings: Settings,
  { json, visibility: rules }: BodyOptions,
): ((context: WriteContext) => EventDataWriter) => {
  const unrestrictedWriters = new WeakSet<Function>()
  const writer = visibleWriter(codec, rules, (visibility) => {
    const writeElement = writeJson(codec, jsonSettings(settings), json, visibility)
    const write = validatingWriter(codec, settings, eventDataWriter(codec, writeElement))
    if (visibility === fullVisibility) unrestrictedWriters.add(write)
    return write
  })
  const hasDefaultJson = customJson(codec, json, jsonSettings(settings)) === undefined
  const unrestricted = hasDefaultJson ? { codec, messages: new WeakMap() } : undefined
  return memoizeByGroup(
    (context) => writerForCaller(writer, context),
    (write) => ({
      write,
      messages: new WeakMap(),
      unrestricted: unrestrictedWriters.has(write) ? unrestricted : undefined,
    }),
  )
}

const writerByPlan = (
  plan: BodyPlan,
  write: WriteResponseBody,
): ((context: WriteContext) => EventDataWriter) => {
  const messagesFor = messageCaches(plan)
  return (context) => ({
    write: (value) => toText(write(value, context)),
    messages: messagesFor(context),
    unrestricted: undefined,
  })
}

/**
 * Returns a function that selects the message cache for a caller. Callers that see the same members share a cache.
 *
 * Without a codec, or with an XML writer provided by the application, the text can differ between callers. In that case, each
 * caller has a separate cache.
 */
const messageCaches = (plan: BodyPlan): ((context: WriteContext) => MessageCache) => {
  const codec = codecOfBody(plan)
  const { format } = plan
  if (codec === undefined || (format._tag === 'Xml' && format.hasWriter)) return () => new WeakMap()
  const group = visibleWriter(codec, plan.visibility, () => () => undefined)
  return memoizeByGroup(
    (context) => writerForCaller(group, context),
    () => new WeakMap(),
  )
}

/** Creates a function that returns the value for the group to which a caller belongs. Each value is created only once. */
const memoizeByGroup = <G extends object, A>(
  groupOf: (context: WriteContext) => G,
  create: (group: G) => A,
): ((context: WriteContext) => A) => {
  const values = new WeakMap<G, A>()
  return (context) => {
    const group = groupOf(context)
    const existing = values.get(group)
    if (existing !== undefined) return existing
    const created = create(group)
    values.set(group, created)
    return created
  }
}

/** If `fw.rest.check-results` is set, wraps `write` so that it validates event data. Otherwise, returns `write`. */
const validatingWriter = (codec: Codec, settings: Settings, write: WriteText): WriteText => {
  const writeData = writeResult('event data', codec, write, '')
  if (!settings['fw.rest.check-results']) return writeData
  return (value) => {
    if (!codec.is(value)) throw invalidResult('event data', codec, value)
    return writeData(value)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const toText = (written: unknown): string => {
  if (typeof written === 'string') return written
  if (isBytes(written)) return decoder.decode(written)
  throw new TypeError(`invalid event data: expected text, got ${typeof written}`)
}

/** A placeholder writer for event data with an invalid representation. The compiler rejects such a representation in advance. */
const invalidData: EventDataWriter = {
  write: () => toText(undefined),
  messages: new WeakMap(),
  unrestricted: undefined,
}

/** The list of providers for event data. It is empty, because the readers and writers of the application do not apply. */
const noProviders: ReadonlyArray<never> = []

/**
 * Adds a comment to the stream whenever no chunk arrives within `interval` milliseconds. An interval of `0` disables the
 * comments.
 */
export const withHeartbeat = (chunks: ChunkSource, interval: number): ChunkSource =>
  interval === 0 ? chunks : new HeartbeatSource(chunks, interval)

type Chunk = Awaited<ReturnType<ChunkSource['next']>>

/** The functions that settle the pending promise returned by `next`. */
interface PendingRead {
  readonly resolve: (chunk: Chunk) => void
  readonly reject: (error: unknown) => void
}

class HeartbeatSource implements ChunkSource {
  readonly length = undefined
  readonly #chunks: ChunkSource
  readonly #interval: number
  #timer: Timer | undefined = undefined
  #pendingRead: PendingRead | undefined = undefined
  /** Whether the next chunk has been requested. */
  #isReading = false
  /** Settles the next read with a chunk or an error that arrived while no read was pending. */
  #settleNext: ((read: PendingRead) => void) | undefined = undefined
  #isOpen = true

  constructor(chunks: ChunkSource, interval: number) {
    this.#chunks = chunks
    this.#interval = interval
  }

  next(): Promise<Chunk> {
    return new Promise((resolve, reject) => {
      const settleNext = this.#settleNext
      if (settleNext !== undefined) {
        this.#settleNext = undefined
        return settleNext({ resolve, reject })
      }
      this.#pendingRead = { resolve, reject }
      if (this.#isOpen)
        this.#timer = startTimer(() => this.#takePendingRead()?.resolve(heartbeat), this.#interval)
      if (this.#isReading) return
      this.#isReading = true
      this.#chunks.next().then(
        (chunk) => this.#settle((read) => read.resolve(chunk)),
        (error: unknown) => this.#settle((read) => read.reject(error)),
      )
    })
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearTimeout(this.#timer)
    this.#chunks.close()
  }

  #settle(settle: (read: PendingRead) => void): void {
    this.#isReading = false
    const read = this.#takePendingRead()
    if (read === undefined) this.#settleNext = settle
    else settle(read)
  }

  #takePendingRead(): PendingRead | undefined {
    const read = this.#pendingRead
    this.#pendingRead = undefined
    clearTimeout(this.#timer)
    return read
  }
}

const heartbeat: Chunk = { done: false, value: EventStream.heartbeat }

/** Returns a function that writes event streams. `bodyWriterOf` creates the writer for event data that is declared as a representation. */
export const eventStreamWriter = (
  data: EventData,
  settings: Settings,
  options: BodyOptions,
  bodyWriterOf: (plan: BodyPlan) => WriteResponseBody,
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

const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve))

/** Adds headers that disable caching and buffering by reverse proxies. Headers set by the reply are not changed. */
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

/**
 * Returns a function that writes the elements of a stream. An element is either an event or plain data. An event that is
 * broadcast to many subscribers is encoded only once.
 */
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
