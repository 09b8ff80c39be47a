import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { nullable, nullish, optional, withDefault } from '../../../src/codec/optional.ts'
import {
  attempt,
  combined,
  encoded,
  segments,
} from '../../../src/codec/structure/parameter-codecs.ts'
import { list, separated, set, sortedSet } from '../../../src/codec/collection.ts'
import { between } from '../../../src/codec/constraint.ts'
import { bigint, decimal } from '../../../src/codec/decimal.ts'
import { strict } from '../../../src/codec/strict.ts'
import { invalidText } from '../../../src/codec/json-number.ts'
import { parameterShape } from '../../../src/codec/schema/parameter-shape.ts'
import type { ParameterShape } from '../../../src/codec/schema/parameter-shape.ts'
import { boolean, enumOf, int, number, string, uuid } from '../../../src/codec/scalar.ts'
import { describe, law, table } from '../../support/describe.ts'
import { hex, sample } from '../../support/sample.ts'

const Positive = t.refinement(t.number, (value) => value > 0, 'Positive')

type Shape = Omit<ParameterShape, 'convert'>

const single: Shape = {
  isCollection: false,
  separator: undefined,
  keepsEscapes: false,
  isCombined: false,
  keepsEmpty: false,
  parsesText: false,
  isUndefinedIfMissing: false,
  valueIfBare: '',
}
const many: Shape = { ...single, isCollection: true }
const text = { keepsEmpty: true }
const absent = { isUndefinedIfMissing: true }
const bare = { valueIfBare: 'true' }

const shapes: ReadonlyArray<[name: string, codec: t.Mixed, shape: Shape]> = [
  ['int', int, single],
  ['number of io-ts', t.number, single],
  ['string', string, { ...single, ...text }],
  ['boolean', boolean, { ...single, ...bare }],
  ['unknown', t.unknown, { ...single, ...text }],
  ['opaque', uuid, single],
  ['constrained string', t.refinement(string, () => true), { ...single, ...text }],
  ['brand', t.Int, single],
  ['intersection of brands', t.intersection([t.Int, Positive]), single],
  ['keyof', t.keyof({ a: null }), single],
  ['enumOf', enumOf(1, 2), single],
  ['encoded', encoded(string), { ...single, ...text, keepsEscapes: true }],
  ['combined', combined(string), { ...single, ...text, isCombined: true }],
  ['optional combined', optional(combined(int)), { ...single, ...absent, isCombined: true }],
  ['combined optional', combined(optional(int)), { ...single, ...absent, isCombined: true }],
  [
    'combined separated',
    combined(separated(',')(int)),
    { ...many, isCombined: true, separator: ',' },
  ],
  ['nullable', nullable(int), single],
  ['nullable string', nullable(string), { ...single, ...text }],
  ['nullish', nullish(int), { ...single, ...absent }],
  ['nullable list', nullable(list(int)), many],
  ['nullish list', nullish(list(int)), { ...many, ...absent }],
  ['optional nullable set', optional(nullable(set(int))), { ...many, ...absent }],
  ['attempt', attempt(int), single],
  ['strict', strict(int), single],
  ['recursion', t.recursion('int', (): t.Mixed => int), single],
  ['optional', optional(int), { ...single, ...absent }],
  ['optional string', optional(string), { ...single, ...text, ...absent }],
  ['optional boolean', optional(boolean), { ...single, ...bare, ...absent }],
  ['withDefault', withDefault(int, 1), { ...single, ...absent }],
  ['list', list(int), many],
  ['list of strings', list(string), { ...many, ...text }],
  ['list of booleans', list(boolean), { ...many, ...bare }],
  ['list of encoded', list(encoded(string)), { ...many, ...text, keepsEscapes: true }],
  ['list of optionals', list(optional(int)), many],
  ['array', t.array(int), many],
  ['readonly array', t.readonly(t.array(int)), many],
  ['refined list', t.refinement(list(int), ({ length }) => length > 0), many],
  ['set', set(int), many],
  ['sorted set', sortedSet(int), many],
  ['segments', segments(string), { ...many, ...text }],
  ['encoded segments', encoded(segments(int)), { ...many, keepsEscapes: true }],
  ['recursive list', t.recursion('R', (self: t.Mixed): t.Mixed => list(self)), many],
  ['optional list', optional(list(int)), { ...many, ...absent }],
  ['list with a default', withDefault(list(int), [1]), { ...many, ...absent }],
  ['attempt of a list', attempt(list(int)), many],
  ['separated', separated(',')(int), { ...many, separator: ',' }],
  ['separated set', separated(',')(set(int)), { ...many, separator: ',' }],
  ['separated strings', separated('|')(string), { ...many, ...text, separator: '|' }],
  ['optional separated', optional(separated(',')(int)), { ...many, ...absent, separator: ',' }],
  [
    'encoded separated',
    encoded(separated(',')(string)),
    { ...many, ...text, keepsEscapes: true, separator: ',' },
  ],
  [
    'separated encoded',
    separated(',')(encoded(list(string))),
    { ...many, ...text, keepsEscapes: true, separator: ',' },
  ],
]

