/**
 * Compares the ReDoS check of espalier with `recheck`, for the expressions of the tests and of the command line.
 *
 *     node redos.mjs [expression …]
 *
 * Prints the expressions for which the results differ. Exits with 1 if espalier accepts an expression that `recheck` reports.
 */
import { checkSync } from 'recheck'
import { lengthLimit } from '../dist/src/regex-safety/redos-check.js'
import { linear, polynomial } from '../dist/test/regex-safety/everyday-expressions.js'

/** Expressions with exponential growth. */
const exponential = [
  /^(\d+)+$/,
  /^(a|a)*$/,
  /^(?:a|b|ab)*c$/,
  /^(x+x+)+y$/,
  /^(?:.|\s)*$/,
  /^(\s*\w+\s*)+$/,
  /^(?:\w+\s?)*$/,
  /^(([a-z])+.)+[A-Z]([a-z])+$/,
  /^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*@[a-z0-9]+$/,
  /^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([\/\w .-]*)*\/?$/,
  /^(?:\d{1,3})*$/,
]

/** @type {(expression: RegExp) => string} */
const byEspalier = (expression) => {
  const { diagnostic } = lengthLimit(expression)
  return diagnostic._tag === 'None' ? 'linear' : diagnostic.value._tag.toLowerCase()
}

/** @type {(expression: RegExp) => string} */
const byRecheck = ({ source, flags }) => {
  const result = checkSync(source, flags, { timeout: 60_000 })
  if (result.status === 'unknown') return 'unknown'
  return result.status === 'safe' ? 'linear' : result.complexity.type
}

const fromArguments = process.argv.slice(2).map((source) => new RegExp(source))
const expressions =
  fromArguments.length > 0
    ? fromArguments
    : [...linear, ...polynomial.map(([expression]) => expression), ...exponential]

const compared = expressions.map((expression) => ({
  expression: String(expression),
  espalier: byEspalier(expression),
  recheck: byRecheck(expression),
}))
const different = compared.filter(({ espalier, recheck }) => espalier !== recheck)
const missed = different.filter(
  ({ espalier, recheck }) => espalier === 'linear' && recheck !== 'unknown',
)
console.table(fromArguments.length > 0 ? compared : different)
console.log(
  `${expressions.length} expressions, ${different.length} different results, ${missed.length} reported by recheck only`,
)
if (missed.length > 0) process.exitCode = 1
