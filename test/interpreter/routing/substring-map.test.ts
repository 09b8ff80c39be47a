import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as TextTable from '../../../src/interpreter/routing/substring-map.ts'
import { describe, law } from '../../support/describe.ts'

const tableOf = (texts: ReadonlyArray<string>): TextTable.SubstringMap<string> =>
  TextTable.substringMap(texts.map((text) => [text, `<${text}>`]))

const find = (texts: ReadonlyArray<string>, text: string): string | undefined =>
  TextTable.findSubstring(tableOf(texts), `/${text}/`, 1, 1 + text.length)

describe('TextTable.find', (test) => {
  test('finds nothing in nothing', () => assert.is(find([], 'a'), undefined))
  test('looks at what is between the positions alone', () => {
    assert.is(find(['a'], 'a'), '<a>')
    assert.is(find(['a'], 'ab'), undefined)
    assert.is(find(['ab'], 'a'), undefined)
    assert.is(find(['a/'], 'a'), undefined)
  })
  test('tells texts of one hash apart', () => {
    const same = ['Aa', 'BB'] // 31 * 65 + 97 = 31 * 66 + 66
    assert.equal(
      [...same, 'Ab'].map((text) => find(same, text)),
      ['<Aa>', '<BB>', undefined],
    )
  })
  test('tells texts of one list apart', () => {
    const texts = Array.from({ length: 200 }, (_, index) => `r${index}`)
    for (const text of texts) assert.is(find(texts, text), `<${text}>`)
    assert.is(find(texts, 'r200'), undefined)
  })

  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', 'é', '/'), maxLength: 4 })
  law(test, 'agrees with a Map', fc.tuple(fc.uniqueArray(text), text), ([texts, one]) =>
    assert.is(find(texts, one), new Map(texts.map((known) => [known, `<${known}>`])).get(one)),
  )
})