describe('parameterShape', (test) => {
  table(test, shapes, (_, codec, shape) => {
    const { convert, ...others } = parameterShape(codec)
    assert.type(convert, 'function')
    assert.equal(others, shape)
  })
  law(
    test,
    'never throws, nor does convert',
    fc.tuple(sample, fc.string()),
    ([{ codec }, parameter]) => void parameterShape(codec).convert(parameter),
  )
})

const conversions: ReadonlyArray<
  [name: string, codec: t.Mixed, converted: Readonly<Record<string, unknown>>]
> = [
  [
    'int',
    int,
    {
      5: 5,
      0: 0,
      '-5': -5,
      '9007199254740991': 9007199254740991,
      '-9007199254740991': -9007199254740991,
      '9007199254740992': '9007199254740992',
      '99999999999999999999': '99999999999999999999',
      '+5': '+5',
      '05': '05',
      '-05': '-05',
      '00': '00',
      '-0': '-0',
      '5.0': '5.0',
      '5e0': '5e0',
      '50e-1': '50e-1',
      '00000005.': '00000005.',
      '0.5': '0.5',
      '1e3': '1e3',
      '5\n': '5\n',
      '--5': '--5',
      '-': '-',
      x: 'x',
      '': '',
      ' 5': ' 5',
      '0x1f': '0x1f',
      '1_0': '1_0',
      Infinity: 'Infinity',
      NaN: 'NaN',
      '5.': '5.',
      '.5': '.5',
      '.': '.',
      e5: 'e5',
      '1e': '1e',
      '\u0665': '\u0665',
    },
  ],
  [
    'number',
    number,
    {
      5: 5,
      '5.0': 5,
      '5e0': 5,
      '-0': -0,
      '1e+21': 1e21,
      '+5': '+5',
      '05': '05',
      '-05.5': '-05.5',
      '5.': '5.',
      '.5': '.5',
      '1e': '1e',
      '1e999': '1e999',
      '-1e999': '-1e999',
      '0x1f': '0x1f',
      Infinity: 'Infinity',
    },
  ],
  ['number of io-ts', t.number, { 5: 5, '-1.5E-2': -0.015, '05': '05', '1e999': '1e999' }],
  ['constrained int', between(1, 9)(int), { 5: 5, 50: 50, '5.0': '5.0' }], // 50 is rejected by the codec
  ['brand', t.Int, { 5: 5, '5.0': '5.0', '-0': '-0', '9007199254740993': '9007199254740993' }],
  ['integer of io-ts', t.Integer, { 5: 5, '5e0': '5e0' }],
  [
    'intersection of brands',
    t.intersection([t.Int, Positive]),
    { 5: 5, '-5': -5, '5.0': '5.0', x: 'x' },
  ],
  ['intersection with a brand at the end', t.intersection([Positive, t.Int]), { '5.0': '5.0' }],
  ['integer or number', t.union([int, t.null, between(5, 6)(number)]), { '5.0': 5, '05': '05' }],
  ['element of a list', list(int), { 5: 5, '5.0': '5.0' }],
  ['element of a separated set', separated(',')(set(number)), { 0.5: 0.5 }],
  ['optional', optional(int), { 5: 5, '+5': '+5', undefined: 'undefined' }],
  ['with a default', withDefault(list(int), [1]), { 5: 5 }],
  ['optional element', list(optional(int)), { 5: 5 }],
  ['attempt', attempt(list(int)), { 5: 5, x: 'x' }],
  ['strict', strict(int), { 5: 5 }],
  ['segments', segments(int), { 5: 5 }],
  ['recursion', t.recursion('int', (): t.Mixed => int), { 5: 5 }],
  ['boolean', boolean, { true: true, false: false, TRUE: 'TRUE', 1: '1', '': '' }],
  ['string', string, { 5: '5', true: 'true', null: 'null' }],
  [
    'bigint',
    bigint,
    {
      0: '0',
      '-5': '-5',
      '+5': invalidText,
      '05': invalidText,
      '-0': invalidText,
      '5.0': invalidText,
    },
  ],
  [
    'decimal',
    decimal,
    {
      '0.00': '0.00',
      '-5.50': '-5.50',
      '1E-7': '1E-7',
      '+5': invalidText,
      '05': invalidText,
      '-0': invalidText,
      '-0.00': invalidText,
      '-0e5': invalidText,
    },
  ],
  ['bigint or boolean', t.union([bigint, boolean]), { 5: '5', true: true, '+5': invalidText }],
  ['opaque', uuid, { 5: '5' }],
  ['custom codec', hex, { 5: '5' }],
  ['null', optional(t.null), { null: null, undefined: 'undefined' }],
  ['keyof', t.keyof({ 1: null }), { 1: '1' }],
  ['numeric literal', t.literal(5), { 5: 5, '5.0': '5.0', '5e0': '5e0', '05': '05', 6: '6' }],
  ['text literal', t.literal('5'), { 5: '5' }],
  ['boolean literal', t.literal(true), { true: true, false: 'false' }],
  ['large literal', t.literal(1e21), { '1e+21': 1e21, '1e21': '1e21' }],
  ['enumOf numbers', enumOf(1, 2), { 1: 1, 2: 2, 3: '3', '1.0': '1.0', '+1': '+1' }],
  ['enumOf a text and a number', enumOf('1', 2), { 1: '1', 2: 2 }],
  ['union of literals', t.union([t.literal(1), t.literal('a')]), { 1: 1, a: 'a', b: 'b' }],
  ['number or text', t.union([int, string]), { 5: 5, x: 'x', 0.5: '0.5', '5.0': '5.0' }],
  ['text or number', t.union([string, int]), { 5: '5' }], // the first that accepts
  [
    'number, boolean or null',
    t.union([int, boolean, t.null]),
    { 5: 5, true: true, null: null, x: 'x' },
  ],
  ['optional union', optional(t.union([int, boolean])), { 5: 5, true: true }],
  ['list of unions', list(t.union([int, boolean])), { 5: 5, true: true }],
]

