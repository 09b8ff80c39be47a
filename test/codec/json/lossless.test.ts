import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { isJsonNumber, jsonNumber, JsonNumber } from '../../../src/codec/json-number.ts'
import { lossless, exactNumbers } from '../../../src/codec/json/lossless.ts'
import { describe, law, table } from '../../support/describe.ts'
import { jsonText as text } from './json-text.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { BackEnd, CompiledCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../../src/codec/compiled/interpreted-back-end.ts'
import {
  attempt,
  bigint,
  decimal,
  described,
  enumOf,
  strict,
  int,
  list,
  number,
  optional,
  secureField,
  set,
  withDefault,
} from '../../../src/index.ts'
import { xmlAttribute, xmlElement } from '../../../src/xml.ts'
import { fullVisibility } from '../../../src/codec/visibility/visibility.ts'
import { jsonValue } from '../../../src/codec/json/json-value.ts'
import { backEnds } from '../back-ends.ts'
import { instance, sample } from '../../support/sample.ts'

const { parse, stringify } = lossless

/** Replaces JSON numbers with the nearest doubles. */
const rounded = (value: unknown): unknown =>
  isJsonNumber(value)
    ? Number(value)
    : Array.isArray(value)
      ? value.map(rounded)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rounded(member)]))
        : value

const tryParse = (parseText: (text: string) => unknown, json: string): unknown => {
  try {
    return { value: parseText(json) }
  } catch (error) {
    return error instanceof SyntaxError ? 'malformed' : error
  }
}

describe('lossless', (test) => {
  law(test, 'stringify returns the text that was parsed', text, (json) =>
    assert.is(stringify(parse(json)), json),
  )
  law(test, 'agrees with JSON.parse after rounding', text, (json) =>
    assert.equal(rounded(parse(json)), rounded(JSON.parse(json))),
  )
  const broken = fc
    .tuple(
      text,
      fc.nat(),
      fc.constantFrom('', ' ', ',', '"', '}', ']', '-', '0', '.', '\\', '\t', 'e'),
    )
    .map(([json, at, inserted]) => {
      const index = at % (json.length + 1)
      return json.slice(0, index) + inserted + json.slice(index + (inserted === '' ? 1 : 0))
    })
  law(test, 'accepts exactly the texts that JSON.parse accepts', broken, (json) => {
    // `1.0` prevents that `lossless` uses `JSON.parse`
    const actual = tryParse(parse, `[1.0,${json}]`)
    const expected = tryParse(JSON.parse, `[1.0,${json}]`)
    assert.is(actual === 'malformed', expected === 'malformed', json)
  })
  table<readonly [json: string, expected: string]>(
    test,
    [
      ['{"a":1.0,"a":2}', '{"a":2}'], // the last value is used
      ['{"a":1,"b":3,"a":2.0}', '{"a":2.0,"b":3}'],
      [' [ 1.0 , "a" ]\r\n\t', '[1.0,"a"]'],
      ['[-0,-0.0,0]', '[-0,-0.0,0]'],
      ['[1e400,-1E-400]', '[1e400,-1E-400]'],
      ['[1.0,"\\u00e9\\ud83d"]', '[1.0,"é\\ud83d"]'],
    ],
    (json, expected) => assert.is(stringify(parse(json)), expected),
  )
  test('parse creates an own member for the name __proto__', () => {
    const value = parse('{"n":1.0,"__proto__":{"a":1}}')
    assert.ok(Object.hasOwn(Object(value), '__proto__'))
    assert.is(Object.getPrototypeOf(value), Object.prototype)
  })
  table<readonly [name: string, value: unknown, written: string | undefined]>(
    test,
    [
      ['undefined', undefined, undefined],
      ['undefined members and elements', { a: undefined, b: [undefined] }, '{"b":[null]}'],
      ['a bigint', [2n ** 64n], '[18446744073709551616]'],
      ['NaN, infinity and negative zero', [NaN, Infinity, -0], '[null,null,0]'],
      ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ],
    (_, value, written) => assert.is(stringify(value), written),
  )
})

/** Replaces integers with JSON numbers that JavaScript formats differently, such as `1.0`. */
const withJsonNumbers = (value: unknown): unknown =>
  typeof value === 'number'
    ? jsonNumber(/^-?\d+$/.test(String(value)) ? `${value}.0` : String(value))
    : Array.isArray(value)
      ? value.map(withJsonNumbers)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value).map(([key, member]) => [key, withJsonNumbers(member)]),
          )
        : value

