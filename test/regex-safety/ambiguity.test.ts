import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { describe, roundTrip, table } from '../support/describe.ts'
import { RegExpParser } from '@eslint-community/regexpp'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Alphabet from '../../src/regex-safety/alphabet.ts'
import * as Ambiguity from '../../src/regex-safety/ambiguity.ts'
import * as PositionAutomaton from '../../src/regex-safety/position-automaton.ts'

const graph =
  (next: ReadonlyArray<ReadonlyArray<number>>): Ambiguity.Graph =>
  (node) =>
    next[node] ?? []

const diamond = graph([[1, 2], [3], [3], [0], [0]])

describe('Ambiguity.reachable', (test) => {
  table(
    test,
    [
      ['only the start without edges', graph([[], [0]]), [0]],
      ['nearest first', diamond, [0, 1, 2, 3]],
      ['a loop', graph([[0]]), [0]],
    ] as const,
    (_, from, nodes) => assert.equal([...Ambiguity.reachable(from, 0).keys()], nodes),
  )
})

describe('Ambiguity.shortestPath', (test) => {
  table(
    test,
    [
      ['the path to the start is the start', 0, [0]],
      ['the shortest path', 3, [0, 1, 3]],
    ] as const,
    (_, to, nodes) =>
      assert.equal(Ambiguity.shortestPath(Ambiguity.reachable(diamond, 0), to), nodes),
  )
})

describe('Ambiguity.reverse', (test) => {
  test('reverses the edges of the given nodes only', () =>
    assert.equal([0, 1, 2, 3, 4].map(Ambiguity.reverse(diamond, [0, 1, 2, 3])), [
      [3],
      [0],
      [0],
      [1, 2],
      [],
    ]))
})

describe('Ambiguity.product', (test) => {
  // 0 reads a, 1 reads b, 2 reads either
  const letters = [0b01n, 0b10n, 0b11n]
  const all = graph([
    [0, 1, 2],
    [0, 1, 2],
    [0, 1, 2],
  ])
  const walk = (...graphs: ReadonlyArray<Ambiguity.Graph>): ReadonlyArray<ReadonlyArray<number>> =>
    Ambiguity.product(letters, graphs)(0).map((node) => Ambiguity.unpack(3, graphs.length, node))
  table(
    test,
    [
      ['one walk can reach all nodes', walk(all), [[0], [1], [2]]],
      [
        'two walks read the same letters',
        walk(all, all),
        [
          [0, 0],
          [0, 2],
          [1, 1],
          [1, 2],
          [2, 0],
          [2, 1],
          [2, 2],
        ],
      ],
      ['three walks need a common letter', walk(graph([[0]]), graph([[1]]), graph([[2]])), []],
      [
        'each walk uses its own graph',
        walk(graph([[2]]), graph([[0, 1]])),
        [
          [2, 0],
          [2, 1],
        ],
      ],
    ] as const,
    (_, actual, expected) => assert.equal(actual, expected),
  )
})

describe('Ambiguity.pack', (test) => {
  roundTrip(
    test,
    fc.array(fc.nat(99), { maxLength: 3 }),
    (nodes) => [nodes.length, Ambiguity.pack(100, nodes)] as const,
    ([count, packed]) => Ambiguity.unpack(100, count, packed),
    (actual, nodes) => assert.equal(actual, nodes),
  )
})

const build = (
  source: string,
): readonly [PositionAutomaton.PositionAutomaton, Alphabet.Alphabet] => {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
  const alphabet = Alphabet.of(pattern)
  return [PositionAutomaton.ofAlternatives(alphabet.read)(pattern.alternatives), alphabet]
}

describe('Ambiguity.exponentialPump', (test) => {
  table(
    test,
    [
      // the body of a loop, and a text with two ways through the loop
      ['', O.none],
      ['a', O.none],
      ['a|b', O.none],
      ['ab|ac', O.none],
      ['a*b', O.none],
      ['a+b+', O.none],
      ['a|a', O.some('aa')],
      ['a*', O.some('aa')],
      ['a|b|ab', O.some('aab')],
      ['xa*y?', O.none],
      ['xa*a*y', O.some('xay')],
      ['\\d|[a-f0-3]', O.some('00')],
    ] as const,
    (body, expected) => {
      const [automaton, { letters }] = build(body)
      const text = pipe(
        Ambiguity.exponentialPump(PositionAutomaton.loop(automaton)),
        O.map((sets) => sets.map((set) => letters[set.toString(2).length - 1]).join('')),
      )
      assert.equal(text, expected)
    },
  )
})

describe('Ambiguity.polynomialDegree', (test) => {
  table(
    test,
    [
      ['ab?', 0],
      ['a*', 1],
      ['a*b*', 1],
      ['a*b*a*', 2], // b* matches the empty text
      ['a*ba*', 1],
      ['a*|a*', 1],
      ['a*a*', 2],
      ['a*a*b*b*', 3],
      ['a*a*a*', 3],
      ['.*,.*', 2], // a sequence of commas
      ['.+/.+/.+/.+', 4],
      ['\\d+-\\d+-\\d+', 1],
      ['(?:ab)*(?:ab)*', 2],
      ['(?:ab)*a(?:ba)*', 2],
      ['(?:ab)*(?:ba)*', 1],
      ['(?:ab)*(?:abab)*', 2],
      ['(?:a|bc)*(?:ad|b)*', 1],
    ] as const,
    (source, degree) => assert.is(Ambiguity.polynomialDegree(build(source)[0]), degree),
  )
})
