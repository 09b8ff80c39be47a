/** Publishes results in the README. */
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../README.md', import.meta.url)

/**
 * Replaces the text between the markers `<!-- name -->` and `<!-- /name -->`.
 *
 * @type {(name: string, text: string) => void}
 */
export const publish = (name, text) => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const readme = readFileSync(file, 'utf8')
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`missing marker ${begin} or ${end} in README.md`)
  const [before, after] = [readme.slice(0, from + begin.length), readme.slice(to)]
  writeFileSync(file, `${before}\n\n${text}\n\n${after}`)
}
