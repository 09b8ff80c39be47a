import { RegExpParser, type AST } from '@eslint-community/regexpp'
import * as assert from 'uvu/assert'
import * as Alphabet from '../../src/regex-safety/alphabet.ts'
import { describe, table } from '../support/describe.ts'
import * as PositionAutomaton from '../../src/regex-safety/position-automaton.ts'

const parse = (source: string): AST.Pattern =>
  new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })

describe('PositionAutomaton.suspiciousQuantifiers', (test) => {
  table(
    test,
    [
      ['a*', []], // no group
      ['(a)?', []],
      ['(a){10}', []],
      ['(a){11}', ['(a){11}']],
      ['(a){0,11}', ['(a){0,11}']],
      ['(?:a)+', ['(?:a)+']],
      ['(?:(?:a)*b)*', ['(?:a)*', '(?:(?:a)*b)*']],
      ['(?:(?:a){3}b){4}', ['(?:a){3}']],
      ['(?:(?:a){3}b)*', ['(?:(?:a){3}b)*']],
      ['(?=(a)*)', ['(a)*']],
    ] as const,
    (source, expected) =>
      assert.equal(
        PositionAutomaton.suspiciousQuantifiers(parse(source)).map(({ raw }) => raw),
        expected,
      ),
  )
})

describe('PositionAutomaton.asLoop', (test) => {
  table(
    test,
    [
      ['(?:a)*', 1],
      ['(?:a){20}', 1],
      ['(?:a?){0,20}', 1],
      ['(?:a?){20}', 2], // empty iterations count if iterations are required
      ['(?:a?){20,}', 2],
      ['(?:a?){5,}', 1],
    ] as const,
    (source, ways) => {
      const pattern = parse(source)
      const { read } = Alphabet.of(pattern)
      assert.equal(
        PositionAutomaton.suspiciousQuantifiers(pattern).map((quantifier) => [
          ...PositionAutomaton.asLoop(quantifier, read).follow,
        ]),
        [[new Map([[0, ways]])]],
      )
    },
  )
})

const automaton = (source: string): PositionAutomaton.PositionAutomaton => {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
  return PositionAutomaton.ofAlternatives(Alphabet.of(pattern).read)(pattern.alternatives)
}

/** Formats positions; `1×2` means two or more ways to position 1. */
const ways = (positions: PositionAutomaton.Ways): string =>
  [...positions]
    .toSorted(([p], [q]) => p - q)
    .map(([p, count]) => (count === 1 ? `${p}` : `${p}×${count}`))
    .join(' ')

describe('PositionAutomaton.ofAlternatives', (test) => {
  table(
    test,
    [
      // source, empty, first, last, positions that follow each position
      ['', 1, '', '', []],
      ['^\\b(?=a)', 1, '', '', []],
      ['[]', 0, '', '', []],
      ['ab', 0, '0', '1', ['1', '']],
      ['a|b', 0, '0 1', '0 1', ['', '']],
      ['a|', 1, '0', '0', ['']],
      ['(?:|)', 2, '', '', []],
      ['(?:|)a(?:||)', 0, '0×2', '0×2', ['']],
      ['a?b', 0, '0 1', '1', ['1', '']],
      ['a(?:[]|b)', 0, '0', '1', ['1', '']],
      ['a(?:[]c|b[])', 0, '', '', []],
      ['a*', 1, '0', '0', ['0']],
      ['a+?', 0, '0', '0', ['0']],
      ['(?:ab)*', 1, '0', '1', ['1', '0']],
      ['(a*)*', 1, '0', '0', ['0×2']],
      ['(?:a?b?)*', 1, '0 1', '0 1', ['0 1×2', '0 1']],
      ['(?:a?)*', 1, '0', '0', ['0']], // empty iterations are abandoned
      ['(?:a?)+', 1, '0 1', '0 1', ['1', '1']], // except for the first
      ['(?:[])*', 1, '', '', []],
      ['a{2}', 0, '0', '1', ['1', '']],
      ['a{0}', 1, '', '', []],
      ['a{0,2}', 1, '0', '0 1', ['1', '']], // the second only after the first
      ['a{1,3}', 0, '0', '0 1 2', ['1', '2', '']],
      ['a{2,}', 0, '0', '1', ['1', '1']],
      ['(?:a?){2}', 1, '0 1', '0 1', ['1', '']],
      ['a{129}', 0, '0', '0', ['0']], // too many to unroll
      ['a{0,129}', 1, '0', '0', ['0']],
      ['(?:\\b){1,1000000}', 1, '', '', []],
    ] as const,
    (source, empty, first, last, follow) => {
      const built = automaton(source)
      assert.equal(
        [built.empty, ways(built.first), ways(built.last), built.follow.map(ways)],
        [empty, first, last, follow],
      )
      assert.is(built.letters.length, built.follow.length)
    },
  )
})

describe('PositionAutomaton: loops', (test) => {
  table(
    test,
    [
      ['ab', []],
      ['x(?:a*b)*', [[1, 3]]], // the inner loop is part of the outer one
      [
        'a*b+|c*',
        [
          [0, 1],
          [1, 2],
          [2, 3],
        ],
      ],
      [
        '(?:ab*){2}',
        [
          [1, 2],
          [3, 4],
        ],
      ],
      ['(?:\\b)*', []],
    ] as const,
    (source, loops) =>
      assert.equal(
        automaton(source).loops.map(({ start, end }) => [start, end]),
        loops,
      ),
  )
})

describe('PositionAutomaton.loop', (test) => {
  table(
    test,
    [
      ['one way', 1, ['1', '0']],
      ['several ways', 2, ['1', '0×2']],
    ] as const,
    (_, count, follow) =>
      assert.equal(PositionAutomaton.loop(automaton('ab'), count).follow.map(ways), follow),
  )
})
