import * as assert from 'uvu/assert'
import { stripByJsonSchema } from '../../../src/codec/standard-schema/json-schema-of.ts'
import { describe, table } from '../../support/describe.ts'

const text = { type: 'string' }
const named = { type: 'object', properties: { name: text } }
const value = { name: 'a', secret: 1 }
const date = new Date(0)

describe('stripByJsonSchema', (test) => {
  table<readonly [string, unknown, unknown, unknown]>(
    test,
    [
      ['undeclared members', named, value, { name: 'a' }],
      [
        'additionalProperties: false',
        { ...named, additionalProperties: false },
        value,
        { name: 'a' },
      ],
      ['additionalProperties: true', { ...named, additionalProperties: true }, value, value],
      ['additionalProperties: {}', { ...named, additionalProperties: {} }, value, value],
      [
        'additionalProperties with a schema',
        { type: 'object', additionalProperties: named },
        { a: value },
        { a: { name: 'a' } },
      ],
      [
        'patternProperties',
        { type: 'object', patternProperties: { '^x': named } },
        { x1: value, y: 1 },
        { x1: { name: 'a' } },
      ],
      ['an object schema without members', { type: 'object' }, value, value],
      ['an empty schema', {}, value, value],
      ['true', true, value, value],
      ['an undefined schema', undefined, value, value],
      [
        'a nested object',
        { type: 'object', properties: { in: named } },
        { in: value },
        { in: { name: 'a' } },
      ],
      ['a list', { type: 'array', items: named }, [value, value], [{ name: 'a' }, { name: 'a' }]],
      ['a list without items', { type: 'array' }, [value], [value]],
      ['a tuple', { prefixItems: [named], items: {} }, [value, value], [{ name: 'a' }, value]],
      ['a union', { anyOf: [text, named] }, value, { name: 'a' }],
      [
        'a union of lists',
        { oneOf: [text, { type: 'array', items: named }] },
        [value],
        [{ name: 'a' }],
      ],
      [
        'an intersection',
        { allOf: [named, { type: 'object', properties: { age: text } }] },
        { ...value, age: 'b' },
        { name: 'a', age: 'b' },
      ],
      [
        'a type or null',
        { type: ['object', 'null'], properties: { name: text } },
        value,
        { name: 'a' },
      ],
      ['a reference', { $ref: '#/$defs/n~1a', $defs: { 'n/a': named } }, value, { name: 'a' }],
      [
        'a recursive schema',
        { type: 'object', properties: { name: text, child: { $ref: '#' } } },
        { ...value, child: value },
        { name: 'a', child: { name: 'a' } },
      ],
      ['a schema that references itself', { $ref: '#' }, value, {}],
      ['a text', named, 'a', 'a'],
      ['null', named, null, null],
      ['a class instance', named, date, date],
    ],
    (_, schema, input, expected) => assert.equal(stripByJsonSchema(schema)(input), expected),
  )
  test('keeps a member named __proto__ as a member', () => {
    const input: unknown = JSON.parse('{"__proto__":{"name":"a"},"name":"b"}')
    const stripped = stripByJsonSchema({ type: 'object', additionalProperties: true })(input)
    assert.is(JSON.stringify(stripped), '{"__proto__":{"name":"a"},"name":"b"}')
  })
})
