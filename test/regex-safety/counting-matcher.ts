/**
 * A backtracking matcher that counts its steps, for small expressions over `a` and `b`.
 *
 * Tests compare its counts with the predictions of the ReDoS check.
 *
 * @see https://tc39.es/ecma262/#sec-pattern-semantics
 */
import * as fc from 'fast-check'

/** The syntax tree of an expression. */
export type Expression =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'sequence'; readonly parts: ReadonlyArray<Expression> }
  | { readonly kind: 'choice'; readonly parts: ReadonlyArray<Expression> }
  | {
      readonly kind: 'repetition'
      readonly body: Expression
      readonly min: number
      readonly max: number
    }

/** The source of an expression. */
export const write = (expression: Expression): string => {
  if (expression.kind === 'character') return expression.character
  if (expression.kind === 'sequence') return expression.parts.map(write).join('')
  if (expression.kind === 'choice') return `(?:${expression.parts.map(write).join('|')})`
  const { body, min, max } = expression
  return `(?:${write(body)}){${min},${max === Infinity ? '' : max}}`
}

/** The expression and all its subexpressions. */
export const partsOf = (expression: Expression): ReadonlyArray<Expression> => [
  expression,
  ...(expression.kind === 'character'
    ? []
    : expression.kind === 'repetition'
      ? partsOf(expression.body)
      : expression.parts.flatMap(partsOf)),
]

export const expressions: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>(
  (tie) => {
    const parts = fc.array(tie('expression'), { minLength: 1, maxLength: 3 })
    const bounds = fc.constantFrom(
      [0, Infinity],
      [1, Infinity],
      [0, 1],
      [2, 2],
      [0, 2],
      [2, Infinity],
    )
    return {
      expression: fc.oneof(
        { maxDepth: 4, depthSize: 'large', withCrossShrink: true },
        fc.constantFrom('a', 'b').map((character) => ({ kind: 'character', character }) as const),
        parts.map((some) => ({ kind: 'sequence', parts: some }) as const),
        parts.map((some) => ({ kind: 'choice', parts: some }) as const),
        fc
          .tuple(tie('expression'), bounds)
          .map(([body, [min = 0, max = 0]]) => ({ kind: 'repetition', body, min, max }) as const),
      ),
    }
  },
).expression

/** Counts the steps to match the whole text, or to fail. Returns `limit + 1` if there are more than `limit`. */
export const steps = (whole: Expression, text: string, limit: number): number => {
  let taken = 0
  type Then = (at: number) => boolean
  const match = (expression: Expression, at: number, then: Then): boolean => {
    if (++taken > limit) return true
    if (expression.kind === 'character') return text[at] === expression.character && then(at + 1)
    if (expression.kind === 'choice') return expression.parts.some((part) => match(part, at, then))
    if (expression.kind === 'repetition')
      return repeat(expression.body, expression.min, expression.max, at, then)
    const [head, ...tail] = expression.parts
    return head === undefined
      ? then(at)
      : match(head, at, (end) => match({ kind: 'sequence', parts: tail }, end, then))
  }
  const repeat = (body: Expression, min: number, max: number, at: number, then: Then): boolean =>
    (max > 0 &&
      match(body, at, (end) =>
        min === 0 && end === at ? false : repeat(body, Math.max(0, min - 1), max - 1, end, then),
      )) ||
    (min === 0 && then(at))
  match(whole, 0, (at) => at === text.length)
  return Math.min(taken, limit + 1)
}
