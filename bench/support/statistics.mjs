/** Statistics over the values of the rounds. */

/**
 * Returns the median; `NaN` for an empty array.
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
 * Divides values by baseline values of the same round. What slows a whole round down does not change the ratios.
 *
 * @type {(values: readonly number[], baselines: readonly number[]) => number[]}
 */
export const ratios = (values, baselines) =>
  values.map((value, round) => value / (baselines[round] ?? NaN))

/**
 * Returns the geometric mean of ratios and twice its standard error, which is about a 95 % confidence interval. The spread is
 * a difference of natural logarithms; if it is small, it is approximately a relative difference.
 *
 * @type {(ratios: readonly number[]) => { readonly mean: number, readonly spread: number }}
 */
export const geometricMean = (ratios) => {
  const logarithms = ratios.map(Math.log)
  const mean = sum(logarithms) / logarithms.length
  const squares = sum(logarithms.map((logarithm) => (logarithm - mean) ** 2))
  const error = Math.sqrt(squares / (logarithms.length - 1) / logarithms.length)
  return { mean: Math.exp(mean), spread: 2 * error }
}

/** @type {(values: readonly number[]) => number} */
export const sum = (values) => values.reduce((total, value) => total + value, 0)

/**
 * Rotates an array to the left.
 *
 * @template A
 * @param {readonly A[]} values
 * @param {number} by
 * @returns {readonly A[]}
 */
export const rotate = (values, by) => {
  const at = by % values.length
  return [...values.slice(at), ...values.slice(0, at)]
}

/**
 * Returns a percentile by the nearest-rank method; `NaN` for an empty array.
 *
 * @type {(ascending: Float64Array, percent: number) => number}
 */
export const percentile = (ascending, percent) =>
  ascending[Math.max(0, Math.ceil((ascending.length * percent) / 100) - 1)] ?? NaN
