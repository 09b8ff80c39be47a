import { RegExpParser } from '@eslint-community/regexpp'
import * as assert from 'uvu/assert'
import * as Alphabet from '../../src/regex-safety/alphabet.ts'
import * as PositionAutomaton from '../../src/regex-safety/position-automaton.ts'
import { describe, table } from '../support/describe.ts'

const automaton = (source: string): PositionAutomaton.PositionAutomaton => {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
  return PositionAutomaton.ofAlternatives(Alphabet.of(pattern).read)(pattern.alternatives)
}

/** Formats positions; `1×2` means two or more ways to position 1. */
const ways = (some: PositionAutomaton.Ways): string =>
  [...some]
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
      const made = automaton(source)
      assert.equal(
        [made.empty, ways(made.first), ways(made.last), made.follow.map(ways)],
        [empty, first, last, follow],
      )
      assert.is(made.letters.length, made.follow.length)
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
      ['once', 1, ['1', '0']],
      ['in several ways', 2, ['1', '0×2']],
    ] as const,
    (_, count, follow) =>
      assert.equal(PositionAutomaton.loop(automaton('ab'), count).follow.map(ways), follow),
  )
})
