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
import type { DeferredResponse, WriteContext } from '../write-body.ts'
import type { Framing } from '../../../body/stream/framings.ts'
import { coalesce } from './coalesce.ts'
import type { Codec } from '../../../codec/codec.ts'
import type { Visibility } from '../../../codec/visibility/visibility.ts'
import type { BodyOptions } from '../../../body/body-plan.ts'
import { writeJson } from '../../../body/json/json-rules.ts'
import { jsonArray, jsonLines } from '../../../body/stream/framings.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { jsonSettings } from '../../json-settings.ts'
import { visibleWriter, writerForCaller } from '../visibility.ts'
import { isReadableStream } from '../../../http/platform-value.ts'
import { invalidResult, writeResult } from '../invalid-result.ts'

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
export const streamResponse =
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
 * Returns a function that writes streams whose elements are values of `codec`.
 *
 * If `isArray` is set, a stream is written as an array. If it is not set, or if the handler returned a `Multi` that disables
 * arrays, each element is written on a separate line.
 */
export const jsonStreamWriter = (
  { codec, isArray }: { readonly codec: Codec; readonly isArray: boolean },
  settings: Settings,
  options: BodyOptions,
): ((source: unknown, context: WriteContext) => DeferredResponse) => {
  const writer = visibleWriter(codec, options.visibility, (visibility) =>
    elementWriter(codec, settings, options, visibility),
  )
  const framingsOf = framings(options)
  const shared = writer._tag === 'Always' ? framingsOf(writer.write) : undefined
  return (source, context) => {
    const { array, lines } = shared ?? framingsOf(writerForCaller(writer, context))
    return streamResponse(
      source,
      isArray && !(isMulti(source) && !source.encodeAsArray) ? array : lines,
    )
  }
}

type Write = (element: unknown) => string

/**
 * Returns a function that creates two framings: one for a JSON array, and one that writes each element on a separate line. If a
 * custom JSON library inserts line breaks into an element, the second framing removes them.
 */
const framings =
  ({ json }: BodyOptions) =>
  (write: Write): { readonly array: Framing; readonly lines: Framing } => ({
    array: jsonArray(write),
    lines: jsonLines(json === undefined ? write : onOneLine(write)),
  })

/**
 * Removes line breaks and the indentation after them. JSON contains line breaks only between tokens, where whitespace is
 * insignificant.
 */
const onOneLine =
  (write: Write): Write =>
  (element) =>
    write(element).replaceAll(/[\r\n]\s*/g, '')

/**
 * Returns a function that writes elements. An element without a JSON representation, such as `undefined`, is written as `null`,
 * as `JSON.stringify` does in arrays.
 */
const elementWriter = (
  codec: Codec,
  settings: Settings,
  { json }: BodyOptions,
  visibility: Visibility,
): Write => {
  const write = writeJson(codec, jsonSettings(settings), json, visibility)
  const writeElement = writeResult(subject, codec, write, 'null')
  if (!settings['fw.rest.check-results']) return writeElement
  return (element) => {
    if (!codec.is(element)) throw invalidResult(subject, codec, element)
    return writeElement(element)
  }
}

const subject = 'stream element'
