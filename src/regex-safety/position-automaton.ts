/**
 * Builds the position automaton (Glushkov automaton) of a regular expression.
 *
 * An atom is a part of the expression that matches a single character. The automaton has one state, called a position,
 * for each atom. Transitions lead from each atom to the atoms that can follow it. An atom can follow another atom in
 * more than one way. In `(a*)*`, for example, an `a` can follow an `a` through the inner loop or through the outer
 * loop. The automaton counts these ways, because a backtracking matcher tries each of them.
 *
 * Assertions consume no characters and are assumed to hold. Captures and greediness do not affect the number of ways.
 *
 * @see https://tc39.es/ecma262/#sec-runtime-semantics-repeatmatcher-abstract-operation
 */
import type { AST } from '@eslint-community/regexpp'
import * as Parser from './expression-metrics.ts'

/** Returns the repetitions that might cause exponential growth. Inner repetitions precede outer ones. */
export const suspiciousQuantifiers = (pattern: AST.Pattern): ReadonlyArray<AST.Quantifier> => {
  const quantifiers: Array<AST.Quantifier> = []
  Parser.visit(pattern, {
    onQuantifierLeave: (node) => {
      const isGroup = node.element.type === 'Group' || node.element.type === 'CapturingGroup'
      if (isGroup && (node.max === Infinity || copies(node) > maxHarmlessRounds))
        quantifiers.push(node)
    },
  })
  return quantifiers
}

/**
 * Returns the automaton for a repetition, ignoring its upper bound.
 *
 * If many iterations are required and can be empty, as in `(a?){30}`, there is more than one way from one non-empty
 * iteration to the next, because empty iterations can occur between them.
 */
export const asLoop = (
  { element, min, parent }: AST.Quantifier,
  read: ReadonlyMap<string, bigint>,
): PositionAutomaton => {
  const body = of(read)(element)
  const manyEmpty = body.empty > 0 && min * copies(parent) > maxHarmlessRounds
  return loop(body, manyEmpty ? 2 : 1)
}

/**
 * The number of iterations up to which a repetition is harmless, even if each iteration doubles the number of ways to
 * match.
 */
const maxHarmlessRounds = 10

/**
 * Returns the number of copies of a node that result from unrolling all enclosing counted repetitions. A loop counts as
 * one copy.
 */
const copies = (node: AST.Node | null): number =>
  node === null
    ? 1
    : copies(node.parent) * (node.type === 'Quantifier' && node.max !== Infinity ? node.max : 1)

/** The number of ways to reach each position. The value 2 represents any number greater than 1. */
export type Ways = ReadonlyMap<number, number>

/**
 * An automaton with one state for each atom. Each state is identified by the position of its atom in the expression.
 */
export interface PositionAutomaton {
  /**
   * For each position, the letters matched by its atom, as a non-empty bit set. Letters are defined in `alphabet.ts`.
   */
  readonly letters: ReadonlyArray<bigint>
  /** For each position, the positions that can follow it, with the number of ways to reach them. */
  readonly follow: ReadonlyArray<Ways>
  readonly first: Ways
  readonly last: Ways
  /** The number of ways to match the empty string. The value 2 represents any number greater than 1. */
  readonly empty: number
  /** The outermost loops, in source order. */
  readonly loops: ReadonlyArray<Loop>
}

/** A loop in the expression, represented as a range of mutually reachable positions. `end` is exclusive. */
export interface Loop {
  readonly start: number
  readonly end: number
}

/**
 * The maximum number of positions in an unrolled repetition. Unrolling allows the analysis to prove, for example, that
 * `(\d{4})+` is harmless.
 *
 * Longer repetitions are treated as loops without a maximum number of iterations. Such a loop matches more strings than
 * the repetition. Therefore, some harmless expressions might be reported as exponential.
 */
const unrollLimit = 128

/** Builds the automaton for an element. `read` maps the source of each atom to the letters that it matches. */
const of =
  (read: ReadonlyMap<string, bigint>) =>
  (node: AST.Element): PositionAutomaton => {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return position(read.get(node.raw) ?? 0n)
      case 'Group':
      case 'CapturingGroup':
        return ofAlternatives(read)(node.alternatives)
      case 'Quantifier':
        return repeat(of(read)(node.element), node.min, node.max)
      case 'Assertion':
      case 'Backreference':
        return emptyText
    }
  }

/** Builds the automaton for the alternatives of an expression, group or lookaround. */
export const ofAlternatives =
  (read: ReadonlyMap<string, bigint>) =>
  (alternatives: ReadonlyArray<AST.Alternative>): PositionAutomaton =>
    alternatives
      .map(({ elements }) => elements.map(of(read)).reduce(then, emptyText))
      .reduce(or, nothing)

