/** A body that is received into a file. */
import type { Representation } from './representation.ts'
import { of } from './representation.ts'

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
export const fileBody: Representation<FileBody, '*/*'> = of('*/*', { _tag: 'FileBody' })
