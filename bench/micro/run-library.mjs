/**
 * One library in a process of its own: `node contestant.mjs codec zod` checks what it makes of every
 * input, measures it, and prints nanoseconds by row as one line of JSON.
 *
 * @import { Operation, Operations, Row } from './types.mjs'
 */
import { isDeepStrictEqual } from 'node:util'
import { measure } from './measure.mjs'
import { subjects } from './suites.mjs'

/**
 * Throws when something else comes of an input than must, or the inputs are not what they were.
 *
 * @type {(operation: Operation, row: Row) => void}
 */
const check = ({ run, outcome }, row) => {
  const before = structuredClone(row.inputs())
  for (const input of row.inputs()) {
    const result = outcome(
      /** @type {never} */ (run(/** @type {never} */ (input))),
      /** @type {never} */ (input),
    )
    if (!isDeepStrictEqual(result, row.expected(input)))
      throw new Error(`${name}, ${row.title}: ${JSON.stringify(result)?.slice(0, 2_000)}`)
  }
  if (!isDeepStrictEqual(before, row.inputs()))
    throw new Error(`${name}, ${row.title}: the inputs were changed`)
}

const [subjectName, name] = process.argv.slice(2)
const subject = subjects.find((one) => one.name === subjectName)
if (subject === undefined) throw new Error(`there is no subject ${subjectName}`)
/** @type {{ readonly operations: Operations }} */
const { operations } = await import(`./${subject.name}/${name}.mjs`)
/** @type {Record<string, number>} */
const figures = {}
for (const row of subject.rows) {
  const operation = operations[row.name]
  if (operation === undefined) continue
  check(operation, row)
  figures[row.name] = measure(operation, row)
}
console.log(JSON.stringify(figures))
