/** The parts of a form as they come, with what their header sections say. */
import * as O from 'fp-ts/lib/Option.js'
import type { PartHead } from '../../../body/part-head.ts'
import { parsePartHead } from '../../../body/part-head.ts'
import * as Boundary from '../../../http/boundary.ts'
import type * as MediaType from '../../../http/media-type.ts'
import type { BodyStream } from '../body-stream.ts'
import type { Platform } from '../../platform.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import type { RawPart } from './raw-part.ts'
import { malformedMultipart, multipartTooLarge } from './rejected.ts'

export interface Part extends PartHead {
  readonly content: AsyncIterable<Uint8Array>
}

/** Takes the content of a request apart, as `SplitParts` does. It rejects with an `HttpError` when it cannot be, or when there are too many parts. */
export async function* partsOf(
  { splitParts }: Pick<Platform, 'splitParts'>,
  pieces: BodyStream,
  stated: MediaType.MediaType | undefined,
  limits: MultipartLimits,
  free?: BodyStream['free'],
): AsyncGenerator<Part, undefined> {
  const boundary = O.toUndefined(Boundary.ofMediaType(stated))
  if (boundary === undefined)
    throw malformedMultipart('its media type has no boundary that can be used')
  let parts = 0
  for await (const part of splitParts(pieces, boundary, limits, free)) {
    if (++parts > limits.parts)
      throw multipartTooLarge(
        `The form has more than ${limits.parts} fields (fw.http.limits.max-parameters).`,
      )
    yield partOf(part)
  }
}

const partOf = ({ headers, content }: RawPart): Part => {
  const head = parsePartHead(headers)
  if (O.isNone(head))
    throw malformedMultipart('a part has no name, or its Content-Disposition is malformed')
  return { ...head.value, content }
}
