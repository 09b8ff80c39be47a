/** How many characters the parts of a regular expression read. */
import type { AST } from '@eslint-community/regexpp'

/** The most characters that an element reads; `Infinity` if there is no bound. */
export const longest = (node: AST.Element): number => {
  switch (node.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return 1
    case 'Group':
    case 'CapturingGroup':
      return longestOf(node.alternatives)
    case 'Quantifier': {
      const body = longest(node.element)
      return body === 0 || node.max === 0 ? 0 : body * node.max
    }
    case 'Assertion':
      return 0
    case 'Backreference':
      return Infinity
  }
}

export const longestOf = (alternatives: ReadonlyArray<AST.Alternative>): number =>
  Math.max(
    0,
    ...alternatives.map(({ elements }) =>
      elements.reduce((sum, element) => sum + longest(element), 0),
    ),
  )

/** The number of atoms in an element with its counted repetitions written out. */
export const atoms = (node: AST.Element): number => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives
        .flatMap(({ elements }) => elements)
        .reduce((sum, element) => sum + atoms(element), 0)
    case 'Quantifier':
      return atoms(node.element) * Math.max(1, node.max === Infinity ? node.min : node.max)
    default:
      return 1
  }
}

/** Whether an element can read nothing. */
export const isNullable = (node: AST.Element): boolean => {
  switch (node.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return false
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.some(({ elements }) => elements.every(isNullable))
    case 'Quantifier':
      return node.min === 0 || isNullable(node.element)
    case 'Assertion':
    case 'Backreference':
      return true
  }
}

/**
 * The most steps that a backtracking matcher takes to try everything that an element offers, and the ways it finds. Both are
 * `Infinity` if the element has a loop. Used for lookbehinds, which read text that was read before.
 */
export const effort = (alternatives: ReadonlyArray<AST.Alternative>): Effort =>
  alternatives
    .map(({ elements }) => elements.map(effortOf).reduce(then, one))
    .reduce((a, b) => ({ steps: a.steps + b.steps, ways: a.ways + b.ways }), { steps: 1, ways: 0 })

interface Effort {
  readonly steps: number
  readonly ways: number
}

const one: Effort = { steps: 1, ways: 1 }

const then = (a: Effort, b: Effort): Effort => ({
  steps: a.steps + a.ways * b.steps,
  ways: a.ways * b.ways,
})

const effortOf = (node: AST.Element): Effort => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return effort(node.alternatives)
    case 'Quantifier': {
      if (node.max === Infinity || node.max > mostRounds) return { steps: Infinity, ways: Infinity }
      const body = effortOf(node.element)
      const rounds = Array.from({ length: node.max }, () => body)
      return rounds.reduceRight<Effort>((rest, round, index) => {
        const more = then(round, rest)
        return index < node.min ? more : { steps: more.steps + 1, ways: more.ways + 1 }
      }, one)
    }
    case 'Backreference':
      return { steps: Infinity, ways: Infinity }
    default:
      return one
  }
}

const mostRounds = 1000
