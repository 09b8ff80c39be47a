/**
 * espalier's matcher, asked as the engine asks it.
 *
 * @import { Match } from '../../../dist/src/interpreter/routing/path-matcher.js'
 * @import { Operation, Operations } from '../row.mjs'
 */
import { parse } from '../../../dist/src/endpoint/internal/path-template.js'
import { matcher } from '../../../dist/src/interpreter/routing/path-matcher.js'
import { patternOf } from '../../../dist/src/endpoint/internal/path-pattern.js'
import { rows, templates } from './rows.mjs'

/** @type {(template: string) => ReturnType<typeof patternOf>} */
const patternFor = (template) => {
  const parsed = parse(template)
  if (parsed._tag === 'Left') throw new Error(parsed.left)
  return patternOf(parsed.right, new Set())
}

const among = matcher(
  templates.map((template) => ({ template, pattern: patternFor(template), value: { template } })),
)

/** @typedef {{ readonly template: string }} Site */

/** @type {Operation} */
const lookUp = {
  run: (path) => among.exactly(path) ?? among.match(path),
  outcome: (/** @type {Site | Match<Site>} */ result) => {
    if ('template' in result) return { template: result.template, values: [] }
    const [found] = result.found
    return found && { ...found.site, values: found.captures.map(({ text }) => text) }
  },
}

/** @type {Operations} */
export const operations = Object.fromEntries(rows.map(({ name }) => [name, lookUp]))
