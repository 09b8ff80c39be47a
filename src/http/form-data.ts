/**
 * `Content-Disposition: form-data` of a part: the names of a field and of a file. Clients write them in several ways, and none
 * of them may make a part vanish.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578#section-4.2
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
import * as O from 'fp-ts/lib/Option.js'
import * as ContentDisposition from './content-disposition.ts'

export interface FormData {
  readonly name: string
  /** The name of the file without any directory; `undefined` when the part says of no file. It is to be shown, and no path. */
  readonly fileName: string | undefined
}

/** Reads the value of the field; `none` when it is something else, has no name, or cannot be read to its end. */
export const parse = (value: string): O.Option<FormData> => {
  const disposition = ContentDisposition.parse(value)
  if (O.isNone(disposition) || disposition.value.type !== 'form-data') return O.none
  const { name, fileName } = disposition.value
  return name === undefined || name === '' ? O.none : O.some({ name, fileName })
}
