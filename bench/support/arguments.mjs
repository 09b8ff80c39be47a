/** What the command lines of the benchmarks have in common. */

/** @type {(name: string, text: string, most: number) => number} */
export const count = (name, text, most) => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new Error(`--${name} takes a whole number from 1 to ${most}`)
}

/**
 * The members of `all` whose names are given, separated by commas, in the order of `all`.
 *
 * @template {{ readonly name: string }} A
 * @param {string} option
 * @param {readonly A[]} all
 * @param {string | undefined} text
 * @returns {readonly A[]}
 */
export const chosen = (option, all, text) => {
  if (text === undefined) return all
  const names = text.split(',')
  const unknown = names.filter((name) => all.every((one) => one.name !== name))
  if (unknown.length === 0) return all.filter(({ name }) => names.includes(name))
  const known = all.map(({ name }) => name).join(', ')
  throw new Error(`--${option} knows ${known}; not ${unknown.join(', ')}`)
}
