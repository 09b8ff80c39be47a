/** Metrics of parts of a regular expression: length, number of atoms, nullability and matching cost. */
import type { AST } from '@eslint-community/regexpp'

/** The maximum number of characters that an element reads; `Infinity` if there is no bound. */
export const maxLength = (node: AST.Element): number => {
  switch (node.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return 1
    case 'Group':
    case 'CapturingGroup':
      return maxLengthOf(node.alternatives)
    case 'Quantifier': {
      const body = maxLength(node.element)
      return body === 0 || node.max === 0 ? 0 : body * node.max
    }
    case 'Assertion':
      return 0
    case 'Backreference':
      return Infinity
  }
}

/** The maximum number of characters that one of the alternatives reads. */
export const maxLengthOf = (alternatives: ReadonlyArray<AST.Alternative>): number =>
  Math.max(
    0,
    ...alternatives.map(({ elements }) =>
      elements.reduce((sum, element) => sum + maxLength(element), 0),
    ),
  )

/** The number of atoms in an element after unrolling its counted repetitions. */
export const atomCount = (node: AST.Element): number => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives
        .flatMap(({ elements }) => elements)
        .reduce((sum, element) => sum + atomCount(element), 0)
    case 'Quantifier':
      return atomCount(node.element) * Math.max(1, node.max === Infinity ? node.min : node.max)
    default:
      return 1
  }
}

/** Whether an element matches the empty text. */
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
 * Computes the maximum number of steps to try all ways to match, and the number of ways. Both are `Infinity` for loops.
 *
 * Used for lookbehinds, which read a text again.
 */
export const matchCost = (alternatives: ReadonlyArray<AST.Alternative>): MatchCost =>
  alternatives
    .map(({ elements }) => elements.map(costOf).reduce(then, unit))
    .reduce((a, b) => ({ steps: a.steps + b.steps, ways: a.ways + b.ways }), { steps: 1, ways: 0 })

interface MatchCost {
  readonly steps: number
  readonly ways: number
}

const unit: MatchCost = { steps: 1, ways: 1 }

const then = (a: MatchCost, b: MatchCost): MatchCost => ({
  steps: a.steps + a.ways * b.steps,
  ways: a.ways * b.ways,
})

const costOf = (node: AST.Element): MatchCost => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return matchCost(node.alternatives)
    case 'Quantifier': {
      if (node.max === Infinity || node.max > maxRounds) return { steps: Infinity, ways: Infinity }
      const body = costOf(node.element)
      const rounds = Array.from({ length: node.max }, () => body)
      return rounds.reduceRight<MatchCost>((rest, round, index) => {
        const more = then(round, rest)
        return index < node.min ? more : { steps: more.steps + 1, ways: more.ways + 1 }
      }, unit)
    }
    case 'Backreference':
      return { steps: Infinity, ways: Infinity }
    default:
      return unit
  }
}

const maxRounds = 1000
