import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { described, named, withSchema } from '../../../src/codec/annotated.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, separated, set, sortedSet, tupleWithRest } from '../../../src/codec/collection.ts'
import {
  atLeast,
  atMost,
  between,
  constrained,
  length,
  maxLength,
  minLength,
  pattern,
} from '../../../src/codec/constraint.ts'
import { bigint, decimal } from '../../../src/codec/decimal.ts'
import type { JsonSchema } from '../../../src/codec/json-schema.ts'
import { jsonStructure, jsonValue } from '../../../src/codec/json/json-value.ts'
import { nullable, nullish, optional, withDefault } from '../../../src/codec/optional.ts'
import {
  attempt,
  combined,
  encoded,
  segments,
} from '../../../src/codec/structure/parameter-codecs.ts'
import {
  boolean,
  enumOf,
  int,
  integer,
  lastEventId,
  number,
  string,
  uuid,
} from '../../../src/codec/scalar.ts'
import { isCodec } from '../../../src/codec/codec-structure.ts'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import {
  date,
  instant,
  offsetDateTime,
  offsetTime,
  plainDate,
  plainDateTime,
  plainTime,
  yearMonth,
  zonedDateTime,
} from '../../../src/codec/temporal/date-time.ts'
import { duration } from '../../../src/codec/temporal/duration.ts'
import { fromString } from '../../../src/codec/from-string.ts'
import {
  xmlAttribute,
  xmlElement,
  xmlElementWrapper,
  xmlList,
  xmlRootElement,
  xmlValue,
} from '../../../src/xml/mapping/mapping-codecs.ts'
import { primaryKey } from '../../../src/endpoint/links.ts'
import { describe, table } from '../../support/describe.ts'
import { jsonContext, schemaDocument } from './check-schema.ts'