describe('parameterShape: convert', (test) => {
  table(test, conversions, (_, codec, converted) => {
    const { convert } = parameterShape(codec)
    assert.equal(
      Object.fromEntries(Object.keys(converted).map((key) => [key, convert(key)])),
      converted,
    )
  })
  law(
    test,
    'converts the text of a double to the same double',
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    (value) => assert.is(parameterShape(number).convert(String(value)), value === 0 ? 0 : value),
  )
  law(test, 'for int, returns a number or the text', fc.string(), (parameter) => {
    const value = parameterShape(int).convert(parameter)
    assert.ok(value === parameter || (typeof value === 'number' && !Number.isNaN(value)))
  })
  law(
    test,
    'a union accepts a text if and only if one of its codecs does',
    fc.tuple(
      fc.constantFrom<t.Mixed>(int, boolean, t.null),
      fc.constantFrom('5', 'true', 'null', 'x'),
    ),
    ([codec, parameter]) => {
      const union = t.union([hex, codec])
      const expected =
        E.isRight(hex.decode(parameter)) ||
        E.isRight(codec.decode(parameterShape(codec).convert(parameter)))
      assert.is(E.isRight(union.decode(parameterShape(union).convert(parameter))), expected)
    },
  )
  test('returns a long text that resembles a number', () => {
    const long = `${'1'.repeat(1_000_000)}x`
    assert.is(parameterShape(int).convert(long), long)
  })
})
