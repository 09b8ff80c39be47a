import { RegExpParser } from '@eslint-community/regexpp'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Alphabet from '../../src/regex-safety/alphabet.ts'
import { compile } from '../../src/regex-safety/program.ts'
import type { States } from '../../src/regex-safety/lazy-dfa.ts'
import { statesOf } from '../../src/regex-safety/lazy-dfa.ts'
import { growth, isLinear } from '../../src/regex-safety/step-growth.ts'
import { describe, law, table } from '../support/describe.ts'
import { expressions, partsOf, steps, write } from './counting-matcher.ts'

const states = (source: string, looksAhead = true): States => {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
  const { letters, read } = Alphabet.of(pattern, 'u', ['\\w', '\\n'])
  const options = { read, multiline: false, searches: !source.startsWith('^'), writtenOut: 500 }
  return statesOf(
    compile(pattern.alternatives, { ...options, settled: new Set() }),
    letters.map((letter, index) => ({
      bit: 1n << BigInt(index),
      kind: /\w/.test(letter) ? 'word' : letter === '\n' ? 'line' : 'other',
    })),
    looksAhead,
  )
}

describe('isLinear', (test) => {
  table(
    test,
    [
      ['^a*$', true],
      ['^a*b*$', true],
      ['^a*a*$', false],
      ['^a*b?a*$', false],
      ['^(?:a|b)*$', true],
      ['^(?:a|a)*$', false],
      ['a*b', false], // tried from every position
      ['\\ba*b', true], // but not inside a word
      ['a*', true], // always matches
      ['^a*^a*$', true], // the second ^ never holds
      ['^a*(?=a*b)', false],
      ['^(?:a?)*$', true],
      ['^a{1,50}a{1,50}$', true], // in 50 ways at most
      ['^a{1,200}a{1,200}$', false],
      ['^[^]+?-[^]+?-[^]+?$', true], // ends as soon as there are two of them
      ['^.+?-.+?-.+?$', false], // a line feed makes it fail
    ] as const,
    (source, expected) => assert.is(isLinear(states(source)), expected),
  )
})

describe('growth', (test) => {
  test('stops where the budget is spent', () => {
    const { longest, steps: counted } = growth(states('^a*a*$'), Infinity, 10_000)
    assert.ok(longest > 50 && longest < 150, String(longest))
    assert.ok((counted[longest] ?? 0) <= 10_000)
    assert.ok((counted[longest + 1] ?? 0) > 10_000)
  })
  test('has no limit where the texts are short enough', () =>
    assert.is(growth(states('^a*a*$'), 50, 10_000).longest, Infinity))
  test('has no limit where the expression reads no more', () =>
    assert.is(growth(states('^a{1,20}a{1,20}$'), Infinity, 10_000).longest, Infinity))
  law(
    test,
    'no text takes more steps',
    fc.tuple(expressions, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })),
    ([expression, start]) => {
      const text = `${start}!`
      const { steps: counted } = growth(states(`^(?:${write(expression)})$`), text.length, 50_000)
      const bound = counted[text.length] ?? counted.at(-1) ?? 0
      const instructions = 4 * partsOf(expression).length
      const taken = steps(expression, text, 100_000)
      assert.ok(taken <= instructions * (bound + 1), `${taken} steps, ${bound} expected`)
    },
  )
})
