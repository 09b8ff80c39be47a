import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import { length, pattern } from '../../../src/codec/constraint.ts'
import type { JsonSchema } from '../../../src/codec/json-schema.ts'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import { boolean, enumOf, string, uuid } from '../../../src/codec/scalar.ts'
import { strict } from '../../../src/codec/strict.ts'
import { inView, view } from '../../../src/codec/structure/restricted-member.ts'
import { describe, table } from '../../support/describe.ts'
import { jsonContext, schemaDocument, visibilityRules } from './check-schema.ts'

type Row = readonly [title: string, codec: Codec, expected: JsonSchema, closed: JsonSchema]

const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  ...required: string[]
): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
})
const closed = (schema: JsonSchema): JsonSchema => ({ ...schema, additionalProperties: false })
const text = { type: 'string' }
const flag = { type: 'boolean' }

const both = object({ a: text, b: flag }, 'a', 'b')
const uuidPattern = '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$'

const rows: ReadonlyArray<Row> = [
  ['t.type', t.type({ a: string, b: boolean }), both, closed(both)],
  ['t.strict', t.strict({ a: string, b: boolean }), both, closed(both)],
  [
    't.exact and t.readonly',
    t.readonly(t.exact(t.type({ a: string, b: boolean }))),
    both,
    closed(both),
  ],
  ['strict', strict(t.type({ a: string, b: boolean })), closed(both), closed(both)],
  [
    't.partial and optional members',
    t.intersection([t.partial({ a: string }), t.type({ b: optional(boolean) })]),
    object({ a: text, b: flag }),
    closed(object({ a: text, b: flag })),
  ],
  [
    'members with default values',
    t.type({ a: withDefault(string, 'x') }),
    object({ a: { type: 'string', default: 'x' } }),
    closed(object({ a: { type: 'string', default: 'x' } })),
  ],
  [
    'an intersection of objects',
    t.intersection([t.type({ a: string }), t.type({ b: boolean })]),
    both,
    closed(both),
  ],
  [
    'a member that is declared twice',
    t.intersection([t.type({ a: t.type({ b: string }) }), t.type({ a: t.type({ c: boolean }) })]),
    object({ a: object({ b: text, c: flag }, 'b', 'c') }, 'a'),
    closed(object({ a: closed(object({ b: text, c: flag }, 'b', 'c')) }, 'a')),
  ],
  [
    'an intersection with a union',
    t.intersection([
      t.type({ a: string }),
      t.union([t.type({ b: string }), t.type({ c: boolean })]),
    ]),
    {
      allOf: [
        object({ a: text }, 'a'),
        { anyOf: [object({ b: text }, 'b'), object({ c: flag }, 'c')] },
      ],
    },
    {
      allOf: [
        closed(object({ b: {}, c: {}, a: text }, 'a')),
        {
          anyOf: [closed(object({ a: {}, b: text }, 'b')), closed(object({ a: {}, c: flag }, 'c'))],
        },
      ],
    },
  ],
  [
    'an intersection with arbitrary members',
    t.intersection([t.type({ a: string }), t.UnknownRecord]),
    object({ a: text }, 'a'),
    object({ a: text }, 'a'),
  ],
  [
    't.record with any key',
    t.record(string, boolean),
    { type: 'object', additionalProperties: flag },
    { type: 'object', additionalProperties: flag },
  ],
  [
    't.record with keys that match a pattern',
    t.record(pattern(/^x/)(string), boolean),
    { type: 'object', patternProperties: { '^x': flag } },
    closed({ type: 'object', patternProperties: { '^x': flag } }),
  ],
  [
    't.record with keys of a certain length',
    t.record(length(1, 3)(string), boolean),
    { type: 'object', patternProperties: { '^[\\s\\S]{1,3}$': flag } },
    closed({ type: 'object', patternProperties: { '^[\\s\\S]{1,3}$': flag } }),
  ],
  [
    't.record with the keys of a codec',
    t.record(uuid, boolean),
    { type: 'object', patternProperties: { [uuidPattern]: flag } },
    closed({ type: 'object', patternProperties: { [uuidPattern]: flag } }),
  ],
  [
    't.record with literal keys, which are required as in io-ts',
    t.record(t.keyof({ a: null, b: null }), boolean),
    object({ a: flag, b: flag }, 'a', 'b'),
    closed(object({ a: flag, b: flag }, 'a', 'b')),
  ],
  [
    't.record with keys of enumOf, which are optional',
    t.record(enumOf('a', 'b'), boolean),
    object({ a: flag, b: flag }),
    closed(object({ a: flag, b: flag })),
  ],
]

describe('schemas of objects', (test) => {
  table<Row>(test, rows, (_, codec, expected, rejecting) => {
    assert.equal(schemaDocument(codec, jsonContext('input')), expected)
    assert.equal(
      schemaDocument(codec, jsonContext('input', { rejectsUndeclared: true })),
      rejecting,
    )
  })
  test('members that a view hides are missing, or ignored if undeclared members are rejected', () => {
    const [open, staff] = [view('Public'), view('Staff')]
    const codec = t.type({ a: inView(open)(string), b: optional(inView(staff)(boolean)) })
    const visibility = visibilityRules(open)
    const expected = object({ a: text }, 'a')
    assert.equal(schemaDocument(codec, jsonContext('output', { visibility })), expected)
    assert.equal(schemaDocument(codec, jsonContext('input', { visibility })), expected)
    assert.equal(
      schemaDocument(codec, jsonContext('input', { visibility, rejectsUndeclared: true })),
      closed(object({ a: text, b: { readOnly: true } }, 'a')),
    )
  })
})