/**
 * Builds the automaton for `body*`.
 *
 * The matcher abandons iterations that consume no characters, so empty matches of the body are ignored. `ways` is the
 * number of ways from one iteration to the next. It is greater than 1 if empty iterations can occur between them.
 */
export const loop = (body: PositionAutomaton, ways = 1): PositionAutomaton => ({
  ...body,
  follow: link(body.follow, body.last, times(ways, body.first)),
  empty: 1,
  loops: body.letters.length === 0 ? [] : [{ start: 0, end: body.letters.length }],
})

/** An automaton that matches no string, like the expression `[]`. */
const nothing: PositionAutomaton = {
  letters: [],
  follow: [],
  first: new Map(),
  last: new Map(),
  empty: 0,
  loops: [],
}

const emptyText: PositionAutomaton = { ...nothing, empty: 1 }

const position = (letters: bigint): PositionAutomaton => {
  const once = new Map([[0, 1]])
  return letters === 0n
    ? nothing
    : { ...nothing, letters: [letters], follow: [new Map()], first: once, last: once }
}

const or = (a: PositionAutomaton, b: PositionAutomaton): PositionAutomaton => {
  const after = shift(a.letters.length, b)
  return {
    letters: [...a.letters, ...b.letters],
    follow: [...a.follow, ...after.follow],
    first: add(a.first, after.first),
    last: add(a.last, after.last),
    empty: atMostTwo(a.empty + b.empty),
    loops: [...a.loops, ...after.loops],
  }
}

const then = (a: PositionAutomaton, b: PositionAutomaton): PositionAutomaton => {
  if (matchesNothing(a) || matchesNothing(b)) return nothing
  const after = shift(a.letters.length, b)
  return {
    letters: [...a.letters, ...b.letters],
    follow: [...link(a.follow, a.last, after.first), ...after.follow],
    first: add(a.first, times(a.empty, after.first)),
    last: add(times(b.empty, a.last), after.last),
    empty: atMostTwo(a.empty * b.empty),
    loops: [...a.loops, ...after.loops],
  }
}

/**
 * Builds the automaton for a repetition. The first `min` iterations are required and can be empty. All further
 * iterations up to `max` are optional and consume at least one character.
 */
const repeat = (body: PositionAutomaton, min: number, max: number): PositionAutomaton => {
  const isUnbounded = max === Infinity
  if (Math.max(1, body.letters.length) * (isUnbounded ? min : max) > unrollLimit)
    return { ...loop(body), empty: min === 0 ? 1 : body.empty }
  const repeated = (count: number): ReadonlyArray<PositionAutomaton> => Array(count).fill(body)
  const required = (count: number): PositionAutomaton => repeated(count).reduce(then, emptyText)
  if (isUnbounded)
    return min === 0 || body.empty > 0
      ? then(required(min), loop(body))
      : then(required(min - 1), { ...loop(body), empty: 0 })
  const skippable = repeated(max - min).reduce(
    (rest) => ({ ...then({ ...body, empty: 0 }, rest), empty: 1 }),
    emptyText,
  )
  return then(required(min), skippable)
}

const matchesNothing = ({ first, empty }: PositionAutomaton): boolean =>
  first.size === 0 && empty === 0

const shift = (by: number, automaton: PositionAutomaton): PositionAutomaton => {
  const move = (ways: Ways): Ways => new Map(Array.from(ways, ([p, count]) => [p + by, count]))
  return {
    ...automaton,
    follow: automaton.follow.map(move),
    first: move(automaton.first),
    last: move(automaton.last),
    loops: automaton.loops.map(({ start, end }) => ({ start: start + by, end: end + by })),
  }
}

const link = (follow: ReadonlyArray<Ways>, from: Ways, to: Ways): ReadonlyArray<Ways> =>
  follow.map((ways, p) => (from.has(p) ? add(ways, times(from.get(p) ?? 0, to)) : ways))

const add = (a: Ways, b: Ways): Ways =>
  new Map([
    ...a,
    ...Array.from(b, ([p, count]) => [p, atMostTwo((a.get(p) ?? 0) + count)] as const),
  ])

const times = (factor: number, ways: Ways): Ways =>
  factor === 0
    ? new Map()
    : new Map(Array.from(ways, ([p, count]) => [p, atMostTwo(factor * count)]))

const atMostTwo = (count: number): number => Math.min(count, 2)
