import { RegExpParser } from '@eslint-community/regexpp'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Alphabet from '../../src/regex-safety/alphabet.ts'
import { compile } from '../../src/regex-safety/program.ts'
import type { LazyDfa } from '../../src/regex-safety/lazy-dfa.ts'
import { lazyDfa } from '../../src/regex-safety/lazy-dfa.ts'
import { measureGrowth, isLinear } from '../../src/regex-safety/analyze.ts'
import { describe, law, table } from '../support/describe.ts'
import { expressions, partsOf, steps, write } from './counting-matcher.ts'

const states = (source: string, detectsCertainty = true): LazyDfa => {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
  const { letters, read } = Alphabet.of(pattern, 'u', ['\\w', '\\n'])
  const options = { read, multiline: false, searches: !source.startsWith('^'), unrollLimit: 500 }
  return lazyDfa(
    compile(pattern.alternatives, { ...options, separate: new Set() }),
    letters.map((letter, index) => ({
      bit: 1n << BigInt(index),
      kind: /\w/.test(letter) ? 'word' : letter === '\n' ? 'line' : 'other',
    })),
    detectsCertainty,
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
      ['^a{1,50}a{1,50}$', true], // in at most 50 ways
      ['^a{1,200}a{1,200}$', false],
      ['^[^]+?-[^]+?-[^]+?$', true], // matches as soon as there are two hyphens
      ['^.+?-.+?-.+?$', false], // fails at a line feed
    ] as const,
    (source, expected) => assert.is(isLinear(states(source)), expected),
  )
})

describe('measureGrowth', (test) => {
  test('returns the greatest length within the budget', () => {
    const { maxLength, steps: counted } = measureGrowth(states('^a*a*$'), Infinity, 10_000)
    assert.ok(maxLength > 50 && maxLength < 150, String(maxLength))
    assert.ok((counted[maxLength] ?? 0) <= 10_000)
    assert.ok((counted[maxLength + 1] ?? 0) > 10_000)
  })
  test('returns Infinity if the given length is within the budget', () =>
    assert.is(measureGrowth(states('^a*a*$'), 50, 10_000).maxLength, Infinity))
  test('returns Infinity if the expression reads a bounded text', () =>
    assert.is(measureGrowth(states('^a{1,20}a{1,20}$'), Infinity, 10_000).maxLength, Infinity))
  law(
    test,
    'is an upper bound for every text',
    fc.tuple(expressions, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })),
    ([expression, start]) => {
      const text = `${start}!`
      const { steps: counted } = measureGrowth(
        states(`^(?:${write(expression)})$`),
        text.length,
        50_000,
      )
      const bound = counted[text.length] ?? counted.at(-1) ?? 0
      const instructions = 4 * partsOf(expression).length
      const taken = steps(expression, text, 100_000)
      assert.ok(taken <= instructions * (bound + 1), `${taken} steps, ${bound} expected`)
    },
  )
})
