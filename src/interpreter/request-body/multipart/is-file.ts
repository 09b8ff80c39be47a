/** What makes a part a file by itself. */
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../../../http/media-type.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { Part } from './parts.ts'

/** Whether a part has the name of a file, or one of the media types that the settings name. */
export const filePartCheck = (settings: Settings): ((part: Part) => boolean) => {
  const ranges = settings['fw.http.body.multipart.file-content-types'].flatMap((text) => {
    const range = MediaType.parse(text)
    return O.isSome(range) ? [range.value] : []
  })
  return ({ fileName, mediaType }) =>
    fileName !== undefined ||
    (mediaType !== undefined && ranges.some((range) => MediaType.includes(range, mediaType)))
}
