/**
 * Responds with a stream. The head is sent together with the first chunk. An error before the first chunk therefore results in an
 * error response.
 */
import type { Exchange } from '../../exchange.ts'
import {
  closeIterator,
  destroy,
  isDestroyable,
  isMulti,
  openSource,
} from '../../../body/stream/open-source.ts'
import { onStreamEnd } from '../../exchange.ts'
import type { ChunkSource } from '../../chunks.ts'
import { chunkReleaser } from '../../chunks.ts'
import type { DeferredResponse, WriteResponseBody } from '../write-body.ts'
import type { Framing, StreamFormat } from '../../../body/stream/stream-format.ts'
import { coalesce } from './coalesce.ts'
import type { Encode } from '../../../body/charset.ts'
import type { BodyPlan } from '../../../body/body-plan.ts'
import { isReadableStream } from '../../../http/platform-value.ts'

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

/** Responds with a stream returned by a handler. */
const streamResponse =
  (source: unknown, framing: Framing): DeferredResponse =>
  async (head, exchange) => {
    const chunks = coalesce(openSource(source), framing, exchange.platform.turnBudget)
    onStreamEnd(exchange, () => chunks.close())
    if (exchange.method === 'HEAD') return { ...head, body: chunks }
    const first = chunks.next()
    await first
    return { ...head, body: prependChunk(first, chunks) }
  }

/** Returns a source whose first chunk is `first`, which has already been requested. All other chunks come from `remaining`. */
export const prependChunk = (
  first: ReturnType<ChunkSource['next']>,
  remaining: ChunkSource,
): ChunkSource => {
  // released when it has been read, because the source may be open for a long time
  let pending: typeof first | undefined = first
  return {
    length: remaining.length,
    isFile: remaining.isFile,
    next: () => {
      const next = pending ?? remaining.next()
      pending = undefined
      return next
    },
    close: () => remaining.close(),
    free: chunkReleaser(remaining),
  }
}

/**
 * Returns a function that writes streams. `elementWriter` creates the function that writes elements, which are bodies in the format
 * of the elements. An element without a JSON representation, such as `undefined`, is written as `null`, as `JSON.stringify` does in
 * arrays.
 */
export const streamWriter = (
  { element, framing }: StreamFormat,
  plan: BodyPlan,
  encode: Encode | undefined,
  elementWriter: (plan: BodyPlan) => WriteResponseBody,
): WriteResponseBody => {
  const writeElement = element && elementWriter({ ...plan, format: element })
  return (source, context) => {
    const write = (value: unknown): string => {
      const text = writeElement?.(value, context)
      return typeof text === 'string' && text !== '' ? text : 'null'
    }
    return streamResponse(source, framing({ source, write, encode, json: plan.json }))
  }
}
