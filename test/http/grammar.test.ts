import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Grammar from '../../src/http/grammar.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

// RFC 9110, 5.6.2
describe('Grammar.isToken', (test) => {
  table(
    test,
    [
      ['gzip', true],
      ["!#$%&'*+-.^_`|~09azAZ", true], // all tchar characters
      ['', false], // 1*tchar
      ['a b', false],
      ['a\n', false],
      ['é', false],
    ] as const,
    (text, expected) => assert.is(Grammar.isToken(text), expected),
  )

  test('rejects all delimiters', () =>
    assert.equal(
      '"(),/:;<=>?@[\\]{}'.split('').filter((delimiter) => Grammar.isToken(`a${delimiter}b`)),
      [],
    ))
})

// RFC 9110, 5.5
describe('Grammar.isHeaderValue', (test) => {
  table(
    test,
    [
      ['text/html; charset=utf-8', true],
      ['', true], // *field-content
      ['x', true],
      ['a\tb', true],
      ['\xa0caf\xe9\xff', true], // obs-text
      [' a', false],
      ['a\t', false],
      ['\t', false],
      ['a\r\nSet-Cookie: b', false],
      ['a\n', false],
      ['a\0', false],
      ['a\x1f', false],
      ['a\x7f', false], // DEL
      ['a\x80', true],
      ['\u0100', false], // above U+00FF
      ['\u{1f600}', false],
    ] as const,
    (text, expected) => assert.is(Grammar.isHeaderValue(text), expected),
  )
})

// RFC 9110, 5.6.4
describe('Grammar.quote', (test) => {
  table(
    test,
    [
      ['utf-8', 'utf-8'],
      ['', '""'],
      ['a b', '"a b"'],
      ['a,b;c=d', '"a,b;c=d"'],
      ['say "hi"', '"say \\"hi\\""'],
      ['C:\\x', '"C:\\\\x"'],
      ['caf\xe9', '"caf\xe9"'],
    ] as const,
    (text, expected) => assert.is(Grammar.quote(text), expected),
  )
})

describe('Grammar.splitList', (test) => {
  table(
    test,
    [
      ['foo,bar', ['foo', 'bar']], // RFC 9110, 5.6.1.2
      ['foo ,bar,', ['foo', 'bar']],
      ['foo , ,bar,charlie', ['foo', 'bar', 'charlie']],
      ['', []],
      [',', []],
      [',   ,', []],
      [' \t ', []],
      ['\ta b\t,\tc ', ['a b', 'c']],
      ['"a,b", c', ['"a,b"', 'c']], // commas, quotes and escapes inside a quoted string
      ['"a\\",b",c', ['"a\\",b"', 'c']],
      ['"a\\\\",b', ['"a\\\\"', 'b']],
      ['a="x,y";b="z",c', ['a="x,y";b="z"', 'c']],
      ['a\\,b', ['a\\', 'b']], // no escapes outside quoted strings
      ['a, "b, c', ['a', '"b, c']], // an unterminated quoted string
      ['a, "b\\', ['a', '"b\\']],
      ['\xa0a\xa0,b', ['\xa0a\xa0', 'b']], // U+00A0 is obs-text, not whitespace
    ] as const,
    (text, expected) => assert.equal(Grammar.splitList(text), expected),
  )

  law(test, 'splitting joined members returns the same members', fc.string(), (text) => {
    const members = Grammar.splitList(text)
    assert.equal(Grammar.splitList(members.join(' , ')), members)
  })
})

// RFC 9110, 5.6.6
describe('Grammar.parseParameters', (test) => {
  table(
    test,
    [
      ['', O.some([])],
      [';charset=utf-8', O.some([['charset', 'utf-8']])],
      ['; charset=utf-8', O.some([['charset', 'utf-8']])],
      [' \t;\t charset=utf-8', O.some([['charset', 'utf-8']])],
      [';Charset="Utf-8"', O.some([['charset', 'Utf-8']])],
      [';a=""', O.some([['a', '']])],
      [';a="\\"b\\\\c\\d"', O.some([['a', '"b\\cd']])],
      [';a="x;b=y, z"', O.some([['a', 'x;b=y, z']])],
      [';a="\xe9\\\xe9\\\t"', O.some([['a', '\xe9\xe9\t']])],
      [
        ';b=1;a=2;B=3',
        O.some([
          ['b', '1'],
          ['a', '2'],
          ['b', '3'],
        ]),
      ],
      [';', O.some([])], // [ parameter ]
      [
        '; ;;a=1; ;b=2 ; ',
        O.some([
          ['a', '1'],
          ['b', '2'],
        ]),
      ],
      [';__proto__=1', O.some([['__proto__', '1']])],
      ['a=1', O.none],
      [' ', O.none],
      [';a', O.none],
      [';a=', O.none],
      [';=1', O.none],
      [';a =1', O.none], // no whitespace around "="
      [';a= 1', O.none],
      [';a=1 b=2', O.none],
      [';a=1 ', O.none],
      [';a=1,b=2', O.none],
      [';a="1', O.none],
      [';a="1\\"', O.none],
      [';a="1"2', O.none],
      [';a=1"2"', O.none],
      [';a="\n"', O.none],
      [';a="\\\0"', O.none],
      [';a="\u0100"', O.none],
    ] as const,
    (text, expected) => assert.equal(Grammar.parseParameters(text), expected),
  )

  const parameter = fc.tuple(
    fc.stringMatching(/^[!#$%&'*+\-.^_`|~0-9a-z]+$/),
    fc.stringMatching(/^[\t \x21-\x7e\x80-\xff]*$/),
  )
  roundTrip(
    test,
    fc.array(parameter),
    (parameters) => parameters.map(([name, value]) => `;${name}=${Grammar.quote(value)}`).join(''),
    Grammar.parseParameters,
    (actual, expected) => assert.equal(actual, O.some(expected)),
  )
})

/** Whether at least one of ten runs takes less than 50 ms. */
const isFast = (run: () => unknown): boolean =>
  Array.from({ length: 10 }).some(() => {
    const start = cpuTime()
    run()
    return cpuTime() - start < 50
  })

describe('Grammar takes less than 50 ms for 64 KiB', (test) => {
  const size = 64 * 1024
  const chunks = [' ', '\t', ',', ';', '=', '"', '\\', 'a', '\0', '\xa0', '\u0100', '\r\n']
  const repeated = [...chunks, ' ,', 'a,', 'a ', ' ;', ';a', ';a=', ';a=b', ';a="', '"\\', '"",']
  const affixes = [
    ['', ''],
    ['a', 'a'],
    [';a="', ''],
    [';a=" ', '\0'],
  ] as const
  const texts = affixes.flatMap(([before, after]) =>
    repeated.map((chunk) => before + chunk.repeat(size / chunk.length) + after),
  )
  table(
    test,
    [
      ['isToken', Grammar.isToken],
      ['isHeaderValue', Grammar.isHeaderValue],
      ['quote', Grammar.quote],
      ['splitList', Grammar.splitList],
      ['parseParameters', Grammar.parseParameters],
    ] as const,
    (_, run) =>
      assert.equal(
        texts.filter((text) => !isFast(() => run(text))).map((text) => text.slice(0, 8)),
        [],
      ),
  )
})
