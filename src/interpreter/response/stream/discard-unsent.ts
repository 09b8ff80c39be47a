/**
 * Closes streams that a handler returned, but that are not sent, because a filter failed or changed the response. Without that,
 * files or connections that such a stream holds would stay open.
 */
import type { Exchange } from '../../exchange.ts'
import { closeIterator } from '../../../body/stream/pull-iterator.ts'
import { destroy, isDestroyable, isMulti } from '../../../body/stream/open-source.ts'

/**
 * Closes a stream at the end of the request, because a filter may read it for its own response.
 *
 * Values that are not streams are ignored, and streams that hold no resources before they are read.
 */
export const discardUnsentStreams = (entity: unknown, exchange: Pick<Exchange, 'onEnd'>): void => {
  const close = closeFunctionOf(entity)
  if (close !== undefined) exchange.onEnd(() => closeIterator({ next: endOfStream, return: close }))
}

/** Returns the function that closes an open stream. Objects are not recognized by method names alone: JSON entities may have such methods. */
const closeFunctionOf = (entity: unknown): (() => unknown) | undefined => {
  if (typeof entity !== 'object' || entity === null) return undefined
  if (isMulti(entity)) return closeFunctionOf(entity.source)
  if (entity instanceof ReadableStream) return () => entity.cancel()
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
