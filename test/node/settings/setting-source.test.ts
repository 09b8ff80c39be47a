import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { separated } from 'fp-ts/lib/Separated.js'
import * as assert from 'uvu/assert'
import * as Source from '../../../src/node/settings/setting-source.ts'
import { describe, law, roundTrip } from '../../support/describe.ts'
import * as Settings from '../../../src/compiler/settings/settings.ts'
import { unicodeString } from '../../support/unicode-string.ts'

const property = (
  name: string,
  value: string,
  line = 1,
  profile?: string,
): Source.FileProperty => ({
  profile: O.fromNullable(profile),
  name,
  value,
  line,
})

// in the order of the documentation of java.util.Properties.load(Reader)
describe('parseProperties', (test) => {
  for (const [text, properties] of [
    ['', []],
    [' \t\n\f\n', []],
    ['# a=1\n ! b=2\n\t#c=3', []],
    [
      'a=1\nb=2\r\nc=3\rd=4',
      [property('a', '1'), property('b', '2', 2), property('c', '3', 3), property('d', '4', 4)],
    ],
    ['# a \\\nb=1', [property('b', '1', 2)]], // a comment is not continued
    ['a=1 \\\n   2', [property('a', '1 2')]],
    ['a=1\\\r\n#2\nb=3', [property('a', '1#2'), property('b', '3', 3)]], // a continuation line is not a comment
    ['a=1\\\\\nb=2', [property('a', '1\\'), property('b', '2', 2)]], // an escaped backslash does not continue the line
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
    ['a=b:c = d ', [property('a', 'b:c = d ')]], // trailing spaces belong to the value
    ['cheeses', [property('cheeses', '')]],
    ['=1', [property('', '1')]],
    ['\\:\\=\\ \\#=1', [property(':= #', '1')]],
    ['a=\\t\\n\\r\\f\\b\\"\\z', [property('a', '\t\n\r\fb"z')]],
    ['a=\\u0041\\u00e4\\uD83D\\uDE00', [property('a', 'Aä😀')]],
    ['\\u0061\\u003d=1', [property('a=', '1')]],
    ['a=\\\\u1', [property('a', '\\u1')]],
    ['a=\u2028b=1', [property('a', '\u2028b=1')]], // U+2028 is not a line break
    ['a=1\na=2', [property('a', '1'), property('a', '2', 2)]],
    ['fw.log.category."x".level=DEBUG', [property('fw.log.category."x".level', 'DEBUG')]],
    ['%dev.fw.http.port=80', [property('fw.http.port', '80', 1, 'dev')]],
    ['%dev=80', [property('%dev', '80')]],
    ['%.a=80', [property('%.a', '80')]],
    ['a.%dev.b=80', [property('a.%dev.b', '80')]],
  ] as const)
    test(`parses ${JSON.stringify(text)}`, () =>
      assert.equal(Source.parseProperties(text), separated([], properties)))

  test('returns the numbers of lines with a malformed \\u escape', () =>
    assert.equal(
      Source.parseProperties('a=\\u00g1\nb=C:\\users\nc=1\n\\u1=2\nd=\\u 0041\ne=\\u006'),
      separated([1, 2, 4, 5, 6], [property('c', '1', 3)]),
    ))
})

const escaped = (text: string): string =>
  text.replace(/[\\=:#! \t\n\r\f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('parseProperties with arbitrary texts', (test) => {
  const pair = fc.tuple(unicodeString, unicodeString)
  const pairs = fc.array(pair.filter(([name]) => name !== '' && !name.startsWith('%')))
  roundTrip(
    test,
    pairs,
    (all) => all.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('\n'),
    Source.parseProperties,
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
  law(test, 'parses each line at most once', lines, (parts) => {
    const text = parts.join('')
    const { left, right } = Source.parseProperties(text)
    const starts = [...left, ...right.map(({ line }) => line)]
    assert.is(new Set(starts).size, starts.length)
    assert.ok(starts.every((line) => line >= 1 && line <= text.split(/\r\n|[\r\n]/).length))
  })
})

describe('variableName', (test) => {
  for (const [name, variable] of [
    ['fw.http.port', 'FW_HTTP_PORT'],
    ['fw.http.limits.max-body-size', 'FW_HTTP_LIMITS_MAX_BODY_SIZE'],
    ['fw.log.category."x.y".level', 'FW_LOG_CATEGORY__X_Y__LEVEL'],
    ['größe', 'GR__E'],
  ] as const)
    test(`returns ${variable} for ${name}`, () => assert.is(Source.variableName(name), variable))

  test('returns a unique name for each setting', () =>
    assert.is(
      new Set(Settings.settingNames.map(Source.variableName)).size,
      Settings.settingNames.length,
    ))
})

describe('variableNames', (test) => {
  for (const [name, variables] of [
    ['fw.http.port', ['fw.http.port', 'FW_HTTP_PORT']],
    ['path', ['path']],
  ] as const)
    test(`returns ${variables.join(', ')} for ${name}`, () =>
      assert.equal(Source.variableNames(name), variables))
})

describe('isReservedName', (test) => {
  for (const [name, isReserved] of [
    ['fw.http.port', true],
    ['FW_HTTP_PORT', true],
    ['FW_PROFILE', true],
    ['fwd.port', false],
    ['FWD_PORT', false],
    ['my.fw.port', false],
    ['fw', false],
  ] as const)
    test(`returns ${isReserved} for ${name}`, () =>
      assert.is(Source.isReservedName(name), isReserved))
})

describe('malformedLines', (test) => {
  for (const [text, numbers] of [
    ['', []],
    ['A=1\n\n# a comment\n  # another\nexport B=2\n', []],
    ['A=1\nno variable\nB=2', [2]],
    ['one\r\ntwo\r\nC=', [1, 2]],
    ['A="first\nsecond\nthird"\nnothing', [4]],
    ["A='x\n\ny'\nB=`p\nq`", []],
    ['A = "1" # comment\nB', [2]],
  ] as const)
    test(`returns [${numbers.join()}] for ${JSON.stringify(text)}`, () =>
      assert.equal(Source.malformedLines(text), numbers))
})
