/**
 * Measures the duration of an operation.
 *
 * @import { Operation, Row } from './types.mjs'
 */
import { median } from '../support/statistics.mjs'

const warmUpNanoseconds = 100_000_000n
const blockNanoseconds = 10_000_000n
const blocks = 11

/** Stores the results of a pass, so that the compiler cannot eliminate the operation. @type {unknown[]} */
const kept = []

/**
 * Runs one pass and returns its nanoseconds. Only the loop is timed.
 *
 * @type {(run: Operation['run'], inputs: readonly never[]) => bigint}
 */
const pass = (run, inputs) => {
  const begin = process.hrtime.bigint()
  for (let at = 0; at < inputs.length; at++) kept[at] = run(/** @type {never} */ (inputs[at]))
  return process.hrtime.bigint() - begin
}

/**
 * Runs passes for at least `minimum` nanoseconds and returns nanoseconds per operation.
 *
 * @type {(run: Operation['run'], row: Row, minimum: bigint) => number}
 */
const block = (run, row, minimum) => {
  let elapsed = 0n
  let operations = 0
  while (elapsed < minimum) {
    const inputs = /** @type {readonly never[]} */ (row.inputs())
    elapsed += pass(run, inputs)
    operations += inputs.length
  }
  return Number(elapsed) / operations
}

/**
 * Returns the nanoseconds per operation: the median of the blocks, after a warm-up.
 *
 * @type {(operation: Operation, row: Row) => number}
 */
export const measure = ({ run }, row) => {
  block(run, row, warmUpNanoseconds)
  return median(Array.from({ length: blocks }, () => block(run, row, blockNanoseconds)))
}
