/**
 * The position automaton of a regular expression (Glushkov's): a state for each place where the expression reads a
 * character, and a transition for each way to come from one to the next. Ways are counted, because a backtracking matcher
 * tries each of them: in `(a*)*` an `a` follows an `a` in two ways, inside the inner loop and round the outer one.
 *
 * Assertions read nothing and are taken to hold; captures and greediness do not change what can be tried.
 *
 * @see https://tc39.es/ecma262/#sec-runtime-semantics-repeatmatcher-abstract-operation
 */
import type { AST } from '@eslint-community/regexpp'

/** Positions, each with the number of ways to come to it: 1, or 2 for any greater number. */
export type Ways = ReadonlyMap<number, number>

export interface PositionAutomaton {
  /** By position, the letters that it reads, as a set of bits that is never empty. */
  readonly letters: ReadonlyArray<bigint>
  /** By position, what can be read next. */
  readonly follow: ReadonlyArray<Ways>
  readonly first: Ways
  readonly last: Ways
  /** In how many ways the empty text matches: 0, 1, or 2 for any greater number. */
  readonly empty: number
  /** The loops that are inside no other, in the order of the source. */
  readonly loops: ReadonlyArray<Loop>
}

/** The positions from `start` up to and without `end`, which all lead to one another. */
export interface Loop {
  readonly start: number
  readonly end: number
}

/**
 * Positions that one counted repetition is written out to, so that `(\d{4})+` is seen to be harmless. Beyond them it
 * becomes a loop, which matches more, so that harmless expressions may be taken for dangerous ones.
 */
const writtenOut = 128

/** The automaton of an element; `read` gives the letters of an atom by its text. */
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

/** The automaton of what stands between `|`: a whole expression, or the inside of a group or lookaround. */
export const ofAlternatives =
  (read: ReadonlyMap<string, bigint>) =>
  (alternatives: ReadonlyArray<AST.Alternative>): PositionAutomaton =>
    alternatives
      .map(({ elements }) => elements.map(of(read)).reduce(then, emptyText))
      .reduce(or, nothing)

/**
 * What `body*` is. A round that reads nothing is given up by the matcher, so the body's empty matches do not count.
 * `ways` says in how many ways one round leads to the next, as more than one when rounds between may be empty.
 */
export const loop = (body: PositionAutomaton, ways = 1): PositionAutomaton => ({
  ...body,
  follow: link(body.follow, body.last, times(ways, body.first)),
  empty: 1,
  loops: body.letters.length === 0 ? [] : [{ start: 0, end: body.letters.length }],
})

/** Matches no text at all, as `[]`. */
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

/** Of the rounds, the first `min` may read nothing, and what is not required is skipped from the end. */
const repeat = (body: PositionAutomaton, min: number, max: number): PositionAutomaton => {
  const endless = max === Infinity
  if (Math.max(1, body.letters.length) * (endless ? min : max) > writtenOut)
    return { ...loop(body), empty: min === 0 ? 1 : body.empty }
  const rounds = (count: number): ReadonlyArray<PositionAutomaton> => Array(count).fill(body)
  const required = (count: number): PositionAutomaton => rounds(count).reduce(then, emptyText)
  if (endless)
    return min === 0 || body.empty > 0
      ? then(required(min), loop(body))
      : then(required(min - 1), { ...loop(body), empty: 0 })
  const skippable = rounds(max - min).reduce(
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
