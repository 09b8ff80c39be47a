/**
 * The repetitions of a regular expression by which a text may be divided in many ways: each is a loop or, when it is
 * counted to a large number, as good as one.
 */
import type { AST } from '@eslint-community/regexpp'
import * as PositionAutomaton from './position-automaton.ts'
import * as Syntax from './parser.ts'

/** The repetitions that need a look, an inner one before those around it. */
export const suspects = (pattern: AST.Pattern): ReadonlyArray<AST.Quantifier> => {
  const found: Array<AST.Quantifier> = []
  Syntax.visit(pattern, {
    onQuantifierLeave: (node) => {
      const isGroup = node.element.type === 'Group' || node.element.type === 'CapturingGroup'
      if (isGroup && (node.max === Infinity || rounds(node) > harmlessRounds)) found.push(node)
    },
  })
  return found
}

/**
 * A repetition as a loop without a bound. When many rounds are required and may be empty, as in `(a?){30}`, the empty ones
 * can stand anywhere, and so there is more than one way from a round to the next.
 */
export const asLoop = (
  { element, min, parent }: AST.Quantifier,
  read: ReadonlyMap<string, bigint>,
): PositionAutomaton.PositionAutomaton => {
  const body = PositionAutomaton.of(read)(element)
  const manyEmpty = body.empty > 0 && min * rounds(parent) > harmlessRounds
  return PositionAutomaton.loop(body, manyEmpty ? 2 : 1)
}

/** Rounds that do no harm, even if each doubles the ways to match. */
const harmlessRounds = 10

/** How many copies of a node the counted repetitions make, its own and those around it; a loop makes one. */
const rounds = (node: AST.Node | null): number =>
  node === null
    ? 1
    : rounds(node.parent) * (node.type === 'Quantifier' && node.max !== Infinity ? node.max : 1)
