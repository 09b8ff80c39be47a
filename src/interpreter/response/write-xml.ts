/** Writes XML by the functions that its representation brings along, for who asks. */
import { isHidden } from '../../codec/visibility/visibility.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import type { Write } from './deferred-response.ts'
import type { Projecting } from '../../body/visibility.ts'
import { formatErrors, writerErrors } from '../../body/xml/xml-format-errors.ts'
import { projected, written } from './visibility.ts'

/**
 * Prepares writing. A tree does not start with what is wrong with its XML; of a representation that a handler gives with a
 * part of a form nobody knew before: a `TypeError` says it.
 */
export const writeXml = (format: XmlFormat, projecting: Projecting | undefined): Write => {
  const errors = [...formatErrors(format), ...writerErrors(format, projecting?.secure)]
  if (errors.length > 0) throw new TypeError(errors.map(([, remedy]) => remedy).join('\n'))
  return written(
    projected(format.codec, projecting, (projection) =>
      format.writer((member) => isHidden(member, projection)),
    ),
  )
}
