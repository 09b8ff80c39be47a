/**
 * The repetitions of a regular expression that may match one text in many ways: loops, and counted repetitions with
 * a large maximum.
 */
import type { AST } from '@eslint-community/regexpp'
import * as PositionAutomaton from './position-automaton.ts'
import * as Parser from './parser.ts'

/** Returns the repetitions to analyze for exponential growth, inner ones first. */
export const suspiciousQuantifiers = (pattern: AST.Pattern): ReadonlyArray<AST.Quantifier> => {
  const found: Array<AST.Quantifier> = []
  Parser.visit(pattern, {
    onQuantifierLeave: (node) => {
      const isGroup = node.element.type === 'Group' || node.element.type === 'CapturingGroup'
      if (isGroup && (node.max === Infinity || copies(node) > maxHarmlessRounds)) found.push(node)
    },
  })
  return found
}

/**
 * Returns the automaton of a repetition without its upper bound.
 *
 * If many iterations are required and may be empty, as in `(a?){30}`, the empty ones can occur anywhere. There is then more
 * than one way from an iteration to the next.
 */
export const asLoop = (
  { element, min, parent }: AST.Quantifier,
  read: ReadonlyMap<string, bigint>,
): PositionAutomaton.PositionAutomaton => {
  const body = PositionAutomaton.of(read)(element)
  const manyEmpty = body.empty > 0 && min * copies(parent) > maxHarmlessRounds
  return PositionAutomaton.loop(body, manyEmpty ? 2 : 1)
}

/** Few enough iterations that doubling the ways to match with each is harmless. */
const maxHarmlessRounds = 10

/** The number of copies of a node after unrolling its own and the enclosing counted repetitions. Loops count as one copy. */
const copies = (node: AST.Node | null): number =>
  node === null
    ? 1
    : copies(node.parent) * (node.type === 'Quantifier' && node.max !== Infinity ? node.max : 1)