const safe = { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const anyInt = { type: 'integer', ...safe }

const Positive = t.brand(
  atLeast(1)(int),
  (value): value is t.Branded<number, { readonly Positive: symbol }> => value >= 1,
  'Positive',
)

const schemaOf = (codec: Codec, options: Parameters<typeof jsonContext>[1]): JsonSchema =>
  schemaDocument(codec, jsonContext('input', options))

type SchemaRow = readonly [title: string, codec: Codec, expected: JsonSchema]
type FormatRow = readonly [
  title: string,
  codec: Codec,
  format: string | undefined,
  hasPattern: boolean,
]

describe('schemas of codecs', (test) => {
  table<SchemaRow>(
    test,
    [
      ['string', string, { type: 'string' }],
      ['boolean', boolean, { type: 'boolean' }],
      ['number', number, { type: 'number' }],
      ['int', int, anyInt],
      ['integer', integer, anyInt],
      ['t.Int, which accepts unsafe integers', t.Int, { type: 'integer' }],
      ['enumOf', enumOf('a', 'b'), { type: 'string', enum: ['a', 'b'] }],
      [
        'enumOf with strings and numbers',
        enumOf('a', 1, 2),
        {
          anyOf: [
            { type: 'string', const: 'a' },
            { type: 'number', enum: [1, 2] },
          ],
        },
      ],
      ['t.literal', t.literal('a'), { type: 'string', const: 'a' }],
      ['t.keyof', t.keyof({ a: null, b: null }), { type: 'string', enum: ['a', 'b'] }],
      [
        'a union of literals',
        t.union([t.literal('a'), t.literal('b'), t.literal('a')]),
        { type: 'string', enum: ['a', 'b'] },
      ],
      ['lastEventId', lastEventId, { type: 'string' }],
      ['t.null', t.null, { type: 'null' }],
      ['t.undefined', t.undefined, { not: {} }],
      ['t.unknown', t.unknown, {}],
      ['t.UnknownRecord', t.UnknownRecord, { type: 'object' }],
      ['t.UnknownArray', t.UnknownArray, { type: 'array' }],
      ['jsonValue', jsonValue, {}],
      ['jsonStructure', jsonStructure, { type: ['object', 'array'] }],
      ['between', between(1, 9)(int), { type: 'integer', minimum: 1, maximum: 9 }],
      ['atLeast', atLeast(0.5)(number), { type: 'number', minimum: 0.5 }],
      [
        'nested bounds, of which the narrowest apply',
        atMost(9)(atMost(5)(atLeast(0)(atLeast(1)(number)))),
        { type: 'number', minimum: 1, maximum: 5 },
      ],
      [
        'bounds of decimal numbers, which are strings',
        atLeast(0)(decimal),
        {
          type: 'string',
          format: 'decimal',
          pattern: '^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?0*[0-9]{1,4})?$',
          'x-minimum': 0,
        },
      ],
      ['length', length(1, 3)(string), { type: 'string', minLength: 1, maxLength: 3 }],
      [
        'nested lengths',
        minLength(2)(maxLength(9)(maxLength(5)(string))),
        { type: 'string', minLength: 2, maxLength: 5 },
      ],
      ['pattern', pattern(/^\d\w$/i)(string), { type: 'string', pattern: '^[0-9][0-9A-Z_a-z]$' }],
      [
        'two patterns',
        pattern(/b/)(pattern(/^a/)(string)),
        { allOf: [{ type: 'string', pattern: '^a' }, { pattern: 'b' }] },
      ],
      [
        'a pattern that cannot be expressed',
        pattern(/^(a)\1$/)(maxLength(9)(string)),
        { type: 'string', maxLength: 9 },
      ],
      [
        'constrained, whose condition is unknown',
        constrained('even', (n: number) => n % 2 === 0)(int),
        anyInt,
      ],
      ['a brand', Positive, { $ref: '#/components/schemas/Positive' }],
      ['optional', optional(string), { type: 'string' }],
      ['nullable', nullable(string), { type: ['string', 'null'] }],
      ['nullable literals', nullable(enumOf('a')), { type: ['string', 'null'], enum: ['a', null] }],
      ['nullish', nullish(string), { type: ['string', 'null'] }],
      [
        'nullable alternatives',
        nullable(t.union([string, int])),
        { anyOf: [{ type: 'string' }, anyInt, { type: 'null' }] },
      ],
      ['withDefault', withDefault(int, 1), { ...anyInt, default: 1 }],
      [
        'the encoded default value',
        withDefault(set(int), new Set([1])),
        { type: 'array', items: anyInt, default: [1] },
      ],
      ['attempt', attempt(boolean), { type: 'boolean' }],
      ['encoded', encoded(boolean), { type: 'boolean' }],
      ['combined', combined(boolean), { type: 'boolean' }],
      ['list', list(boolean), { type: 'array', items: { type: 'boolean' } }],
      ['a list of anything', list(t.unknown), { type: 'array' }],
      ['set', set(boolean), { type: 'array', items: { type: 'boolean' } }],
      ['sortedSet', sortedSet(boolean), { type: 'array', items: { type: 'boolean' } }],
      ['separated', separated(',')(boolean), { type: 'array', items: { type: 'boolean' } }],
      ['segments', segments(boolean), { type: 'array', items: { type: 'boolean' } }],
      [
        'tupleWithRest',
        tupleWithRest([boolean], int),
        { type: 'array', prefixItems: [{ type: 'boolean' }], minItems: 1, items: anyInt },
      ],
      [
        't.tuple',
        t.tuple([string, optional(boolean)]),
        { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], minItems: 1 },
      ],
      [
        'described',
        described('Pages', { deprecated: true, examples: [3] })(int),
        { ...anyInt, description: 'Pages', deprecated: true, examples: [3] },
      ],
      ['named', named('Pages')(int), { $ref: '#/components/schemas/Pages' }],
      [
        'withSchema',
        withSchema({ type: 'string', format: 'uri' })(fromString('a URI', String, String)),
        { type: 'string', format: 'uri' },
      ],
      [
        'described over withSchema',
        described('Home')(withSchema({ type: 'string' })(fromString('a URI', String, String))),
        { type: 'string', description: 'Home' },
      ],
      ['an opaque codec', fromString('a URI', String, String), {}],
      ['xmlElement', xmlElement('n')(boolean), { type: 'boolean', xml: { name: 'n' } }],
      [
        'xmlRootElement',
        xmlRootElement('n', { namespace: 'urn:a', prefix: 'p' })(boolean),
        { type: 'boolean', xml: { name: 'n', namespace: 'urn:a', prefix: 'p' } },
      ],
      ['xmlAttribute', xmlAttribute()(boolean), { type: 'boolean', xml: { attribute: true } }],
      ['xmlValue', xmlValue(boolean), { type: 'boolean', xml: { 'x-node-type': 'text' } }],
      [
        'xmlList',
        xmlList(list(boolean)),
        { type: 'array', items: { type: 'boolean' }, xml: { 'x-list': true } },
      ],
      [
        'xmlElementWrapper',
        xmlElementWrapper('all', 'one')(list(boolean)),
        {
          type: 'array',
          items: { type: 'boolean', xml: { name: 'one' } },
          xml: { name: 'all', wrapped: true },
        },
      ],
    ],
    (_, codec, expected) => {
      const { components: _components, ...schema } = schemaDocument(codec, jsonContext('input'))
      assert.equal(schema, expected)
    },
  )
  table<FormatRow>(
    test,
    [
      ['uuid', uuid, 'uuid', false],
      ['plainDate', plainDate, 'date', false],
      ['plainTime', plainTime, 'time-local', true],
      ['plainDateTime', plainDateTime, 'date-time-local', true],
      ['offsetTime', offsetTime, 'time', false],
      ['offsetDateTime', offsetDateTime, 'date-time', false],
      ['instant', instant, 'date-time', false],
      ['date', date, 'date-time', false],
      ['duration', duration, 'duration', true],
      ['zonedDateTime', zonedDateTime, undefined, true],
      ['yearMonth', yearMonth, undefined, true],
      ['dateFormat', dateFormat('dd/MM/yyyy')(plainDate), undefined, true],
    ],
    (_, codec, format, hasPattern) => {
      const schema = schemaDocument(codec, jsonContext('input'))
      assert.is(schema.pattern !== undefined, hasPattern)
      assert.is(schema.type, 'string')
      assert.is(schema.format, format)
    },
  )
  test('numbers are strings in JSON, and numbers in lossless JSON and in text', () => {
    assert.is(schemaOf(bigint, {}).type, 'string')
    assert.equal(schemaOf(bigint, { isText: true }), { type: 'integer' })
    assert.equal(schemaOf(atLeast(0)(decimal), { isText: true }), {
      type: 'number',
      format: 'decimal',
      minimum: 0,
    })
    assert.equal(schemaOf(bigint, { isLossless: true }).anyOf?.[0], { type: 'integer' })
    assert.equal(schemaDocument(bigint, jsonContext('output', { isLossless: true })), {
      type: 'integer',
    })
    assert.equal(schemaOf(withDefault(bigint, 5n), { isText: true }).default, 5)
    assert.is(schemaOf(withDefault(bigint, 5n), {}).default, '5')
  })
  test('renamed numbers have the same schemas', () => {
    for (const codec of [bigint, decimal]) {
      const renamed = Object.assign(Object.create(codec), codec, { name: 'renamed' })
      assert.equal(schemaOf(renamed, {}), schemaOf(codec, {}))
    }
  })
  test('numbers of another copy of the package have the same schemas', async () => {
    const bundle: unknown = await import(
      new URL('../../../espalier/index.js', import.meta.url).href
    )
    const copy = t.UnknownRecord.is(bundle) ? bundle : {}
    for (const codec of [bigint, decimal]) {
      const other = copy[codec.name]
      assert.ok(isCodec(other) && other !== codec)
      for (const context of [{}, { isText: true }, { isLossless: true }])
        assert.equal(schemaOf(other, context), schemaOf(codec, context))
    }
  })
  test('a predefined codec that is annotated as an identifier has the same schema', () => {
    for (const codec of [uuid, decimal, duration, plainDate, date, jsonValue])
      assert.equal(schemaOf(primaryKey(codec), {}), schemaOf(codec, {}))
  })
  test('an element that can be undefined is written as null', () => {
    assert.equal(schemaDocument(list(optional(boolean)), jsonContext('output')).items, {
      type: ['boolean', 'null'],
    })
  })
})
