/** Writes XML representations with the visibility of a response. */
import { isHidden } from '../../codec/visibility/visibility.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import type { WriteBody } from './deferred-response.ts'
import type { VisibilityRules } from '../../body/visibility.ts'
import { formatErrors, writerErrors } from '../../body/xml/xml-format-errors.ts'
import { visibleWriter, writeVisible } from './visibility.ts'

/**
 * Creates the writer of an XML representation.
 *
 * Throws a `TypeError` for configuration errors. Compilation has verified all representations of the tree, but not those that
 * a handler returns in a part of a form.
 */
export const xmlWriter = (
  format: XmlFormat,
  projecting: VisibilityRules | undefined,
): WriteBody => {
  const errors = [...formatErrors(format), ...writerErrors(format, projecting?.secure)]
  if (errors.length > 0) throw new TypeError(errors.map(([, remedy]) => remedy).join('\n'))
  return writeVisible(
    visibleWriter(format.codec, projecting, (projection) =>
      format.writer((member) => isHidden(member, projection)),
    ),
  )
}
