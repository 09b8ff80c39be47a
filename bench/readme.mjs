/** The place of the last result in the README. */
import { readFileSync, writeFileSync } from 'node:fs'

const [begin, end] = ['<!-- result -->', '<!-- /result -->']

/**
 * Replaces the last result in the README.
 *
 * @type {(text: string) => void}
 */
export const publish = (text) => {
  const file = new URL('README.md', import.meta.url)
  const readme = readFileSync(file, 'utf8')
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`README.md lost ${begin} or ${end}`)
  const [before, after] = [readme.slice(0, from + begin.length), readme.slice(to)]
  writeFileSync(file, `${before}\n\n${text}\n\n${after}`)
}
