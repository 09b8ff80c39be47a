/** Stores request bodies in files. */
import * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../../endpoint/context.ts'
import type { FileBody } from '../../endpoint/file.ts'
import * as MediaType from '../../http/media-type.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { FileSystem } from '../file-system.ts'
import type { BodyStream } from './body-stream.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { ReadStream } from './read-stream.ts'

/**
 * Returns a reader that writes the body to a file. The file is deleted at the end of the request, unless uploads are kept and the
 * body is complete.
 */
export const readToFile = ({ mediaType }: BodyPlan, settings: Settings): ReadStream => {
  const isKept = !settings['fw.http.body.delete-uploaded-files-on-end']
  const assumed = MediaType.isRange(mediaType)
    ? 'application/octet-stream'
    : MediaType.format(mediaType)
  return (chunks, stated, { platform: { files } }) =>
    (context, then, failed) => {
      const contentType = stated === undefined ? assumed : MediaType.format(stated)
      written(chunks, files, isKept, context)
        .then((file) => then(E.right({ ...file, contentType } satisfies FileBody)))
        .catch(failed)
    }
}

const written = async (
  chunks: BodyStream,
  files: FileSystem,
  isKept: boolean,
  { onEnd }: Context,
): Promise<Pick<FileBody, 'path' | 'size'>> => {
  const file = await files.create()
  let isWhole = false
  onEnd(() => (isKept && isWhole ? undefined : file.delete()))
  let size = 0
  for await (const chunk of chunks) {
    await file.write(chunk)
    size += chunk.length
    chunks.free?.(chunk)
  }
  await file.close()
  isWhole = true
  return { path: file.path, size }
}
