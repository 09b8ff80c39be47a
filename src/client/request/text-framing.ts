/** Text streams in the charset that their media type announces. */
import * as O from 'fp-ts/lib/Option.js'
import { encodingOf } from '../../body/text/charset.ts'
import type { Framing } from '../../body/stream/framings.ts'
import { encodedText, utf8Text } from '../../body/stream/framings.ts'
import * as MediaType from '../../http/media-type.ts'

/** Returns the framing of text under a media type; UTF-8 if there is none. */
export const textsFor = (type: string | undefined): Framing => {
  const mediaType = type === undefined ? undefined : O.toUndefined(MediaType.parse(type))
  const encode = mediaType && encodingOf({ mediaType, format: { _tag: 'TextStream' } })
  return encode === undefined ? utf8Text() : encodedText(encode)
}