/** Replaces JSON numbers with the nearest doubles, and the errors of `attempt` with their number, because their types differ. */
const roundedNumbers = (value: unknown): unknown =>
  isJsonNumber(value)
    ? Number(value)
    : isLeft(value)
      ? value.left.length
      : Array.isArray(value)
        ? value.map(roundedNumbers)
        : t.UnknownRecord.is(value) && Object.getPrototypeOf(value) === Object.prototype
          ? Object.fromEntries(
              Object.entries(value).map(([key, member]) => [key, roundedNumbers(member)]),
            )
          : value

const isLeft = (value: unknown): value is E.Left<ReadonlyArray<unknown>> =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'Left'

const errorPaths = (result: t.Validation<unknown>): ReadonlyArray<ReadonlyArray<string>> =>
  E.isLeft(result) ? result.left.map(({ context }) => context.map(({ key }) => key)) : []

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(0, 1, 2.5, 'a', 'b', true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'it', 'kind', 'z'), tie('value'), {
      noNullPrototype: true,
    }),
  ),
})).value

const tagged = () =>
  t.union([t.type({ kind: t.literal('a'), n: int }), t.type({ kind: t.literal('b') })])

/** Creates an opaque codec that decodes a value as its JSON text. */
const opaque = () =>
  new t.Type<string>('opaque', t.string.is, (value) => t.success(JSON.stringify(value)), t.identity)

const compileLossless = (backEnd: BackEnd) => (codec: t.Mixed) =>
  compileCodec(codec, 'drop', backEnd, fullVisibility, exactNumbers)

for (const [name, backEnd] of backEnds)
  describe(`exactNumbers with the ${name} back end`, (test) => {
    const compile = compileLossless(backEnd)
    law(test, 'decodes JSON numbers like doubles', instance(sample), ({ codec, value }) => {
      const encoded: unknown = codec.encode(value)
      const expected = compileCodec(codec, 'drop', backEnd).decode(encoded)
      assert.equal(compile(codec).decode(withJsonNumbers(encoded)), expected)
      assert.equal(compile(codec).encode(value), encoded)
    })
    law(
      test,
      'reports errors at the same paths as with doubles',
      fc.tuple(sample, json),
      ([{ codec }, value]) => {
        const expected = compileCodec(codec, 'drop', backEnd).decode(value)
        const actual = compile(codec).decode(withJsonNumbers(value))
        assert.equal(errorPaths(actual), errorPaths(expected))
        if (E.isRight(actual) && E.isRight(expected))
          assert.equal(roundedNumbers(actual.right), roundedNumbers(expected.right))
      },
    )
    const big = jsonNumber('9007199254740993')
    const infinite = jsonNumber('1e400')
    table<readonly [name: string, codec: t.Mixed, value: unknown, expected?: unknown]>(
      test,
      [
        ['number with more digits than a double', number, jsonNumber('0.1000000000000000055'), 0.1],
        ['t.number with negative zero', t.number, jsonNumber('-0'), -0],
        ['t.number beyond the range of doubles', t.number, infinite],
        ['int with an exponent', int, jsonNumber('1e2'), 100],
        ['int beyond the safe integers', int, big],
        ['a literal', t.literal(1), jsonNumber('1.0'), 1],
        ['an enum value', enumOf('a', 2), jsonNumber('2.0'), 2],
        ['an enum value as text', enumOf('a', 2), '2'],
        ['bigint', bigint, big, 9007199254740993n],
        [
          'a tuple with a missing element',
          t.tuple([number, optional(t.string)]),
          [jsonNumber('0')],
          [0],
        ],
        ['bigint as a double', bigint, 12, 12n],
        ['bigint as a text', bigint, '12', 12n],
        ['bigint with an exponent', bigint, jsonNumber('12e3'), 12000n],
        ['bigint with a fraction of zeros', bigint, jsonNumber('-12.00'), -12n],
        ['bigint with a fraction', bigint, jsonNumber('12.50')],
        ['bigint of 1000 digits', bigint, jsonNumber('1e999'), 10n ** 999n],
        ['bigint of 1001 digits', bigint, jsonNumber('1e1000')],
        ['bigint of 10000 digits', bigint, jsonNumber('1e9999')],
        ['bigint close to zero', bigint, jsonNumber('1e-9999')],
        ['bigint zero with an exponent', bigint, jsonNumber('0e9'), 0n],
        ['decimal', decimal, jsonNumber('12.50'), { unscaled: 1250n, scale: 2 }],
        ['decimal as a double', decimal, 12.5, { unscaled: 125n, scale: 1 }],
        ['decimal as a text', decimal, '12.50', { unscaled: 1250n, scale: 2 }],
        ['decimal with too large an exponent', decimal, jsonNumber('1e10000')],
        ['a list', list(optional(bigint)), [big], [9007199254740993n]],
        ['a set', set(int), [jsonNumber('1.0'), 1], new Set([1])],
        ['a codec with a default', withDefault(int, 1), jsonNumber('2.0'), 2],
        ['attempt', attempt(int), jsonNumber('2.0'), E.right(2)],
        ['unknown, which keeps the digits', t.unknown, big, big],
        [
          'a record of unknown values',
          t.record(t.string, t.unknown),
          { a: [infinite] },
          { a: [infinite] },
        ],
        ['an unknown array', t.UnknownArray, [infinite], [infinite]],
        ['a JSON value', jsonValue, { a: [infinite] }, { a: [infinite] }],
        ['an unknown record with a number', t.UnknownRecord, infinite],
        ['a record with a number', t.record(t.string, t.unknown), infinite],
        ['a partial object with a number', t.partial({ text: t.string }), infinite],
        ['a strict partial object with a number', strict(t.partial({ text: t.string })), infinite],
        [
          'an intersection of partial objects with a number',
          t.intersection([t.partial({ a: int }), t.partial({ b: int })]),
          infinite,
        ],
        ['a tagged union', tagged(), { kind: 'a', n: jsonNumber('1.0') }, { kind: 'a', n: 1 }],
        [
          'an opaque codec, which receives doubles',
          opaque(),
          { a: [jsonNumber('1.0')] },
          '{"a":[1]}',
        ],
        ['an opaque codec beyond the range of doubles', opaque(), { a: [infinite] }],
      ],
      (_, codec, value, ...expected) => {
        const result = compile(codec).decode(value)
        if (expected.length === 0) assert.ok(E.isLeft(result))
        else assert.equal(result, E.right(expected[0]))
      },
    )
    table<readonly [name: string, codec: t.Mixed, value: unknown, expected: unknown]>(
      test,
      [
        ['a bigint', bigint, 2n ** 64n, new JsonNumber('18446744073709551616')],
        ['a small bigint', bigint, 2n, 2],
        ['a decimal', list(decimal), [{ unscaled: 1250n, scale: 2 }], [new JsonNumber('12.50')]],
        ['a decimal that a double represents', decimal, { unscaled: 125n, scale: 1 }, 12.5],
        ['a decimal with an exponent', decimal, { unscaled: 1n, scale: -3 }, new JsonNumber('1E3')],
        ['a union', t.union([t.string, bigint]), 2n ** 64n, new JsonNumber('18446744073709551616')],
      ],
      (_, codec, value, expected) => assert.equal(compile(codec).encode(value), expected),
    )
  })

