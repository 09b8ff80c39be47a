/** Parsing of command-line arguments that several benchmarks share. */

/**
 * Parses an integer from `minimum` to `maximum`.
 *
 * @type {(name: string, text: string, maximum: number, minimum?: number) => number}
 */
export const parseCount = (name, text, maximum, minimum = 1) => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value
  throw new Error(`--${name} must be an integer from ${minimum} to ${maximum}`)
}

/**
 * Selects members of `all` by a comma-separated list of names, in the order of `all`. Returns `all` if `text` is undefined.
 *
 * @template {{ readonly name: string }} A
 * @param {string} option
 * @param {readonly A[]} all
 * @param {string | undefined} text
 * @returns {readonly A[]}
 */
export const selectNamed = (option, all, text) => {
  if (text === undefined) return all
  const names = text.split(',')
  const unknown = names.filter((name) => all.every((member) => member.name !== name))
  if (unknown.length === 0) return all.filter(({ name }) => names.includes(name))
  const known = all.map(({ name }) => name).join(', ')
  throw new Error(`--${option}: unknown name ${unknown.join(', ')}, expected any of ${known}`)
}
