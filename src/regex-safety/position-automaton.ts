/**
 * The position automaton (Glushkov automaton) of a regular expression.
 *
 * It has a state for each atom and a transition for each way from one atom to the next. Ways are counted, because a
 * backtracking matcher tries each of them: in `(a*)*`, an `a` follows an `a` in two ways, within the inner loop and through
 * the outer one.
 *
 * Assertions read nothing and are assumed to hold. Captures and greediness do not affect the set of ways.
 *
 * @see https://tc39.es/ecma262/#sec-runtime-semantics-repeatmatcher-abstract-operation
 */
import type { AST } from '@eslint-community/regexpp'

/** Positions with the number of ways to each: 1, or 2 for any greater number. */
export type Ways = ReadonlyMap<number, number>

/** An automaton whose states are the positions of atoms. */
export interface PositionAutomaton {
  /** By position, the letters that it reads, as a non-empty set of bits. */
  readonly letters: ReadonlyArray<bigint>
  /** By position, the positions that can follow. */
  readonly follow: ReadonlyArray<Ways>
  readonly first: Ways
  readonly last: Ways
  /** The number of ways to match the empty text: 0, 1, or 2 for any greater number. */
  readonly empty: number
  /** The outermost loops, in source order. */
  readonly loops: ReadonlyArray<Loop>
}

/** A range of mutually reachable positions. `end` is exclusive. */
export interface Loop {
  readonly start: number
  readonly end: number
}

/**
 * The maximum number of positions of an unrolled repetition. Unrolling proves that `(\d{4})+` is harmless.
 *
 * Larger repetitions become loops, which match more texts, so harmless expressions may be reported as exponential.
 */
const unrollLimit = 128

/** Builds the automaton of an element. `read` contains the letters of each atom, by its source. */
export const of =
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

/** Builds the automaton of alternatives: of an expression, a group or a lookaround. */
export const ofAlternatives =
  (read: ReadonlyMap<string, bigint>) =>
  (alternatives: ReadonlyArray<AST.Alternative>): PositionAutomaton =>
    alternatives
      .map(({ elements }) => elements.map(of(read)).reduce(then, emptyText))
      .reduce(or, nothing)

/**
 * Builds the automaton of `body*`.
 *
 * The matcher abandons iterations that read nothing, so empty matches of the body do not count. `ways` is the number of ways
 * from one iteration to the next, which is more than one if empty iterations are possible between them.
 */
export const loop = (body: PositionAutomaton, ways = 1): PositionAutomaton => ({
  ...body,
  follow: link(body.follow, body.last, times(ways, body.first)),
  empty: 1,
  loops: body.letters.length === 0 ? [] : [{ start: 0, end: body.letters.length }],
})

/** Matches no text, like `[]`. */
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

/** Builds the automaton of a repetition. The first `min` iterations may be empty; optional ones are skipped from the end. */
const repeat = (body: PositionAutomaton, min: number, max: number): PositionAutomaton => {
  const isUnbounded = max === Infinity
  if (Math.max(1, body.letters.length) * (isUnbounded ? min : max) > unrollLimit)
    return { ...loop(body), empty: min === 0 ? 1 : body.empty }
  const copies = (count: number): ReadonlyArray<PositionAutomaton> => Array(count).fill(body)
  const required = (count: number): PositionAutomaton => copies(count).reduce(then, emptyText)
  if (isUnbounded)
    return min === 0 || body.empty > 0
      ? then(required(min), loop(body))
      : then(required(min - 1), { ...loop(body), empty: 0 })
  const skippable = copies(max - min).reduce(
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