const compiled = (codec: t.Mixed): CompiledCodec =>
  compileCodec(codec, 'drop', interpretedBackEnd, fullVisibility, exactNumbers)

describe('exactNumbers', (test) => {
  table<readonly [name: string, codec: t.Mixed]>(
    test,
    [
      ['a string, which is returned unchanged', t.string],
      ['unknown, which is returned unchanged', t.unknown],
      ['a keyof codec, which is returned unchanged', t.keyof({ a: null })],
    ],
    (_, codec) => assert.is(exactNumbers(codec), codec),
  )
  test('supports recursive codecs', () => {
    const tree: t.Mixed = t.recursion('tree', () => t.type({ n: bigint, below: t.array(tree) }))
    const value = { n: jsonNumber('1.0'), below: [{ n: 2, below: [] }] }
    assert.equal(compiled(tree).decode(value), E.right({ n: 1n, below: [{ n: 2n, below: [] }] }))
  })
  test('keeps the restriction of a second copy of the package', () => {
    const restricted = secureField('chief')(bigint)
    const foreign: unknown = Object.create(Object.getPrototypeOf(restricted), {
      ...Object.getOwnPropertyDescriptors(restricted),
      encode: { value: (value: bigint) => restricted.encode(value) },
    })
    const codec = t.type({ secret: foreign as typeof restricted })
    for (const [, backEnd] of backEnds)
      assert.equal(
        compileCodec(codec, 'drop', backEnd, fullVisibility, exactNumbers).encode({
          secret: 2n ** 64n,
        }),
        {
          secret: new JsonNumber('18446744073709551616'),
        },
      )
  })
})

describe('lossless: wrapped numbers', (test) => {
  const members: ReadonlyArray<[string, t.Mixed]> = [
    ['a described optional decimal', described('the price')(optional(decimal))],
    ['an attribute', xmlAttribute()(decimal)],
    ['a described element', described('the price')(xmlElement('price')(decimal))],
    ['an optional described decimal', optional(described('the price')(decimal))],
  ]
  table(test, members, (_, codec) => {
    const form = compiled(t.type({ price: codec }))
    const read = form.decode(parse('{"price":12.50}'))
    assert.ok(E.isRight(read))
    assert.is(stringify(form.encode(read.right)), '{"price":12.50}')
  })
})
