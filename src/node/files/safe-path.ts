/** From the text of a request to a file: the only way, because it cannot lead out of its directory. */
import { realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { Either } from 'fp-ts/lib/Either.js'
import { left, right } from 'fp-ts/lib/Either.js'
import type { Reply } from '../../endpoint/reply.ts'
import { reply } from '../../endpoint/reply.ts'

/** Finds a file by segments of a path that were decoded each on its own, or by a text of them with `/` between. */
export type FindFile = (
  relative: string | ReadonlyArray<string>,
) => Promise<Either<Reply<404, void>, string>>

/**
 * Finds files below a directory by what a client says, such as `segments(string)` gives it; anything else is a `Left`, a reply
 * with 404, which `fails(404)` declares. What is found can be returned where a `file` is produced.
 *
 * No segment may be empty, `.` or `..`, the name of a hidden file or one that systems read in several ways: with a slash, a
 * backslash, a colon or a control character in it, with a dot or a space at its end, or the name of a device. Links are
 * followed, and refused when they lead out of the directory. Nothing is decoded here, so nothing is decoded twice.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { fails, file, get, handle, path, produces, routes, segments, string } from 'espalier'
 * import { fileIn } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const directory = await mkdtemp(join(tmpdir(), 'espalier-'))
 * await writeFile(join(directory, 'a.txt'), 'one')
 *
 * const documents = fileIn(directory)
 * const getDocument = pipe(
 *   path('/documents/{rest}', { rest: segments(string) }),
 *   get(),
 *   produces(file),
 *   fails(404),
 *   handle(({ path: { rest } }) => documents(rest)),
 * )
 * const call = inMemory(routes({ getDocument }))
 * const ask = (of: string) => call(new Request(`http://localhost/documents/${of}`))
 *
 * assert.equal(await (await ask('a.txt')).text(), 'one')
 * assert.equal((await ask('..%2Fa.txt')).status, 404)
 * ```
 */
export const fileIn = (directory: string): FindFile => {
  const root = resolve(directory)
  return async (relative) => {
    const segments = typeof relative === 'string' ? relative.split('/') : relative
    if (segments.length === 0 || !segments.every(isPlain)) return missing
    try {
      const [real, top] = await Promise.all([realpath(join(root, ...segments)), realpath(root)])
      const within = top.endsWith(sep) ? top : `${top}${sep}`
      return real.startsWith(within) && (await stat(real)).isFile() ? right(real) : missing
    } catch {
      return missing
    }
  }
}

const missing = left(reply(404))

/** Whether a segment is a name that every system reads as one and the same. */
const isPlain = (segment: string): boolean =>
  /^[^./\\:\p{Cc}][^/\\:\p{Cc}]*$/u.test(segment) &&
  !/[. ]$/.test(segment) &&
  !devices.test(segment)

const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i
