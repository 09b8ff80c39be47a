/**
 * Responds with streams of all formats. The head is sent together with the first chunk. An error before the first chunk therefore
 * results in an error response.
 *
 * The head of a live stream, such as an event stream, is sent after at most one event-loop turn.
 */
import type { BodyPlan } from '../../../body/body-plan.ts'
import { codecOfBody } from '../../../body/body-plan.ts'
import type { Encode } from '../../../body/charset.ts'
import { customJson } from '../../../body/json/json-rules.ts'
import {
  closeIterator,
  destroy,
  isDestroyable,
  isMulti,
  openSource,
} from '../../../body/stream/open-source.ts'
import type { SharedElements, StreamFormat } from '../../../body/stream/stream-format.ts'
import { fullVisibility } from '../../../codec/visibility/visibility.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import * as Headers from '../../../http/headers.ts'
import { isBytes, isReadableStream } from '../../../http/platform-value.ts'
import type { ChunkSource, Exchange } from '../../exchange.ts'
import { wrapChunks, onStreamEnd } from '../../exchange.ts'
import { jsonSettings } from '../../json-settings.ts'
import { inNextTurn, startTimer } from '../../event-loop.ts'
import type { Timer } from '../../event-loop.ts'
import { visibleWriter } from '../write-body.ts'
import type { WriteContext, WriteResponseBody } from '../write-body.ts'
import { coalesce } from './coalesce.ts'

/**
 * Closes an unsent stream at the end of the request. The stream is not closed earlier, because a filter might read it to create
 * a different response.
 *
 * Ignores values that are not streams, and streams that hold no resources until they are read.
 */
export const discardUnsentStreams = (entity: unknown, exchange: Pick<Exchange, 'onEnd'>): void => {
  const close = closeFunctionOf(entity)
  if (close !== undefined) exchange.onEnd(() => closeIterator({ next: endOfStream, return: close }))
}

/**
 * Returns the function that closes an open stream, or `undefined` for other values. Method names alone do not identify a stream,
 * because a JSON entity might have methods with the same names.
 */
const closeFunctionOf = (entity: unknown): (() => unknown) | undefined => {
  if (typeof entity !== 'object' || entity === null) return undefined
  if (isMulti(entity)) return closeFunctionOf(entity.source)
  if (isReadableStream(entity)) return () => entity.cancel()
  const isAsyncIterable = Symbol.asyncIterator in entity
  if (isAsyncIterable && isDestroyable(entity)) return () => destroy(entity)
  return (isAsyncIterable || Symbol.iterator in entity) && isIterator(entity)
    ? () => entity.return()
    : undefined
}

const isIterator = (entity: object): entity is { readonly return: () => unknown } =>
  'next' in entity &&
  typeof entity.next === 'function' &&
  'return' in entity &&
  typeof entity.return === 'function'

const endOfStream = () => ({ done: true as const, value: undefined })

/**
 * Returns a function that responds with streams. `elementWriter` creates the function that writes elements, which are bodies in a
 * format of their own.
 */
export const streamWriter = (
  { element, elementName, framing, live }: StreamFormat,
  plan: BodyPlan,
  settings: Settings,
  encode: Encode | undefined,
  elementWriter: (plan: BodyPlan, subject: string) => WriteResponseBody,
): WriteResponseBody => {
  const elementPlan = element(plan)
  const writeElement = elementPlan && elementWriter(elementPlan, elementName)
  const sharedBy = live && elementPlan && sharedElements(elementPlan, settings)
  const interval = settings['fw.rest.sse.heartbeat']
  return (source, context) => {
    const write = (value: unknown): string => toText(writeElement?.(value, context))
    const shared = sharedBy?.(context)
    const framed = framing({ source, write, encode, json: plan.json, shared })
    return async ({ status, headers }, exchange) => {
      const elements = coalesce(openSource(source), framed, exchange.platform.turnBudget)
      const body = live ? withKeepAlive(elements, live.keepAlive, interval) : elements
      onStreamEnd(exchange, () => body.close())
      const head = { status, headers: live ? withDefaults(headers, live.headers) : headers }
      if (exchange.method === 'HEAD') return { ...head, body }
      const first = body.next()
      await (live ? Promise.race([first, nextTurn()]) : first)
      return { ...head, body: prependChunk(first, body) }
    }
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve))

const withDefaults = (
  headers: Headers.Headers,
  defaults: ReadonlyArray<readonly [name: string, value: string]>,
): Headers.Headers => [
  ...headers,
  ...defaults.flatMap((header) =>
    Headers.first(headers, header[0].toLowerCase()) === undefined ? header : [],
  ),
]

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const toText = (written: unknown): string => {
  if (typeof written === 'string') return written
  if (isBytes(written)) return decoder.decode(written)
  throw new TypeError(`invalid stream element: expected text, got ${typeof written}`)
}

/**
 * Returns a function that selects the elements written for the group to which a caller belongs: the same members are visible to all
 * callers in a group. Without a codec, or with an XML writer provided by the application, the text can differ between callers.
 */
const sharedElements = (
  plan: BodyPlan,
  settings: Settings,
): ((context: WriteContext) => SharedElements | undefined) => {
  const codec = codecOfBody(plan)
  const { format, json, visibility: rules } = plan
  if (codec === undefined || (format._tag === 'Xml' && format.hasWriter)) return () => undefined
  const isPlain = customJson(codec, json, jsonSettings(settings)) === undefined
  const sharedFor = visibleWriter(codec, rules, (visibility) => {
    const isUnrestricted = isPlain && visibility === fullVisibility
    const shared: SharedElements = { written: new WeakMap(), isUnrestricted }
    return () => shared
  })
  return (context) => sharedFor(undefined, context)
}

/** Returns a source whose first chunk is `first`, which has already been requested. All other chunks come from `remaining`. */
export const prependChunk = (
  first: ReturnType<ChunkSource['next']>,
  remaining: ChunkSource,
): ChunkSource => {
  // released when it has been read, because the source may be open for a long time
  let pending: typeof first | undefined = first
  return wrapChunks(remaining, {
    next: () => {
      const next = pending ?? remaining.next()
      pending = undefined
      return next
    },
  })
}

const ignore = (): void => undefined

/** Adds `comment` to the stream whenever no chunk arrives within `interval` milliseconds. An interval of `0` disables this. */
export const withKeepAlive = (
  chunks: ChunkSource,
  comment: string,
  interval: number,
): ChunkSource => {
  if (interval === 0) return chunks
  /** The chunk that has been requested, until it is returned. */
  let requested: ReturnType<ChunkSource['next']> | undefined
  let hasArrived = false
  let endWait = ignore
  let timer: Timer | undefined
  let isOpen = true
  const onArrival = (): void => {
    hasArrived = true
    endWait()
  }
  /** Waits until the requested chunk has arrived or the interval has elapsed. */
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      endWait = resolve
      if (isOpen) timer = startTimer(resolve, interval)
    })
  return {
    length: undefined,
    next: async () => {
      if (requested === undefined) {
        hasArrived = false
        requested = chunks.next()
        requested.then(onArrival, onArrival)
      }
      if (!hasArrived) await wait()
      clearTimeout(timer)
      if (!hasArrived) return { done: false, value: comment }
      const chunk = requested
      requested = undefined
      return chunk
    },
    close: () => {
      if (!isOpen) return
      isOpen = false
      clearTimeout(timer)
      chunks.close()
    },
  }
}
