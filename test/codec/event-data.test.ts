/** Tests how event data is encoded as text. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { interpretedBackEnd } from '../../src/codec/generated/interpreted-back-end.ts'
import { compileCodec } from '../../src/codec/generated/compiled-codec.ts'
import { eventDataWriter } from '../../src/codec/event-data.ts'
import { bigint, boolean, enumOf, fromString, int, optional, string } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const point = fromString(
  'point',
  (text) => ({ text }),
  ({ text }) => text,
)
const wrapped = new t.Type<string, { readonly of: string }>(
  'wrapped',
  (value): value is string => typeof value === 'string',
  t.success as never,
  (of) => ({ of }),
)

describe('eventDataWriter', (test) => {
  table(
    test,
    [
      ['a string', string, 'OK', 'OK'],
      ['a string with quotes', string, '"', '"'],
      [
        'a branded string',
        t.brand(
          string,
          (text): text is t.Branded<string, { readonly A: symbol }> => text !== '',
          'A',
        ),
        'a',
        'a',
      ],
      ['an optional string', optional(string), 'a', 'a'],
      ['an enum value', enumOf('a', 1), 'a', 'a'],
      ['a number', int, 5, '5'],
      ['a boolean', boolean, false, 'false'],
      ['a bigint', bigint, 12345678901234567890n, '12345678901234567890'],
      ['a codec with a text form', point, { text: 'a,b' }, 'a,b'],
      ['a codec without a text form', wrapped, 'a', '{"of":"a"}'],
      ['an object', t.type({ a: string }), { a: 'b', secret: 1 }, '{"a":"b"}'],
      ['a list', t.array(string), ['a'], '["a"]'],
      ['a string in a union with an object', t.union([string, t.type({ a: string })]), 'a', '"a"'],
      ['a string in a union with null', t.union([string, t.null]), 'a', '"a"'],
      ['null', t.union([string, t.null]), null, 'null'],
      ['an unknown value', t.unknown, 'a', '"a"'],
    ] as const,
    (_, codec, value, text) =>
      assert.is(
        eventDataWriter(codec, compileCodec(codec, 'drop', interpretedBackEnd).write)(value),
        text,
      ),
  )
  for (const codec of [
    optional(string),
    optional(int),
    t.unknown,
    optional(t.type({ a: string })),
    t.undefined,
  ])
    test(`throws a TypeError for undefined with the codec ${codec.name}`, () =>
      assert.throws(
        () =>
          eventDataWriter(codec, compileCodec(codec, 'drop', interpretedBackEnd).write)(undefined),
        TypeError,
      ))
})
