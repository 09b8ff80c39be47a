import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import * as JsonParser from '../../../src/codec/json/json-guard.ts'
import { describe, law, roundTrip, table } from '../../support/describe.ts'
import { assertSame } from '../../support/same-value.ts'
import { unicodeString } from '../../support/unicode-string.ts'

const wide: JsonParser.JsonBounds = { depth: 1000, keys: 1000 }
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const parse = (text: string, bounds = wide): E.Either<string, unknown> =>
  detailOf(JsonParser.parse(encode(text), bounds))

/** Returns the detail of an error. */
const detailOf = E.mapLeft(({ detail }: JsonParser.JsonError) => detail)

describe('JsonParser.parse', (test) => {
  table<readonly [string, unknown]>(
    test,
    [
      ['', undefined], // an empty body is not null
      ['null', null], // RFC 8259, 3
      ['true', true],
      ['"a"', 'a'], // 2: a JSON text is any value
      ['-1.5e3', -1500], // 6
      ['[]', []], // 5
      ['[1,[2]]', [1, [2]]],
      ['{}', {}], // 4
      ['{"a":{"b":1}}', { a: { b: 1 } }],
      ['{"a":1,"a":2}', { a: 2 }], // 4: names SHOULD be unique
      ['"\\u00e9\\n\\ud83d\\ude00"', 'é\n😀'], // 7
      ['"\\ud83d"', '\ud83d'], // 8.2: a lone surrogate
      [' \t\r\n1 ', 1], // 2: whitespace
      ['{"constructor":1}', { constructor: 1 }],
      ['{"prototype":{}}', { prototype: {} }],
      ['"__proto__"', '__proto__'], // a value, not a name
      ['{"a":"\\u005f"}', { a: '_' }],
      ['["1e999"]', ['1e999']],
      ['1.7976931348623157e308', Number.MAX_VALUE],
      ['1e-999', 0],
      [`0.${'1'.repeat(400)}`, 1 / 9], // 6: rounded to a double
    ],
    (text, expected) => assert.equal(parse(text), E.right(expected)),
  )
  table<readonly [string]>(
    test,
    [
      ['1e309'],
      ['[{"a":-1E+400}]'],
      ['1e0000000309'],
      ['9'.repeat(310)],
      [`{"a":${'9'.repeat(250)}e60}`],
      [`[${'9'.repeat(210)}e99]`],
    ],
    (text) => assert.equal(parse(text), E.left('number out of range')),
  )
  test('accepts a member named constructor without a prototype', () => {
    const text = '{"constructor":{"name":1}}'
    assert.is(JSON.stringify(parse(text)), `{"_tag":"Right","right":${text}}`)
  })
})

