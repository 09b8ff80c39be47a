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
 * The mean of ratios, which counts twice as much and half as much the same, and twice its standard error: about nineteen times
 * of twenty, many more values would come to a mean within so far of it. The spread is a difference of logarithms, so that as
 * long as it is small it is one of shares.
 *
 * @type {(ratios: readonly number[]) => { readonly mean: number, readonly spread: number }}
 */
export const typical = (ratios) => {
  const logarithms = ratios.map(Math.log)
  const mean = sum(logarithms) / logarithms.length
  const squares = sum(logarithms.map((one) => (one - mean) ** 2))
  const error = Math.sqrt(squares / (logarithms.length - 1) / logarithms.length)
  return { mean: Math.exp(mean), spread: 2 * error }
}

/** @type {(values: readonly number[]) => number} */
export const sum = (values) => values.reduce((total, value) => total + value, 0)

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
