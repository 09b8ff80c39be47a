/**
 * The path matcher of espalier, called in the same way as by the interpreter.
 *
 * @import { PathMatch } from '../../../dist/src/interpreter/routing/path-matcher.js'
 * @import { Operation, Operations } from '../types.mjs'
 */
import { compilePattern } from '../../../dist/src/endpoint/definition/path-pattern.js'
import { parse } from '../../../dist/src/endpoint/definition/path-template.js'
import { pathMatcher } from '../../../dist/src/interpreter/routing/path-matcher.js'
import { rows, templates } from './rows.mjs'

/** @type {(template: string) => ReturnType<typeof compilePattern>} */
const patternFor = (template) => {
  const parsed = parse(template)
  if (parsed._tag === 'Left') throw new Error(parsed.left)
  return compilePattern(parsed.right, new Set())
}

const matcher = pathMatcher(
  templates.map((template) => ({ template, pattern: patternFor(template), value: { template } })),
)

/** @typedef {{ readonly template: string }} Route */

/** @type {Operation} */
const lookUp = {
  run: (path) => matcher.findExact(path) ?? matcher.match(path),
  normalize: (/** @type {Route | PathMatch<Route>} */ result) => {
    if ('template' in result) return { template: result.template, values: [] }
    const [first] = result.matches
    return first && { ...first.value, values: first.captures.map(({ text }) => text) }
  },
}

/** @type {Operations} */
export const operations = Object.fromEntries(rows.map(({ name }) => [name, lookUp]))
