import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { separated } from 'fp-ts/lib/Separated.js'
import * as assert from 'uvu/assert'
import * as Properties from '../../../src/node/settings/properties-file.ts'
import { describe, law, roundTrip, table } from '../../support/describe.ts'

const property = (
  name: string,
  value: string,
  line = 1,
  profile?: string,
): Properties.FileProperty => ({
  profile: O.fromNullable(profile),
  name,
  value,
  line,
})

// java.util.Properties.load(Reader), in the order of its text
describe('Properties.parse', (test) => {
  table(
    test,
    [
      ['', []],
      [' \t\n\f\n', []],
      ['# a=1\n ! b=2\n\t#c=3', []],
      [
        'a=1\nb=2\r\nc=3\rd=4',
        [property('a', '1'), property('b', '2', 2), property('c', '3', 3), property('d', '4', 4)],
      ],
      ['# a \\\nb=1', [property('b', '1', 2)]], // a comment is not continued
      ['a=1 \\\n   2', [property('a', '1 2')]],
      ['a=1\\\r\n#2\nb=3', [property('a', '1#2'), property('b', '3', 3)]], // no comment in a continuation
      ['a=1\\\\\nb=2', [property('a', '1\\'), property('b', '2', 2)]], // two backslashes do not continue
      ['a=1\\\\\\\n2', [property('a', '1\\2')]],
      ['na\\\n  me=1', [property('name', '1')]],
      ['a=1\\\n\nb=2', [property('a', '1'), property('b', '2', 3)]],
      ['a=1\\', [property('a', '1')]],
      ['  a=1', [property('a', '1')]],
      ['Truth = Beauty', [property('Truth', 'Beauty')]],
      ['Truth:Beauty', [property('Truth', 'Beauty')]],
      ['Truth\t \f:Beauty', [property('Truth', 'Beauty')]],
      ['Truth Beauty', [property('Truth', 'Beauty')]],
      ['a==b', [property('a', '=b')]],
      ['a : = b', [property('a', '= b')]],
      ['a=b:c = d ', [property('a', 'b:c = d ')]], // blanks at the end belong to the value
      ['cheeses', [property('cheeses', '')]],
      ['=1', [property('', '1')]],
      ['\\:\\=\\ \\#=1', [property(':= #', '1')]],
      ['a=\\t\\n\\r\\f\\b\\"\\z', [property('a', '\t\n\r\fb"z')]],
      ['a=\\u0041\\u00e4\\uD83D\\uDE00', [property('a', 'Aä😀')]],
      ['\\u0061\\u003d=1', [property('a=', '1')]],
      ['a=\\\\u1', [property('a', '\\u1')]],
      ['a=\u2028b=1', [property('a', '\u2028b=1')]], // no line break here
      ['a=1\na=2', [property('a', '1'), property('a', '2', 2)]],
      ['fw.log.category."x".level=DEBUG', [property('fw.log.category."x".level', 'DEBUG')]],
      ['%dev.fw.http.port=80', [property('fw.http.port', '80', 1, 'dev')]],
      ['%dev=80', [property('%dev', '80')]],
      ['%.a=80', [property('%.a', '80')]],
      ['a.%dev.b=80', [property('a.%dev.b', '80')]],
    ] as const,
    (text, expected) => assert.equal(Properties.parseProperties(text), separated([], expected)),
  )

  test('leaves out the lines whose \\u is no escape', () =>
    assert.equal(
      Properties.parseProperties('a=\\u00g1\nb=C:\\users\nc=1\n\\u1=2\nd=\\u 0041\ne=\\u006'),
      separated([1, 2, 4, 5, 6], [property('c', '1', 3)]),
    ))
})

const escaped = (text: string): string =>
  text.replace(/[\\=:#! \t\n\r\f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('Properties', (test) => {
  const pair = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
  const pairs = fc.array(pair.filter(([name]) => name !== '' && !name.startsWith('%')))
  roundTrip(
    test,
    pairs,
    (all) => all.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('\n'),
    Properties.parseProperties,
    (actual, all) =>
      assert.equal(
        actual,
        separated(
          [],
          all.map(([name, value], index) => property(name, value, index + 1)),
        ),
      ),
  )

  const lines = fc.array(
    fc.constantFrom('a', '=', ' ', '\\', '\n', '\r', 'u', '0041', '#', '%', '.'),
  )
  law(test, 'reads any text, each line at most once', lines, (parts) => {
    const text = parts.join('')
    const { left, right } = Properties.parseProperties(text)
    const starts = [...left, ...right.map(({ line }) => line)]
    assert.is(new Set(starts).size, starts.length)
    assert.ok(starts.every((line) => line >= 1 && line <= text.split(/\r\n|[\r\n]/).length))
  })
})
