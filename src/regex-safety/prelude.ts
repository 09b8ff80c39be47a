/**
 * The lookaheads at the beginning of an expression, as in `^(?=.{8,64}$)(?!.*--)`. They are tried once for each text, before
 * everything else, so each is analysed by itself and the rest of the expression is tried only if they hold.
 */
import type { AST } from '@eslint-community/regexpp'
import { longestOf } from './expression-metrics.ts'

/** The lookaheads that an expression without the flag `m` begins with, after `^`. */
export const prelude = (
  alternatives: ReadonlyArray<AST.Alternative>,
  isAnchored = false,
): ReadonlyArray<AST.LookaheadAssertion> => {
  const [only] = alternatives
  if (only === undefined || alternatives.length > 1) return []
  const found: AST.LookaheadAssertion[] = []
  let anchored = isAnchored
  for (const element of only.elements) {
    if (element.type === 'Assertion' && element.kind === 'start') anchored = true
    else if (element.type === 'Assertion' && element.kind === 'lookahead' && anchored)
      found.push(element)
    else if (element.type === 'Group' || element.type === 'CapturingGroup')
      return found.concat(prelude(element.alternatives, anchored))
    else return found
  }
  return found
}

/** The length to which `(?=.{1,253}$)` bounds a text; `Infinity` for other lookaheads. */
export const bound = ({ negate, alternatives }: AST.LookaheadAssertion): number =>
  !negate && alternatives.every(endsText) ? longestOf(alternatives) : Infinity

const endsText = ({ elements }: AST.Alternative): boolean => {
  const last = elements.at(-1)
  return last?.type === 'Assertion' && last.kind === 'end'
}
