/**
 * Parses regular expressions, and computes the maximum length, number of atoms, nullability and matching cost of their
 * elements.
 */
import { canLoadModules, loadPackage } from '../packages/load-package.ts'
import type { AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

export type { AST }

interface Package {
  readonly RegExpParser: typeof RegExpParser
  readonly visitRegExpAST: typeof visitRegExpAST
}

/** Error thrown if the parser package cannot be loaded. In that case, expressions are not checked. */
export class ParserUnavailable extends Error {}

/** `require` in the published files; see `load-package.ts`. */
declare const requireBundled: (name: '@eslint-community/regexpp') => Package

let loaded: Package | undefined

/**
 * Loads the parser package. Throws {@link ParserUnavailable} in browsers, and in browser bundles that run on Node.js
 * without the package.
 *
 * In these environments, expressions are not checked. This is sufficient, because the server checks the same
 * expressions.
 */
const load = (): Package => {
  if (!canLoadModules())
    throw new ParserUnavailable(
      'unsupported platform: regular expressions can be checked only on Node.js',
    )
  try {
    return loadPackage('@eslint-community/regexpp', () =>
      requireBundled('@eslint-community/regexpp'),
    )
  } catch (error) {
    throw new ParserUnavailable('missing package @eslint-community/regexpp', { cause: error })
  }
}

const regexpp = (): Package => (loaded ??= load())

/** The ECMAScript version of expressions in path templates. All supported engines implement this version. */
const templateVersion = 2024

/**
 * Parses the source of a regular expression in a path template. The `u` flag is implied. Throws a `SyntaxError` if the
 * source is invalid.
 */
export const parse = (source: string): AST.Pattern =>
  new (regexpp().RegExpParser)({ ecmaVersion: templateVersion }).parsePattern(
    source,
    0,
    source.length,
    { unicode: true },
  )

/**
 * Parses a regular expression, taking its flags into account. Throws a `SyntaxError` if the parser package does not
 * support the syntax.
 */
export const parseExpression = ({ source, flags }: RegExp): AST.Pattern =>
  new (regexpp().RegExpParser)().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })

/** Calls handlers for the nodes of a pattern in source order. Outer nodes are visited before inner nodes. */
export const visit: typeof visitRegExpAST = (node, handlers) =>
  regexpp().visitRegExpAST(node, handlers)

/** Returns the maximum number of characters that an element can match, or `Infinity` if the number is unbounded. */
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

/** Returns the maximum number of characters that any of the alternatives can match. */
export const maxLengthOf = (alternatives: ReadonlyArray<AST.Alternative>): number =>
  Math.max(
    0,
    ...alternatives.map(({ elements }) =>
      elements.reduce((sum, element) => sum + maxLength(element), 0),
    ),
  )

/**
 * Returns the number of atoms that an element has after its repetitions are unrolled. An atom is an element that
 * matches a single character.
 */
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

/** Whether an element can match the empty string. */
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
 * Computes the number of ways to match the alternatives, and the maximum number of steps needed to try them all. Both
 * numbers are `Infinity` if the alternatives contain a loop, a backreference, or a repetition of more than 1000
 * iterations.
 *
 * This cost is used for lookbehinds, which read already matched characters again.
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
