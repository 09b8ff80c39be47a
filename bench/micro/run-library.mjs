/**
 * Measures one library: `node run-library.mjs codec zod` checks the result for every input, measures the operations, and
 * prints the nanoseconds by row as one line of JSON.
 *
 * @import { Operation, Operations, Row } from './types.mjs'
 */
import { isDeepStrictEqual } from 'node:util'
import { measure } from './measure.mjs'
import { suites } from './suites.mjs'

/**
 * Throws if a result is unexpected, or if the operation changes its inputs.
 *
 * @type {(operation: Operation, row: Row) => void}
 */
const check = ({ run, normalize }, row) => {
  const before = structuredClone(row.inputs())
  for (const input of row.inputs()) {
    const result = normalize(
      /** @type {never} */ (run(/** @type {never} */ (input))),
      /** @type {never} */ (input),
    )
    if (!isDeepStrictEqual(result, row.expected(input)))
      throw new Error(`${name}, ${row.title}: ${JSON.stringify(result)?.slice(0, 2_000)}`)
  }
  if (!isDeepStrictEqual(before, row.inputs()))
    throw new Error(`${name}, ${row.title}: the inputs were changed`)
}

const [suiteName, name] = process.argv.slice(2)
const suite = suites.find((candidate) => candidate.name === suiteName)
if (suite === undefined) throw new Error(`unknown suite ${suiteName}`)
/** @type {{ readonly operations: Operations }} */
const { operations } = await import(`./${suite.name}/${name}.mjs`)
/** @type {Record<string, number>} */
const figures = {}
for (const row of suite.rows) {
  const operation = operations[row.name]
  if (operation === undefined) continue
  check(operation, row)
  figures[row.name] = measure(operation, row)
}
console.log(JSON.stringify(figures))
