/** Creates uploaded files for unit tests that call handlers directly. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { FileUpload } from '../endpoint/body.ts'
import * as ContentDisposition from '../http/content-disposition.ts'
import * as MediaType from '../http/media-type.ts'

/** Options for `testUpload`: values that override the defaults. */
export interface TestUpload {
  /** Name of the part. Default: `file`. */
  readonly name?: string
  /** File name sent by the client. Default: `file`. */
  readonly fileName?: string
  /** Media type of the part. Default: `application/octet-stream`. */
  readonly contentType?: string
  /** Headers of the part. Default: `Content-Disposition` and `Content-Type`, as a browser sends them. */
  readonly headers?: FileUpload['headers']
}

/**
 * Creates an uploaded file for calling a handler in a unit test. Writes `content` to a new temporary file, which the handler can
 * read, move or delete. The file is deleted when the process or the worker thread exits.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFile } from 'node:fs/promises'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { form, handle, path, post, produces, text, upload } from 'espalier'
 * import { testContext, testUpload } from 'espalier/testing'
 *
 * const addCover = pipe(
 *   path('/covers'),
 *   post(),
 *   form({ cover: upload }),
 *   produces(text),
 *   handle(async ({ form: { cover } }) => `${cover.fileName}: ${await readFile(cover.path, 'utf8')}`),
 * )
 * const cover = testUpload('pixels', { name: 'cover', fileName: 'emma.png', contentType: 'image/png' })
 *
 * assert.equal(await addCover.run({ form: { cover } }, testContext()), 'emma.png: pixels')
 * assert.equal(cover.size, 6)
 * ```
 */
export const testUpload = (
  content: string | Uint8Array,
  {
    name = 'file',
    fileName = 'file',
    contentType = 'application/octet-stream',
    headers = [
      'Content-Disposition',
      ContentDisposition.formData(name, fileName),
      'Content-Type',
      contentType,
    ],
  }: TestUpload = {},
): FileUpload => {
  const path = join(testDirectory(), randomUUID())
  const bytes = Buffer.from(content)
  writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 })
  const charset = pipe(
    MediaType.parse(contentType),
    O.chain((mediaType) => MediaType.parameter(mediaType, 'charset')),
    O.toUndefined,
  )
  const read = (): Promise<Uint8Array> => readFile(path)
  return { name, fileName, path, size: bytes.length, contentType, charset, headers, read }
}

/** Returns the directory for the files of this thread. It is created on the first call, and deleted when the thread exits. */
const testDirectory = (): string => {
  const directory = join(tmpdir(), `espalier-test-uploads-${process.pid}-${threadId}`)
  if (existsSync(directory)) return directory
  mkdirSync(directory, { mode: 0o700 })
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
