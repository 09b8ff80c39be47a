/**
 * Sources that a handler returned and that are not sent: a filter behind it failed, or answered something else. Some of them
 * hold a file or a connection already, and nobody else knows of them.
 */
import type { Exchange } from '../../exchange.ts'
import { closeIterator } from '../../../body/stream/pull-iterator.ts'
import { destroy, isDestroyable, isMulti } from '../../../body/stream/open-source.ts'

/**
 * Has a source left at the end of the request: what a filter answers instead may be made of it. What is no source, or holds
 * nothing before it is asked, is not touched.
 */
export const discardUnsentStreams = (entity: unknown, exchange: Pick<Exchange, 'onEnd'>): void => {
  const holder = holderOf(entity)
  if (holder !== undefined) exchange.onEnd(() => closeIterator({ next: nothing, return: holder }))
}

/** How what is open already is left. An entity that is JSON may have methods of such names, so nothing is guessed. */
const holderOf = (entity: unknown): (() => unknown) | undefined => {
  if (typeof entity !== 'object' || entity === null) return undefined
  if (isMulti(entity)) return holderOf(entity.source)
  if (entity instanceof ReadableStream) return () => entity.cancel()
  const isLater = Symbol.asyncIterator in entity
  if (isLater && isDestroyable(entity)) return () => destroy(entity)
  return (isLater || Symbol.iterator in entity) && isIterator(entity)
    ? () => entity.return()
    : undefined
}

const isIterator = (entity: object): entity is { readonly return: () => unknown } =>
  'next' in entity &&
  typeof entity.next === 'function' &&
  'return' in entity &&
  typeof entity.return === 'function'

const nothing = () => ({ done: true as const, value: undefined })
