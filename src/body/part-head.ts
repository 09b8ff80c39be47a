/** Parses the header section of a form part. */
import * as O from 'fp-ts/lib/Option.js'
import * as ContentDisposition from '../http/content-disposition.ts'
import type { Headers } from '../http/headers.ts'
import * as Fields from '../http/headers.ts'
import * as MediaType from '../http/media-type.ts'

export interface PartHead {
  readonly name: string
  readonly fileName: string | undefined
  /** The declared media type; `undefined` if it is missing or malformed. */
  readonly mediaType: MediaType.MediaType | undefined
  readonly contentType: string | undefined
  readonly charset: string | undefined
  readonly headers: Headers
}

/** Parses the header section. Returns `none` for a part without a name, or with several `Content-Disposition` headers. */
export const parsePartHead = (headers: Headers): O.Option<PartHead> => {
  const [disposition, ...others] = Fields.all(headers, 'content-disposition')
  const names = disposition === undefined ? O.none : ContentDisposition.parseFormData(disposition)
  if (O.isNone(names) || others.length > 0) return O.none
  const contentType = Fields.first(headers, 'content-type')
  const mediaType =
    contentType === undefined ? undefined : O.toUndefined(MediaType.parse(contentType))
  const charset =
    mediaType === undefined ? undefined : O.toUndefined(MediaType.parameter(mediaType, 'charset'))
  return O.some({ ...names.value, mediaType, contentType, charset, headers })
}
