/** Files as contents of responses: whole ones, parts of them, and files that are open already. */
import type { Receivable, Representation } from './representation.ts'
import { makeRepresentation, makeReceivable } from './representation.ts'

/** A file that a program has opened, such as the `FileHandle` of `node:fs/promises`. */
export interface OpenHandle {
  readonly stat: () => Promise<{
    readonly size: number
    readonly mtimeMs: number
    readonly isFile: () => boolean
  }>
  readonly read: (
    octets: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ readonly bytesRead: number }>
  readonly close: () => Promise<void>
}

/** Octets of a file, as a content of their own. */
export interface FilePart {
  readonly _tag: 'FilePart'
  readonly file: string | OpenHandle
  /** Where they begin, from 0. */
  readonly offset: number
  /** How many there are. */
  readonly count: number
}

/** A file by its path, a part of one, or one that is open, which is closed when it was sent. */
export type FileSource = string | FilePart | OpenHandle

/** A file as a client gets it: its octets, while they come. */
export interface ReceivedFile extends AsyncIterable<Uint8Array> {
  /** As it is stated, with its parameters; `application/octet-stream` when nothing is. */
  readonly contentType: string
  /** Octets; `undefined` where they are not said before. */
  readonly size: number | undefined
  /** The name that was given to it, without any directory. It is to be shown, and no path. */
  readonly fileName: string | undefined
}

/**
 * A file, sent in pieces as fast as the client takes it. Its media type is the one of its extension, or the one that `as` says:
 * `as('image/png')(file)`. Never make a path from the text of a request but with `fileIn` of `espalier/node`.
 *
 * A response to GET or HEAD with the status 200 has `Last-Modified`, `ETag` and `Accept-Ranges`, unless the handler says them
 * itself. Conditional requests are answered with 304 or 412, ranges with 206 or 416 (RFC 9110, 13 and 14); a reply with
 * another status is sent whole. The tag is strong for a file that was left alone for the last two seconds, by its size and the time of
 * its last change, and weak otherwise.
 *
 * What is no file, or may not be read, is answered with 404; too many open files with 503. A file that shrinks while it is
 * sent cuts the connection; what grows beyond its length is left out.
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
 * const call = inMemory(routes({ notes }))
 * const ask = (headers: Record<string, string>) => call(new Request('http://localhost/notes', { headers }))
 *
 * const whole = await ask({})
 * assert.equal(whole.headers.get('Content-Type'), 'text/plain;charset=UTF-8')
 * assert.equal(await whole.text(), 'one, two, three')
 *
 * const range = await ask({ Range: 'bytes=5-7' })
 * assert.deepEqual([range.status, await range.text()], [206, 'two'])
 * assert.equal(range.headers.get('Content-Range'), 'bytes 5-7/15')
 * ```
 */
export const file: Receivable<FileSource, ReceivedFile, '*/*'> = makeReceivable('*/*', {
  _tag: 'File',
})

/**
 * `count` octets of a file from `offset` on, as a content of its own: sent with 200, and ranges of it are ranges of the part. Throws
 * a `RangeError` for what no part can be; a part that goes beyond the end of its file is a defect, which is answered with 500.
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
  for (const octets of [offset, count])
    if (!Number.isSafeInteger(octets) || octets < 0)
      throw new RangeError(`a part of a file has whole numbers of octets, and not ${octets}`)
  return Object.freeze({ _tag: 'FilePart', file: source, offset, count })
}

/** Whether a value names a file. */
export const isFileSource = (value: unknown): value is FileSource =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && (isHandle(value) || isFilePart(value)))

export const isFilePart = (value: object): value is FilePart =>
  '_tag' in value && value._tag === 'FilePart' && 'count' in value

export const isHandle = (value: object): value is OpenHandle =>
  'stat' in value && 'read' in value && 'close' in value && typeof value.stat === 'function'

/** Where a body lies that was received into a file. */
export interface FileBody {
  /** Absolute. No part of it comes from the client. */
  readonly path: string
  /** Octets. */
  readonly size: number
  /** As the request states it, with its parameters; `application/octet-stream` when it states none. */
  readonly contentType: string
}

/**
 * The whole body in a file, of any media type; `as('image/*')(fileBody)` takes images only. The file is made below
 * `fw.http.body.uploads-directory`, readable by its owner alone, and deleted when the request has ended, whatever became of
 * it. Where `fw.http.body.delete-uploaded-files-on-end` is `false`, one that was received whole stays.
 *
 * It is written as it comes, so its size needs no memory; `limits({ bodySize: '1G' })` lets more in than
 * `fw.http.limits.max-body-size` does. A `blocking` operation gets its content in memory first.
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
 *     return `${line} of ${size} octets`
 *   }),
 * )
 * const sent = new Request('http://localhost/first-line', { method: 'POST', body: 'a,b\n1,2\n' })
 *
 * assert.equal(await (await inMemory(routes({ firstLine }))(sent)).text(), 'a,b of 8 octets')
 * ```
 */
export const fileBody: Representation<FileBody, '*/*'> = makeRepresentation('*/*', {
  _tag: 'FileBody',
})
