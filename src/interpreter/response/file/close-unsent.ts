/**
 * Files that were opened to be sent, and are not: a filter behind the handler failed, or answered something else, or the client
 * has gone. They are closed at the end of their request.
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

/** Files that somebody else closes now. */
const taken = new WeakSet<OpenHandle>()

/** Who sends a file closes it. */
export const markAsSent = (handle: OpenHandle): void => void taken.add(handle)

/** Has the open files of an entity closed at the end of the request, unless they are taken until then. */
export const closeUnsentFiles = (entity: unknown, exchange: Pick<Exchange, 'onEnd'>): void => {
  const handles = handlesIn(entity, 2)
  if (handles.length === 0) return
  exchange.onEnd(() => {
    for (const handle of handles) if (!taken.has(handle)) void close(handle)
  })
}

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
