import { RegExpParser } from '@eslint-community/regexpp'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Alphabet from '../../src/regex-safety/alphabet.ts'
import { describe, law, table } from '../support/describe.ts'

const alphabet = (source: string): Alphabet.Alphabet =>
  Alphabet.of(new RegExpParser().parsePattern(source, 0, source.length, { unicode: true }))

/** Whether two atoms share a letter. */
const share = (a: string, b: string): boolean => {
  const { read } = alphabet(a + b)
  return ((read.get(a) ?? 0n) & (read.get(b) ?? 0n)) !== 0n
}

describe('Alphabet.of: atoms that can read the same character share a letter', (test) => {
  table(
    test,
    [
      ['a', 'b', false],
      ['a', '[a-c]', true],
      ['[^a]', 'a', false],
      ['[a-f]', '[f-k]', true],
      ['[a-e]', '[f-k]', false],
      ['\\d', '\\w', true],
      ['\\d', '\\D', false],
      ['.', '\\n', false],
      ['.', '\\u2028', false],
      ['.', '\\s', true],
      ['\\s', '[\\u2000-\\u2001]', true],
      ['\\s', '[\\u2001-\\u2009]', true],
      ['\\s', '[\\u00a1-\\u167f]', false],
      ['\\s', '\\ufeff', true],
      ['[^\\x00-\\x7f]', '\\W', true],
      ['[^\\x00-\\x7f]', '\\w', false],
      ['é', '\\u00e9', true],
      ['😀', '[\\u{1f600}-\\u{1f64f}]', true],
      ['\\ud83d', '😀', false],
      ['\\p{Lu}', '\\p{Ll}', false],
      ['\\p{L}', '\\p{Script=Greek}', true],
      ['\\p{L}', '\\p{Script=Deseret}', true],
      ['\\p{Nd}', '[\\u0660-\\u0669]', true],
      ['[]', '[^]', false],
      ['[^\\0-\\uffff]', '[^a]', true],
      ['[^\\s\\0-\\x9f\\xa2-\\u{10ffff}]', '\\S', true], // only U+00A1
    ] as const,
    (a, b, expected) => {
      assert.is(share(a, b), expected)
      assert.is(share(b, a), expected)
    },
  )
  const character = fc
    .integer({ min: 0x20, max: 0x17f })
    .map((point) => `\\u{${point.toString(16)}}`)
  const member = fc.oneof(
    character,
    fc.constantFrom('\\d', '\\D', '\\w', '\\W', '\\s', '\\S'),
    fc
      .tuple(fc.nat(0xff), fc.nat(0xff))
      .map(([from, more]) => `\\u{${from.toString(16)}}-\\u{${(from + more).toString(16)}}`),
  )
  const atom = fc.oneof(
    character,
    fc
      .tuple(fc.constantFrom('[', '[^'), fc.array(member, { maxLength: 3 }))
      .map(([open, members]) => `${open}${members.join('')}]`),
  )
  const points = Array.from({ length: 0x3001 }, (_, point) => String.fromCodePoint(point))
  law(test, 'agrees with testing every character', fc.tuple(atom, atom), ([a, b]) => {
    const [one, other] = [new RegExp(`^${a}$`, 'u'), new RegExp(`^${b}$`, 'u')]
    assert.is(
      share(a, b),
      points.some((c) => one.test(c) && other.test(c)),
    )
  })
})

describe('Alphabet.of: letters', (test) => {
  table(
    test,
    [
      ['\\d', ['a', '0']],
      ['[a-z][A-Z]', ['A', '0', 'a']],
      ['(?:[(]|\\.)+', ['(', '.', 'a']],
    ] as const,
    (source, letters) => assert.equal(new Set(alphabet(source).letters), new Set(letters)),
  )
})
