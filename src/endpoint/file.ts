/** Files as response and request bodies. */
import type { Receivable, Representation } from './representation.ts'
import { makeRepresentation, makeReceivable } from './representation.ts'

/** An open file, such as a `FileHandle` of `node:fs/promises`. */
export interface OpenHandle {
  readonly stat: () => Promise<{
    readonly size: number
    readonly mtimeMs: number
    readonly isFile: () => boolean
  }>
  readonly read: (
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ readonly bytesRead: number }>
  readonly close: () => Promise<void>
}

/** A byte range of a file as a body of its own. */
export interface FilePart {
  readonly _tag: 'FilePart'
  readonly file: string | OpenHandle
  /** Index of the first byte, from 0. */
  readonly offset: number
  /** Number of bytes. */
  readonly count: number
}

/** A path, a part of a file, or an open file. An open file is closed after it is sent. */
export type FileSource = string | FilePart | OpenHandle

/** A file that a client receives: a stream of its bytes. */
export interface ReceivedFile extends AsyncIterable<Uint8Array> {
  /** `Content-Type` with its parameters. Default: `application/octet-stream`. */
  readonly contentType: string
  /** Size in bytes; `undefined` if it is not announced. */
  readonly size: number | undefined
  /** File name from `Content-Disposition`, without directories. For display only: never use it as a path. */
  readonly fileName: string | undefined
}

/**
 * A file as response body, streamed with back-pressure.
 *
 * The media type is that of the file extension, or that of `as`: `as('image/png')(file)`. Build paths from request
 * data only with `fileIn` of `espalier/node`, which prevents path traversal.
 *
 * 200 responses to GET and HEAD have `Last-Modified`, `ETag` and `Accept-Ranges`, unless the handler sets them.
 * Conditional requests result in 304 or 412, range requests in 206 or 416 (RFC 9110, 13 and 14). Replies with another
 * status contain the whole file. The `ETag` is computed from size and modification time. It is weak if the file
 * changed within the last two seconds, otherwise strong.
 *
 * | status | cause |
 * |---|---|
 * | 404 | the path is not a file, or the file cannot be read |
 * | 503 | too many open files |
 *
 * A file that shrinks while it is sent destroys the connection. Bytes that are appended meanwhile are not sent.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { file, get, handle, path, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const directory = await mkdtemp(join(tmpdir(), 'espalier-'))
 * await writeFile(join(directory, 'notes.txt'), 'one, two, three')
 *
 * const notes = pipe(
 *   path('/notes'),
 *   get(),
 *   produces(file),
 *   handle(() => join(directory, 'notes.txt')),
 * )
 * const send = inMemory(routes({ notes }))
 * const request = (headers: Record<string, string>) => send('http://localhost/notes', { headers })
 *
 * const whole = await request({})
 * assert.equal(whole.headers.get('Content-Type'), 'text/plain;charset=UTF-8')
 * assert.equal(await whole.text(), 'one, two, three')
 *
 * const range = await request({ Range: 'bytes=5-7' })
 * assert.deepEqual([range.status, await range.text()], [206, 'two'])
 * assert.equal(range.headers.get('Content-Range'), 'bytes 5-7/15')
 * ```
 */
export const file: Receivable<FileSource, ReceivedFile, '*/*'> = makeReceivable('*/*', {
  _tag: 'File',
})

/**
 * Creates a body from `count` bytes of a file, starting at `offset`.
 *
 * It is sent with 200; ranges of a request refer to the part. Throws a `RangeError` unless both are non-negative safe
 * integers. A part beyond the end of the file results in 500.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { filePart } from 'espalier'
 *
 * const { offset, count } = filePart('/var/log/messages', { offset: 100, count: 50 })
 *
 * assert.deepEqual([offset, count], [100, 50])
 * assert.throws(() => filePart('/var/log/messages', { offset: -1, count: 50 }), RangeError)
 * ```
 */
export const filePart = (
  source: string | OpenHandle,
  { offset, count }: { readonly offset: number; readonly count: number },
): FilePart => {
  for (const value of [offset, count])
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`offset and count must be non-negative integers, got ${value}`)
  return Object.freeze({ _tag: 'FilePart', file: source, offset, count })
}

/** Whether a value is a source of `file`. */
export const isFileSource = (value: unknown): value is FileSource =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && (isHandle(value) || isFilePart(value)))

/** Whether a value is a part of a file. */
export const isFilePart = (value: object): value is FilePart =>
  '_tag' in value && value._tag === 'FilePart' && 'count' in value

/** Whether a value is an open file. */
export const isHandle = (value: object): value is OpenHandle =>
  'stat' in value && 'read' in value && 'close' in value && typeof value.stat === 'function'

/** A request body that is stored in a file. */
export interface FileBody {
  /** Absolute path. Generated by the server, without client input. */
  readonly path: string
  /** Size in bytes. */
  readonly size: number
  /** `Content-Type` with its parameters. Default: `application/octet-stream`. */
  readonly contentType: string
}

/**
 * Stores the whole request body in a file, whatever its media type. `as('image/*')(fileBody)` accepts images only.
 *
 * The file is created in `fw.http.body.uploads-directory`, readable only by its owner, and deleted when the request
 * ends. With `fw.http.body.delete-uploaded-files-on-end` set to `false`, completely received files are kept.
 *
 * The body is written while it arrives, so its size needs no memory. It is limited by `fw.http.limits.max-body-size`
 * (413), or by `limits({ bodySize: '1G' })`. A `blocking` operation receives the body in memory first.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFile } from 'node:fs/promises'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, fileBody, handle, path, post, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const firstLine = pipe(
 *   path('/first-line'),
 *   post(),
 *   body(fileBody),
 *   produces(text),
 *   handle(async ({ body: { path, size } }) => {
 *     const [line] = (await readFile(path, 'utf8')).split('\n')
 *     return `${line} of ${size} bytes`
 *   }),
 * )
 * const sent = new Request('http://localhost/first-line', { method: 'POST', body: 'a,b\n1,2\n' })
 *
 * assert.equal(await (await inMemory(routes({ firstLine }))(sent)).text(), 'a,b of 8 bytes')
 * ```
 */
export const fileBody: Representation<FileBody, '*/*'> = makeRepresentation('*/*', {
  _tag: 'FileBody',
})
