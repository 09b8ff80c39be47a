/**
 * What a handler returned and is not sent: a filter behind it failed, or answered something else, or the answer has no content.
 * A source or a file may be open already, and nobody else knows of it.
 */
import type { OpenHandle } from '../endpoint/file.ts'
import { isFilePart, isHandle } from '../endpoint/file.ts'
import type { Exchange } from './exchange.ts'
import { leave } from './stream/leave.ts'
import { isDestroyable, isMulti } from './stream/source.ts'

/**
 * Has a source left, and files closed, at the end of the request: what a filter answers instead may be made of them. What holds
 * nothing before it is asked is not touched.
 */
export const leaveUnsent = (entity: unknown, exchange: Pick<Exchange, 'onEnd'>): void => {
  if (typeof entity !== 'object' || entity === null) return
  const holder = holderOf(entity)
  const handles = handlesIn(entity, 2)
  if (holder !== undefined) exchange.onEnd(() => leave({ next: nothing, return: holder }))
  if (handles.length > 0) exchange.onEnd(() => handles.forEach((handle) => void close(handle)))
}

/** How what is open already is left. An entity that is JSON may have methods of such names, so nothing is guessed. */
const holderOf = (entity: unknown): (() => unknown) | undefined => {
  if (typeof entity !== 'object' || entity === null) return undefined
  if (isMulti(entity)) return holderOf(entity.source)
  if (entity instanceof ReadableStream) return () => entity.cancel()
  const isLater = Symbol.asyncIterator in entity
  if (isLater && isDestroyable(entity)) return () => entity.destroy()
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

/** In the parts of a form too: the members of a list or a record, and of a list in a record. */
const handlesIn = (entity: unknown, depth: number): ReadonlyArray<OpenHandle> => {
  if (typeof entity !== 'object' || entity === null) return []
  if (isHandle(entity)) return [entity]
  if (isFilePart(entity)) return handlesIn(entity.file, 0)
  return depth === 0 || ArrayBuffer.isView(entity)
    ? []
    : Object.values(entity).flatMap((member) => handlesIn(member, depth - 1))
}

const close = async (handle: OpenHandle): Promise<void> => {
  try {
    await handle.close()
  } catch {}
}
