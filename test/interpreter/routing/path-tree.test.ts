import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { SubstringMap } from '../../../src/interpreter/routing/path-tree.ts'
import { findSubstring, substringMap } from '../../../src/interpreter/routing/path-tree.ts'
import { describe, law } from '../../support/describe.ts'

const mapOf = (texts: ReadonlyArray<string>): SubstringMap<string> =>
  substringMap(texts.map((text) => [text, `<${text}>`]))

const find = (texts: ReadonlyArray<string>, text: string): string | undefined =>
  findSubstring(mapOf(texts), `/${text}/`, 1, 1 + text.length)

describe('findSubstring', (test) => {
  test('returns undefined for an empty map', () => assert.is(find([], 'a'), undefined))
  test('compares only the characters between the offsets', () => {
    assert.is(find(['a'], 'a'), '<a>')
    assert.is(find(['a'], 'ab'), undefined)
    assert.is(find(['ab'], 'a'), undefined)
    assert.is(find(['a/'], 'a'), undefined)
  })
  test('distinguishes keys with the same hash', () => {
    const same = ['Aa', 'BB'] // 31 * 65 + 97 = 31 * 66 + 66
    assert.equal(
      [...same, 'Ab'].map((text) => find(same, text)),
      ['<Aa>', '<BB>', undefined],
    )
  })
  test('finds each of 200 keys', () => {
    const texts = Array.from({ length: 200 }, (_, index) => `r${index}`)
    for (const text of texts) assert.is(find(texts, text), `<${text}>`)
    assert.is(find(texts, 'r200'), undefined)
  })

  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', 'é', '/'), maxLength: 4 })
  law(
    test,
    'returns the same values as a Map',
    fc.tuple(fc.uniqueArray(text), text),
    ([keys, key]) =>
      assert.is(find(keys, key), new Map(keys.map((name) => [name, `<${name}>`])).get(key)),
  )
})
