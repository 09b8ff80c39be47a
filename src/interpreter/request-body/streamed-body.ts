/** Reads bodies that are not buffered: streams of bytes or text, files and multipart forms. */
import * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../../endpoint/context.ts'
import type { FileBody } from '../../endpoint/file.ts'
import * as MediaType from '../../http/media-type.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { isBuiltIn } from '../../body/body-plan.ts'
import type { FileSystem, BodyStream } from '../exchange.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { ReadStream } from './buffered-body.ts'
import { multipartFormReader } from './multipart/multipart-form.ts'
import { multipartInputReader, multipartStreamReader } from './multipart/multipart-input.ts'
import type { Plan } from '../../compiler/plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { bodyTooLarge, limitOfSetting } from '../../compiler/settings/body-limit.ts'
import { readError } from '../errors/error-response.ts'
import { bodyReader } from './buffered-body.ts'

/**
 * Returns a reader that writes the body to a file. The file is deleted at the end of the request, unless uploads are kept and the
 * body is complete.
 */
const readToFile = ({ mediaType }: BodyPlan, settings: Settings): ReadStream => {
  const isKept = !settings['fw.http.body.delete-uploaded-files-on-end']
  const defaultType = MediaType.isRange(mediaType)
    ? 'application/octet-stream'
    : MediaType.format(mediaType)
  return async (chunks, requestType, { platform: { files } }, context) => {
    const contentType = requestType === undefined ? defaultType : MediaType.format(requestType)
    const file = await writeToFile(chunks, files, isKept, context)
    return E.right({ ...file, contentType } satisfies FileBody)
  }
}

const writeToFile = async (
  chunks: BodyStream,
  files: FileSystem,
  isKept: boolean,
  { onEnd }: Context,
): Promise<Pick<FileBody, 'path' | 'size'>> => {
  const file = await files.create()
  let isComplete = false
  onEnd(() => (isKept && isComplete ? undefined : file.delete()))
  let size = 0
  for await (const chunk of chunks) {
    await file.write(chunk)
    size += chunk.length
    chunks.free?.(chunk)
  }
  await file.close()
  isComplete = true
  return { path: file.path, size }
}

/** Returns the stream reader for a body, or `undefined` if the body is buffered. */
export const streamReader = (
  body: BodyPlan,
  plan: Plan,
  settings: Settings,
): ReadStream | undefined => {
  switch (body.format._tag) {
    case 'FileBody':
      return readToFile(body, settings)
    case 'MultipartForm':
      return multipartFormReader(plan, settings)
    case 'MultipartInput':
      return multipartInputReader(settings)
    case 'MultipartStream':
      return multipartStreamReader(settings)
    default:
      return elementReader(body, settings)
  }
}

/**
 * Returns a reader for a stream of elements, or `undefined` if the body is buffered. An invalid element causes an error while the stream
 * is being read.
 */
const elementReader = (body: BodyPlan, settings: Settings): ReadStream | undefined => {
  const { stream } = bodyFormat(body.format)
  if (stream === undefined) return undefined
  const element = stream.element(body)
  const limit = limitOfSetting('fw.http.limits.max-parsed-body-size', settings)
  const options = {
    readElement:
      element === undefined || !isBuiltIn(element) ? E.right : bodyReader(element, settings),
    maxBytes: limit.bytes,
    invalid: readError,
    tooLarge: () => readError(bodyTooLarge(limit)),
  }
  return (chunks, contentType) => stream.read(chunks, { ...options, contentType })
}
