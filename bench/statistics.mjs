/** The few figures that are drawn from rounds. */

/**
 * The middle value, or the mean of the two in the middle; `NaN` of nothing.
 *
 * @type {(values: readonly number[]) => number}
 */
export const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN
  return (lower + upper) / 2
}

/**
 * Values divided round by round, so that what slows a whole round down does not move the result.
 *
 * @type {(values: readonly number[], measures: readonly number[]) => number[]}
 */
export const ratios = (values, measures) =>
  values.map((value, round) => value / (measures[round] ?? NaN))

/**
 * The values turned to the left, the first ones at the end.
 *
 * @template A
 * @param {readonly A[]} values
 * @param {number} by
 * @returns {readonly A[]}
 */
export const rotated = (values, by) => {
  const at = by % values.length
  return [...values.slice(at), ...values.slice(0, at)]
}

/**
 * The least of the ascending values that `share` per cent of them do not exceed; `NaN` of none.
 *
 * @type {(ascending: Float64Array, share: number) => number}
 */
export const percentile = (ascending, share) =>
  ascending[Math.max(0, Math.ceil((ascending.length * share) / 100) - 1)] ?? NaN
