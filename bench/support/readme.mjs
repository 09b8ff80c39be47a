/** The place of a result in the README of the benchmark. */
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../README.md', import.meta.url)

/**
 * Replaces the last result of this name.
 *
 * @type {(name: string, text: string) => void}
 */
export const publish = (name, text) => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const readme = readFileSync(file, 'utf8')
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`README.md lost ${begin} or ${end}`)
  const [before, after] = [readme.slice(0, from + begin.length), readme.slice(to)]
  writeFileSync(file, `${before}\n\n${text}\n\n${after}`)
}
