/**
 * Takes the time of one operation.
 *
 * @import { Operation, Row } from './types.mjs'
 */
import { median } from '../support/statistics.mjs'

const warmUpNanoseconds = 100_000_000n
const blockNanoseconds = 10_000_000n
const blocks = 11

/** Where the results of a pass go, so that no compiler can leave an operation out. @type {unknown[]} */
const kept = []

/**
 * The nanoseconds of one pass. The loop stands alone, because it is all that is timed.
 *
 * @type {(run: Operation['run'], inputs: readonly never[]) => bigint}
 */
const pass = (run, inputs) => {
  const begin = process.hrtime.bigint()
  for (let at = 0; at < inputs.length; at++) kept[at] = run(/** @type {never} */ (inputs[at]))
  return process.hrtime.bigint() - begin
}

/**
 * Passes until they have taken so long: nanoseconds per operation.
 *
 * @type {(run: Operation['run'], row: Row, least: bigint) => number}
 */
const block = (run, row, least) => {
  let taken = 0n
  let operations = 0
  while (taken < least) {
    const inputs = /** @type {readonly never[]} */ (row.inputs())
    taken += pass(run, inputs)
    operations += inputs.length
  }
  return Number(taken) / operations
}

/**
 * Nanoseconds per operation: the median of the blocks, after a warm-up.
 *
 * @type {(operation: Operation, row: Row) => number}
 */
export const measure = ({ run }, row) => {
  block(run, row, warmUpNanoseconds)
  return median(Array.from({ length: blocks }, () => block(run, row, blockNanoseconds)))
}
