import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { omitEmpty, omitNull } from '../../src/endpoint/json-customization.ts'
import { describe, table } from '../support/describe.ts'

const write = (value: unknown): string | undefined => JSON.stringify(value)

describe('R-268: what is omitted', (test) => {
  table<readonly [name: string, value: unknown, nonNull: string, nonEmpty: string]>(
    test,
    [
      ['null', { a: null, b: 1 }, '{"b":1}', '{"b":1}'],
      ['undefined', { a: undefined }, '{}', '{}'],
      ['an empty text', { a: '' }, '{"a":""}', '{}'],
      ['an empty array', { a: [] }, '{"a":[]}', '{}'],
      ['an empty object', { a: {} }, '{"a":{}}', '{}'],
      ['an object that writes nothing', { a: { b: undefined } }, '{"a":{}}', '{}'],
      [
        'nought and false are something',
        { a: 0, b: false },
        '{"a":0,"b":false}',
        '{"a":0,"b":false}',
      ],
      ['members within', { a: { b: null, c: 1 } }, '{"a":{"c":1}}', '{"a":{"c":1}}'],
      ['members within arrays', [{ a: null }, { a: '' }], '[{},{"a":""}]', '[{},{}]'],
      ['elements stay', [null, '', [], {}], '[null,"",[],{}]', '[null,"",[],{}]'],
      ['what became empty stays', { a: { b: null } }, '{"a":{}}', '{"a":{}}'],
      ['the whole stays', null, 'null', 'null'],
      [
        'an object of a class',
        { a: new Date(0) },
        '{"a":"1970-01-01T00:00:00.000Z"}',
        '{"a":"1970-01-01T00:00:00.000Z"}',
      ],
      ['one that says itself what it is', { a: { toJSON: () => 1 } }, '{"a":1}', '{"a":1}'],
      [
        'a name that could reach a prototype',
        JSON.parse('{"__proto__":null,"a":1}'),
        '{"a":1}',
        '{"a":1}',
      ],
    ],
    (_, value, nonNull, nonEmpty) => {
      assert.is(omitNull(t.unknown, write)(value), nonNull)
      assert.is(omitEmpty(t.unknown, write)(value), nonEmpty)
    },
  )
})
