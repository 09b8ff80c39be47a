/**
 * Creates `multipart/byteranges` responses for requests with several byte ranges.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.6
 */
import * as Boundary from '../../../http/boundary.ts'
import * as ContentRange from '../../../http/content-range.ts'
import * as Headers from '../../../http/headers.ts'
import type { Slice } from '../../../http/range.ts'
import type { EncodedResponse } from '../../exchange.ts'
import { multipartBody } from '../multipart/multipart-body.ts'
import type { FileContent } from './file-content.ts'
import { fileChunks } from './file-content.ts'

/** Creates a 206 with one part per byte range. `close` is called when the response is sent or the client disconnects. */
export const byteRanges = (
  headers: Headers.Headers,
  content: FileContent,
  slices: ReadonlyArray<Slice>,
  close: () => void,
): EncodedResponse => {
  const boundary = Boundary.generate()
  const type = Headers.first(headers, 'content-type')
  const parts = slices.map((slice) => ({
    headers: [
      ...(type === undefined ? [] : ['Content-Type', type]),
      'Content-Range',
      ContentRange.format(slice, content.size),
    ],
    body: fileChunks(content, slice, () => undefined),
  }))
  return {
    status: 206,
    headers: [
      'Content-Type',
      `multipart/byteranges; boundary=${boundary}`,
      ...Headers.without(headers, 'content-type'),
    ],
    body: multipartBody(parts, boundary, close),
  }
}
