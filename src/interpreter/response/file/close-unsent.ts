/**
 * Closes files that a handler opened for its response, but that are not sent: because of a failed filter, a different
 * response, or a disconnect. They are closed at the end of the request.
 */
import type { OpenHandle } from '../../../endpoint/file.ts'
import { isFilePart, isHandle } from '../../../endpoint/file.ts'
import type { AnyRepresentation } from '../../../endpoint/representation.ts'
import type { BodyPlan } from '../../../body/body-plan.ts'
import { bodyFormat } from '../../../body/body-formats.ts'
import type { Exchange } from '../../exchange.ts'

/** Whether values of a representation may contain open files. */
export const mayContainFiles = ({ format }: AnyRepresentation | BodyPlan): boolean =>
  bodyFormat(format).mayContainFiles

/** Files that are being sent. Their response closes them. */
const sent = new WeakSet<OpenHandle>()

/** Marks a file as being sent, so that {@link closeUnsentFiles} does not close it. */
export const markAsSent = (handle: OpenHandle): void => void sent.add(handle)

/** Closes the open files of an entity at the end of the request, unless they are marked as sent by then. */
export const closeUnsentFiles = (entity: unknown, exchange: Pick<Exchange, 'onEnd'>): void => {
  const handles = handlesIn(entity, 2)
  if (handles.length === 0) return
  exchange.onEnd(() => {
    for (const handle of handles) if (!sent.has(handle)) void close(handle)
  })
}

/** Returns the open files of an entity. Multipart parts are members of a list or record, or of a list in a record. */
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