describe('JsonParser.parse with malformed JSON', (test) => {
  const messagePattern = /^malformed JSON(?: at line \d+, column \d+)?$/
  table(
    test,
    [
      [' '],
      ['nul'],
      ['01'], // RFC 8259, 6: no leading zero
      ['+1'],
      ['NaN'],
      ["'a'"],
      ['[1,]'],
      ['{"a":1,}'],
      ['{a:1}'],
      ['"\t"'], // 7: control characters must be escaped
      ['"\\x41"'],
      ['1 2'],
      ['/**/1'],
      ['\u00a01'], // 2: only four characters are whitespace
      ['{"secret":hunter2}'],
    ] as const,
    (text) => {
      const result = parse(text)
      assert.ok(E.isLeft(result))
      assert.match(result.left, messagePattern)
    },
  )
  test('the error contains line and column, but not the text', () =>
    assert.equal(parse('{\n  hunter2: 1}'), E.left('malformed JSON at line 2, column 3')))
  table<readonly [string, ReadonlyArray<number>]>(
    test,
    [
      ['a Latin-1 byte', [0x22, 0xe9, 0x22]], // RFC 8259, 8.1: UTF-8
      ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
      ['a lone surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
      ['UTF-16', [0xff, 0xfe, 0x31, 0x00]],
    ],
    (_, bytes) =>
      assert.equal(
        detailOf(JsonParser.parse(Uint8Array.from(bytes), wide)),
        E.left('invalid UTF-8'),
      ),
  )
  test('ignores a byte order mark', () => assert.equal(parse('\ufeff1'), E.right(1))) // 8.1 allows that
})

describe('JsonParser.parse with limits', (test) => {
  const bounds = { depth: 3, keys: 3 }
  const tooDeep = E.left('nested more than 3 levels deep')
  const tooWide = E.left('an object has more than 3 members')
  table(
    test,
    [
      ['[[[1]]]', E.right([[[1]]])],
      ['[[[[1]]]]', tooDeep],
      ['{"a":{"b":{"c":1}}}', E.right({ a: { b: { c: 1 } } })],
      ['{"a":{"b":{"c":{}}}}', tooDeep],
      ['[{"a":[{}]}]', tooDeep],
      ['[[],[[]],[]]', E.right([[], [[]], []])], // depth is limited, not the number of arrays
      ['["[[[[", "\\"[[[["]', E.right(['[[[[', '"[[[['])], // brackets in strings are ignored
      ['"\\\\[[[["', E.right('\\[[[[')],
      ['{"a":1,"b":2,"c":3}', E.right({ a: 1, b: 2, c: 3 })],
      ['{"a":1,"b":2,"c":3,"d":4}', tooWide],
      ['{"a":1,"a":2,"a":3,"a":4}', tooWide], // duplicate names are counted
      ['[1,2,3,4,5]', E.right([1, 2, 3, 4, 5])], // elements of arrays are not limited
      ['{"a":[1,2,3,4],"b":1}', E.right({ a: [1, 2, 3, 4], b: 1 })],
      ['{"a":{"b":1,"c":2},"d":{"e":1,"f":2}}', E.right({ a: { b: 1, c: 2 }, d: { e: 1, f: 2 } })],
      ['[{},{"a":",,,,"}]', E.right([{}, { a: ',,,,' }])],
      ['[[[[', tooDeep], // checked before the syntax
    ] as const,
    (text, expected) => assert.equal(parse(text, bounds), expected),
  )
  test('rejects a depth that would overflow the stack', () =>
    assert.equal(parse('['.repeat(1_000_000)), E.left('nested more than 1000 levels deep')))
  test('accepts a depth of 5000 within the limit', () => {
    const deep = { depth: 5_000, keys: 1 }
    const name = '"__proto_":'
    const result = parse(`${`{${name}`.repeat(5_000)}1${'}'.repeat(5_000)}`, deep)
    assert.ok(E.isRight(result))
  })
})

describe('JsonParser.parse with names that could reach a prototype', (test) => {
  table(
    test,
    [
      ['{"__proto__":{}}'],
      ['{"__proto__":null}'],
      ['[[{"a":{"__proto__":1}}]]'],
      ['{"\\u005f_proto__":{}}'], // an escaped name
      ['{"\\u005F\\u005f\\u0070roto__":{}}'],
      ['{"constructor":{"prototype":{}}}'],
      ['{"constructor":{"name":1,"prototype":null}}'],
      ['{"\\u0063onstructor":{"prototype":{}}}'],
      ['{"constructor":{"\\u0070rototype":{}}}'],
    ] as const,
    (text) => assert.equal(parse(text), E.left('forbidden member name')),
  )
})

describe('JsonParser', (test) => {
  roundTrip(
    test,
    fc
      .anything({
        key: unicodeString,
        values: [
          unicodeString,
          fc.integer(),
          fc.double({ noDefaultInfinity: true, noNaN: true }),
          fc.boolean(),
          fc.constant(null),
        ],
      })
      .filter((value) => !JSON.stringify(value).includes('__proto__')),
    (value) => encode(JSON.stringify(value)),
    (text) => JsonParser.parse(text, wide),
    (actual, value) => assertSame(actual, E.right(JSON.parse(JSON.stringify(value)))),
  )
  law(test, 'never throws', fc.uint8Array(), (bytes) => {
    const result = JsonParser.parse(bytes, { depth: 2, keys: 2 })
    assert.ok(E.isLeft(result) || E.isRight(result))
  })
  law(
    test,
    'agrees with JSON.parse for accepted text that resembles JSON',
    fc.string({ unit: fc.constantFrom(...Array.from('[]{}",:\\u1 ae-.')) }),
    (text) => {
      const result = parse(text, { depth: 3, keys: 3 })
      if (E.isRight(result) && text !== '') assert.equal(result.right, JSON.parse(text))
    },
  )
})

describe('JsonParser.parse with isExpected', (test) => {
  const narrow: JsonParser.JsonBounds = { depth: 2, keys: 2 }
  const deep = '[[[1]]]'
  const prototype = '{"__proto__":1}'
  test('does not check an expected value', () => {
    assert.equal(
      JsonParser.parse(encode(deep), narrow, () => true),
      E.right([[[1]]]),
    )
    assert.ok(E.isRight(JsonParser.parse(encode(prototype), narrow, () => true)))
  })
  table<readonly [string, string]>(
    test,
    [
      [deep, 'nested more than 2 levels deep'],
      ['{"a":1,"b":2,"c":3}', 'an object has more than 2 members'],
      [prototype, 'forbidden member name'],
      ['[[[', 'nested more than 2 levels deep'], // limits are checked before the syntax
      ['[[[\ufffe', 'nested more than 2 levels deep'],
    ],
    (text, reason) =>
      assert.equal(detailOf(JsonParser.parse(encode(text), narrow, () => false)), E.left(reason)),
  )
  test('checks the limits of a long text before calling isExpected', () => {
    const long = `[${'[[1]],'.repeat(4000)}1]`
    assert.equal(
      detailOf(JsonParser.parse(encode(long), narrow, () => true)),
      E.left('nested more than 2 levels deep'),
    )
  })
})

const parseWith = (
  text: string,
  read: (text: string) => unknown,
  bounds = wide,
): E.Either<JsonParser.JsonError, unknown> => JsonParser.parseWith(encode(text), bounds, read)

const never = (): never => {
  throw new Error('unexpected call')
}

describe('JsonParser.parseWith', (test) => {
  test('returns the result of the reader', () =>
    assert.equal(
      parseWith('a', (text) => [text, 1]),
      E.right(['a', 1]),
    ))
  test('does not call the reader for empty input', () => {
    assert.equal(parseWith('', never), E.right(undefined))
  })
  test('checks the limits before calling the reader', () => {
    const texts: string[] = []
    const result = parseWith('[[[]]]', (text) => texts.push(text), { depth: 2, keys: 2 })
    assert.equal(result, E.left({ detail: 'nested more than 2 levels deep' }))
    assert.equal(texts, [])
  })
  const thrown = new Error('secret')
  table<readonly [name: string, read: (text: string) => unknown, detail: string, cause: unknown]>(
    test,
    [
      ['a forbidden name', () => JSON.parse('{"__proto__":1}'), 'forbidden member name', 0],
      ['an infinity', () => [Infinity], 'number out of range', 0],
      [
        'an error',
        () => {
          throw thrown
        },
        'cannot be parsed',
        thrown,
      ],
    ],
    (_, read, detail, cause) =>
      assert.equal(parseWith('1', read), E.left(cause === 0 ? { detail } : { detail, cause })),
  )
  test('a SyntaxError of the reader results in an error with line and column', () => {
    const result = parseWith('{\n  x: 1}', JSON.parse)
    assert.ok(E.isLeft(result))
    assert.is(result.left.detail, 'malformed JSON at line 2, column 3')
    assert.instance(result.left.cause, SyntaxError)
  })
  test('a stack overflow of the reader results in an error', () => {
    const deeper = (): number => 1 + deeper()
    const result = parseWith('1', deeper)
    assert.ok(E.isLeft(result))
    assert.is(result.left.detail, 'nested too deeply')
  })
  test('terminates for a cyclic value', () => {
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    assert.ok(E.isRight(parseWith('1', () => cyclic)))
  })
})
