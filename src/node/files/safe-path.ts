/** Resolves paths from requests to files in a directory, and prevents path traversal. */
import { realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { Either } from 'fp-ts/lib/Either.js'
import { left, right } from 'fp-ts/lib/Either.js'
import type { Reply } from '../../endpoint/reply.ts'
import { reply } from '../../endpoint/reply.ts'

/** Finds a file by its decoded path segments, or by a relative path with `/` as the separator. */
export type FindFile = (
  relative: string | ReadonlyArray<string>,
) => Promise<Either<Reply<404, void>, string>>

/**
 * Creates a function that finds a file in `directory`. The function takes a path from a request, such as a parameter decoded by
 * `segments(string)`.
 *
 * The function resolves to a `Right` with the real path of the file. If there is no such file, it resolves to a `Left` with a 404
 * reply. The handler of an operation that produces `file` and declares `fails(404)` can return either result.
 *
 * The result is also a 404 reply in the following cases:
 *
 * - A segment is empty, `.`, `..`, or the name of a hidden file or a device.
 * - A segment contains a slash, a backslash, a colon or a control character, or ends with a dot or a space. Operating systems
 *   interpret such segments differently.
 * - A symbolic link leads out of the directory. Other symbolic links are followed.
 *
 * Segments are not percent-decoded again.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { fails, file, get, handle, path, produces, routes, segments, string } from 'espalier'
 * import { fileResolver } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const directory = await mkdtemp(join(tmpdir(), 'espalier-'))
 * await writeFile(join(directory, 'a.txt'), 'one')
 *
 * const documents = fileResolver(directory)
 * const getDocument = pipe(
 *   path('/documents/{rest}', { rest: segments(string) }),
 *   get(),
 *   produces(file),
 *   fails(404),
 *   handle(({ path: { rest } }) => documents(rest)),
 * )
 * const send = inMemory(routes({ getDocument }))
 * const getFile = (name: string) => send(`http://localhost/documents/${name}`)
 *
 * assert.equal(await (await getFile('a.txt')).text(), 'one')
 * assert.equal((await getFile('..%2Fa.txt')).status, 404)
 * ```
 */
export const fileResolver = (directory: string): FindFile => {
  const root = resolve(directory)
  return async (relative) => {
    const segments = typeof relative === 'string' ? relative.split('/') : relative
    if (segments.length === 0 || !segments.every(isSafeName)) return missing
    try {
      const [file, realRoot] = await Promise.all([
        realpath(join(root, ...segments)),
        realpath(root),
      ])
      const prefix = realRoot.endsWith(sep) ? realRoot : `${realRoot}${sep}`
      return file.startsWith(prefix) && (await stat(file)).isFile() ? right(file) : missing
    } catch {
      return missing
    }
  }
}

const missing = left(reply(404))

/** Whether all operating systems interpret a segment as the same file name. */
const isSafeName = (segment: string): boolean =>
  /^[^./\\:\p{Cc}][^/\\:\p{Cc}]*$/u.test(segment) &&
  !/[. ]$/.test(segment) &&
  !deviceName.test(segment)

const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i
