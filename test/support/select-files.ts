/** Selects test files by the arguments of a command. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))

/**
 * Returns the sorted paths of the compiled test files below `test` that match the arguments:
 *
 * | argument | effect |
 * |---|---|
 * | `http/cookie` | selects files whose path contains the text |
 * | `!node/` | excludes files whose path contains the text |
 *
 * Without a path, all files are selected. Long tests (`*.long.test.ts`) require `isAll` or a matching argument.
 */
export const selectFiles = (
  pathParts: ReadonlyArray<string>,
  isAll: boolean,
): ReadonlyArray<string> => {
  const excluded = pathParts.flatMap((part) => (part.startsWith('!') ? [part.slice(1)] : []))
  const included = pathParts.filter((part) => !part.startsWith('!'))
  const isIncluded = (file: string): boolean =>
    included.length === 0
      ? isAll || !file.endsWith('.long.test.js')
      : included.some((part) => file.includes(part))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js') && isIncluded(file))
    .filter((file) => !excluded.some((part) => file.includes(part)))
    .toSorted()
}
