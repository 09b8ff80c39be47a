/** Representations that send files as response bodies or store request bodies in files. */
import type { Receivable, Representation } from './representation.ts'
import { makeRepresentation, makeReceivable } from './representation.ts'
import { isObject } from '../http/platform-value.ts'

/** An open file, such as a `FileHandle` from `node:fs/promises`. */
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

/** A byte range of a file, sent as a complete response body. */
export interface FilePart {
  readonly _tag: 'FilePart'
  readonly file: string | OpenHandle
  /** Zero-based position of the first byte in the file. */
  readonly offset: number
  /** Number of bytes in the range. */
  readonly count: number
}

/**
 * A value that a handler can return to send a file: a path, a part of a file, or an open file. An open file is closed
 * after it has been sent.
 */
export type FileSource = string | FilePart | OpenHandle

/** A file received by a client, as a stream of bytes. */
export interface ReceivedFile extends AsyncIterable<Uint8Array> {
  /** Value of the `Content-Type` header, including parameters. Default: `application/octet-stream`. */
  readonly contentType: string
  /** Size in bytes, or `undefined` if the response is compressed or has no valid `Content-Length` header. */
  readonly size: number | undefined
  /**
   * File name in the `Content-Disposition` header, without directories. Use this value for display only, never as a
   * path.
   */
  readonly fileName: string | undefined
}

/**
 * Representation of a file as a response body. The file is streamed with back-pressure.
 *
 * The file extension determines the media type, unless `as` sets it: `as('image/png')(file)`. To build a path from
 * request data, use only `fileResolver` from `espalier/node`, which prevents path traversal.
 *
 * 200 responses to GET, HEAD and QUERY have the `Last-Modified`, `ETag` and `Accept-Ranges` headers, unless the handler sets
 * them. Conditional requests can result in a 304 or 412 response, and range requests in 206 or 416 (RFC 9110, 13 and 14).
 * Replies with another status contain the whole file.
 *
 * The `ETag` is computed from the size and the modification time of the file. If the file was modified within the
 * last two seconds, the `ETag` is a weak validator. Otherwise, it is a strong validator.
 *
 * | status | cause |
 * |---|---|
 * | 404 | the path does not refer to a file, or the file cannot be read |
 * | 503 | the process has too many open files |
 *
 * If a file shrinks while it is being sent, the connection is destroyed. Bytes appended to the file during that time
 * are not sent.
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
 * Creates a response body that consists of `count` bytes of a file, starting at `offset`.
 *
 * The part is sent with status 200. In a range request, the ranges refer to the part, not to the file. A part that
 * extends beyond the end of the file results in a 500 response. Throws a `RangeError` unless `offset` and `count` are
 * non-negative safe integers.
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
  for (const [name, value] of Object.entries({ offset, count }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`${name} must be a non-negative integer, got ${value}`)
  return Object.freeze({ _tag: 'FilePart', file: source, offset, count })
}

/** Whether a handler can return a value for a `file` representation. */
export const isFileSource = (value: unknown): value is FileSource =>
  typeof value === 'string' || (isObject(value) && (isHandle(value) || isFilePart(value)))

/** Whether a value was created by `filePart`. */
export const isFilePart = (value: object): value is FilePart =>
  '_tag' in value && value._tag === 'FilePart' && 'count' in value

/** Whether a value is an open file. */
export const isHandle = (value: object): value is OpenHandle =>
  'stat' in value && 'read' in value && 'close' in value && typeof value.stat === 'function'

/** A request body stored in a file. */
export interface FileBody {
  /** Absolute path of the file. The path is generated by the server and contains no client input. */
  readonly path: string
  /** Size in bytes. */
  readonly size: number
  /** Value of the `Content-Type` header, including parameters. Default: `application/octet-stream`. */
  readonly contentType: string
}

/**
 * Representation that stores the whole request body in a file, regardless of the media type.
 * `as('image/*')(fileBody)` accepts only images.
 *
 * The file is created in the directory `fw.http.body.uploads-directory`, and only its owner can read it. The file is
 * deleted when the request ends. If `fw.http.body.delete-uploaded-files-on-end` is `false`, files that were received
 * completely are kept.
 *
 * The body is written to the file while it is arriving. Large bodies therefore need no additional memory. The maximum
 * size is `fw.http.limits.max-body-size`, or the size set with `limits({ bodySize: '1G' })`. Larger bodies result in
 * 413. For a `blocking` operation, the body is received completely before the worker starts. Up to 64 KiB are held in
 * memory, and a larger body is stored in another temporary file.
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
