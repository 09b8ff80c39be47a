import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { omitEmpty, omitNull } from '../../src/endpoint/json-customization.ts'
import { describe, table } from '../support/describe.ts'

const write = (value: unknown): string | undefined => JSON.stringify(value)

describe('omitNull and omitEmpty', (test) => {
  table<readonly [name: string, value: unknown, nonNull: string, nonEmpty: string]>(
    test,
    [
      ['null', { a: null, b: 1 }, '{"b":1}', '{"b":1}'],
      ['undefined', { a: undefined }, '{}', '{}'],
      ['an empty string', { a: '' }, '{"a":""}', '{}'],
      ['an empty array', { a: [] }, '{"a":[]}', '{}'],
      ['an empty object', { a: {} }, '{"a":{}}', '{}'],
      ['an object with undefined members only', { a: { b: undefined } }, '{"a":{}}', '{}'],
      ['0 and false are kept', { a: 0, b: false }, '{"a":0,"b":false}', '{"a":0,"b":false}'],
      ['nested members', { a: { b: null, c: 1 } }, '{"a":{"c":1}}', '{"a":{"c":1}}'],
      ['members of array elements', [{ a: null }, { a: '' }], '[{},{"a":""}]', '[{},{}]'],
      ['array elements are kept', [null, '', [], {}], '[null,"",[],{}]', '[null,"",[],{}]'],
      ['an object that becomes empty is kept', { a: { b: null } }, '{"a":{}}', '{"a":{}}'],
      ['the whole value is kept', null, 'null', 'null'],
      [
        'a class instance',
        { a: new Date(0) },
        '{"a":"1970-01-01T00:00:00.000Z"}',
        '{"a":"1970-01-01T00:00:00.000Z"}',
      ],
      ['an object with toJSON', { a: { toJSON: () => 1 } }, '{"a":1}', '{"a":1}'],
      ['a member named __proto__', JSON.parse('{"__proto__":null,"a":1}'), '{"a":1}', '{"a":1}'],
    ],
    (_, value, nonNull, nonEmpty) => {
      assert.is(omitNull(t.unknown, write)(value), nonNull)
      assert.is(omitEmpty(t.unknown, write)(value), nonEmpty)
    },
  )
})
