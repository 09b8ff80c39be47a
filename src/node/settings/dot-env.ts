/**
 * The variables of a `.env` file.
 *
 * @see https://nodejs.org/api/util.html#utilparseenvcontent
 */
import { parseEnv } from 'node:util'
import type { SettingSource } from './setting-source.ts'
import { variables } from './setting-source.ts'

/** Creates a source of the variables of a file, whose names begin lines. */
export const dotEnvSource = (file: string, text: string): SettingSource => {
  const starts = text.split(/\r\n|[\r\n]/).map((line) => (line.split('=')[0] ?? '').trim())
  return variables(parseEnv(text), (variable) => {
    const start = variable.split('\n')[0]
    const index = starts.findLastIndex((name) => name.replace(/^export\s+/, '') === start)
    return index === -1 ? file : `${file} line ${index + 1}`
  })
}

/**
 * Returns the numbers, from 1, of lines that are neither a variable nor a comment nor blank. Lines inside quotes belong to their variable.
 *
 * Depending on its version, Node.js ignores such lines or prepends them to the next name.
 */
export const malformedLines = (text: string): ReadonlyArray<number> =>
  text
    .replaceAll(/(=[ \t]*)(["'`])([\s\S]*?)\2/g, (_, before: string, _mark, inner: string) =>
      before.concat(inner.replaceAll(/[^\r\n]/g, '')),
    )
    .split(/\r\n|[\r\n]/)
    .flatMap((line, index) => (/^\s*(?:#|$)|=/.test(line) ? [] : [index + 1]))
