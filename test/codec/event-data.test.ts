/** Tests how event data is encoded as text. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { interpretedBackEnd } from '../../src/codec/compiled/interpreted-back-end.ts'
import { compileCodec } from '../../src/codec/compiled/compiled-codec.ts'
import { eventDataWriter } from '../../src/codec/event-data.ts'
import {
  bigint,
  boolean,
  enumOf,
  fromString,
  int,
  nullable,
  optional,
  string,
  uuid,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const id = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
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
      [
        'an object in a union with a string',
        t.union([string, t.type({ a: string })]),
        { a: 'b' },
        '{"a":"b"}',
      ],
      ['a number in a union with a string', t.union([string, int]), 5, '5'],
      ['an optional value of a codec with a text form', optional(point), { text: 'a,b' }, 'a,b'],
      [
        'a constrained value of a codec with a text form',
        t.refinement(point, () => true),
        { text: 'a' },
        'a',
      ],
      ['a value of a codec with a text form in a union with null', nullable(uuid), id, `"${id}"`],
      [
        'a value of a codec with a text form in a union with an object',
        t.union([uuid, t.type({})]),
        id,
        `"${id}"`,
      ],
      ['a list of values of a codec with a text form', t.array(uuid), [id], `["${id}"]`],
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
