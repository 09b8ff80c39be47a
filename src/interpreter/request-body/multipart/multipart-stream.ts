/** Passes the parts of a form to the handler as a stream. Nothing is buffered. */
import type { StreamedPart } from '../../../endpoint/multipart.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { ReadStream } from '../read-stream.ts'
import {
  attributeByteLimit,
  fileByteLimit,
  tooManyFilesError,
  filePartCheck,
  partsOf,
} from './parts.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import { multipartLimits } from './multipart-limits.ts'
import type { Part } from './parts.ts'
import * as E from 'fp-ts/lib/Either.js'

export const multipartStreamReader = (settings: Settings): ReadStream => {
  const limits = multipartLimits(settings)
  const isFile = filePartCheck(settings)
  return (chunks, stated, exchange) =>
    ({ onEnd }, then) => {
      const parts = streamed(partsOf(exchange.platform, chunks, stated, limits), isFile, limits)
      // a handler may stop reading without calling `return`
      onEnd(() => parts.return(undefined))
      then(E.right(parts))
    }
}

async function* streamed(
  parts: AsyncIterable<Part>,
  isFile: (part: Part) => boolean,
  limits: MultipartLimits,
): AsyncGenerator<StreamedPart, undefined> {
  let files = 0
  for await (const part of parts) {
    if (isFile(part) && ++files > limits.files) throw tooManyFilesError(limits)
    const { name, fileName, contentType, charset, headers } = part
    const content = isFile(part)
      ? fileByteLimit(part, limits)
      : attributeByteLimit(part, limits.attribute)
    yield { name, fileName, contentType, charset, headers, content }
  }
}
