import * as assert from 'uvu/assert'
import type { Json, JsonSchema } from '../../../src/codec/json-schema.ts'
import { generateJson } from '../../../src/openapi/mock/generate-json.ts'
import { random } from '../../../src/openapi/mock/random.ts'
import { schemasOf } from '../../../src/openapi/mock/schema-shape.ts'
import { describe, table } from '../../support/describe.ts'

const seeds: ReadonlyArray<number> = Array.from({ length: 40 }, (_, seed) => seed)

const valuesOf = (
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>> = {},
): ReadonlyArray<Json | undefined> =>
  seeds.map((seed) =>
    generateJson(schema, schemasOf(components), random(seed), {
      attempt: 0,
      wanted: new Set(),
    }),
  )

const isText = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value)

const isBetween = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max

const isList = (value: unknown, min: number, max: number): boolean =>
  Array.isArray(value) && isBetween(value.length, min, max)

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined

const tree: JsonSchema = {
  type: 'object',
  required: ['left', 'right'],
  properties: {
    left: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
    right: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
  },
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0

const smallTree = (value: unknown): boolean => isBetween(depthOf(value), 1, 6)

const levelReference = (index: number): string => `#/components/schemas/Level${index}`

describe('generateJson', (test) => {
  table<readonly [schema: JsonSchema, isExpected: (value: unknown) => boolean]>(
    test,
    [
      [{}, (value) => typeof value === 'string'],
      [{ const: 'a' }, (value) => value === 'a'],
      [{ enum: [1, 'x', null] }, (value) => value === 1 || value === 'x' || value === null],
      [{ type: 'boolean' }, (value) => typeof value === 'boolean'],
      [{ type: 'null' }, (value) => value === null],
      [{ type: 'integer' }, (value) => Number.isInteger(value)],
      [{ type: 'integer', minimum: 5, maximum: 6 }, (value) => value === 5 || value === 6],
      [{ type: 'integer', minimum: 10_000 }, (value) => isBetween(value, 10_000, 11_000)],
      [{ type: 'integer', maximum: -10_000 }, (value) => isBetween(value, -Infinity, -10_000)],
      [{ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 3 }, (value) => value === 2],
      [
        { type: 'integer', minimum: 0, maximum: 50, multipleOf: 7 },
        (value) => Number(value) % 7 === 0,
      ],
      [{ type: 'number', minimum: 0.25, maximum: 0.26 }, (value) => isBetween(value, 0.25, 0.26)],
      [{ type: 'number', minimum: 0.0001, maximum: 0.0002 }, (v) => isBetween(v, 0.0001, 0.0002)],
      [{ type: 'number', exclusiveMinimum: 0, maximum: 0.001 }, (v) => isBetween(v, 1e-9, 0.001)],
      [
        { allOf: [{ type: 'number' }, { type: 'integer', minimum: 3 }, { maximum: 3 }] },
        (v) => v === 3,
      ],
      [{ type: 'string', minLength: 3, maxLength: 3 }, (value) => isText(value, /^.{3}$/)],
      [{ type: 'string', minLength: 200 }, (value) => isText(value, /^.{200,}$/)],
      [{ type: 'string', maxLength: 0 }, (value) => value === ''],
      [{ type: 'string', pattern: '^\\d{13}$' }, (value) => isText(value, /^\d{13}$/)],
      [
        { type: 'string', pattern: '^(a|bc)+-[^x-z]{2}\\1$' },
        (v) => isText(v, /^(a|bc)+-[^x-z]{2}\1$/),
      ],
      [{ type: 'string', pattern: '^\\p{Lu}[é-ü]$' }, (value) => isText(value, /^\p{Lu}[é-ü]$/u)],
      [
        { type: 'string', pattern: '^[\\u4e00-\\u4e10]$' },
        (value) => isText(value, /^[\u4e00-\u4e10]$/),
      ],
      [
        { type: 'string', pattern: '^[a-z]+$', minLength: 40 },
        (value) => isText(value, /^[a-z]{40,}$/),
      ],
      [
        { allOf: [{ type: 'string', pattern: '^a' }, { pattern: '^[ab]{3}$' }] },
        (value) => isText(value, /^a[ab]{2}$/),
      ],
      [{ type: 'string', pattern: '^(?=a)[ab]{2}$' }, (value) => isText(value, /^a[ab]$/)],
      [
        { type: 'string', format: 'uuid' },
        (value) => isText(value, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      ],
      [{ type: 'string', format: 'email' }, (value) => isText(value, /^\S+@example\.com$/)],
      [{ type: 'string', format: 'uri' }, (value) => URL.canParse(String(value))],
      [
        { type: 'string', format: 'date-time' },
        (value) => !Number.isNaN(Date.parse(String(value))),
      ],
      [
        { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$|^\\d{4}-\\d{2}-\\d{2}$' },
        (value) => isText(value, /^\d{4}-(0[1-9]|1[0-2])-([01]\d|2[0-8])/),
      ],
      [{ type: 'string', examples: ['only'] }, (value) => value === 'only'],
      [{ type: 'integer', default: 20 }, (value) => value === 20],
      [{ type: ['string', 'null'] }, (value) => typeof value === 'string'],
      [{ type: 'array', items: { type: 'integer' } }, (value) => isList(value, 2, 4)],
      [{ type: 'array', items: { type: 'integer' }, minItems: 5 }, (value) => isList(value, 5, 5)],
      [{ type: 'array', items: { type: 'integer' }, maxItems: 1 }, (value) => isList(value, 1, 1)],
      [{ type: 'array', items: false }, (value) => isList(value, 0, 0)],
      [
        { type: 'array', uniqueItems: true, minItems: 2, items: { enum: ['a', 'b'] } },
        (value) => isList(value, 2, 2) && /^\["(a","b|b","a)"\]$/.test(JSON.stringify(value)),
      ],
      [
        { type: 'array', prefixItems: [{ const: 1 }, { const: 'b' }], items: false, minItems: 2 },
        (value) => JSON.stringify(value) === '[1,"b"]',
      ],
      [
        {
          type: 'object',
          required: ['__proto__'],
          properties: JSON.parse('{"__proto__":{"const":1}}'),
        },
        (value) => JSON.stringify(value) === '{"__proto__":1}',
      ],
      [
        { type: 'object', required: ['a'], additionalProperties: { const: 1 } },
        (value) => memberOf(value, 'a') === 1,
      ],
      [
        {
          type: 'object',
          propertyNames: { enum: ['x', 'y'] },
          additionalProperties: { type: 'integer' },
          minProperties: 2,
        },
        (value) => Number.isInteger(memberOf(value, 'x')) && Number.isInteger(memberOf(value, 'y')),
      ],
      [
        {
          allOf: [
            { type: 'object', required: ['a'], properties: { a: { type: 'number' } } },
            { type: 'object', required: ['b'], properties: { a: { maximum: 1 }, b: { const: 2 } } },
          ],
        },
        (value) => Number(memberOf(value, 'a')) <= 1 && memberOf(value, 'b') === 2,
      ],
      [
        { oneOf: [{ type: 'integer' }, { type: 'null' }, false as unknown as JsonSchema] },
        (value) => value === null || Number.isInteger(value),
      ],
      [
        { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
        (value) => isText(memberOf(value, 'email'), /@/),
      ],
    ],
    (schema, isExpected) => {
      for (const value of valuesOf(schema))
        assert.ok(value !== undefined && isExpected(value), JSON.stringify(value))
    },
  )
  table<readonly [schema: JsonSchema]>(
    test,
    [
      [{ enum: [] }],
      [{ allOf: [{ const: 1 }, { const: 2 }] }],
      [{ type: 'integer', minimum: 3, maximum: 2 }],
      [{ type: 'array', minItems: 1, items: false }],
      [{ type: 'string', pattern: '^a$', minLength: 2 }],
      [{ anyOf: [] }],
      [{ $ref: '#/components/schemas/Endless' }],
    ],
    (schema) => {
      const endless = {
        type: 'object',
        required: ['next'],
        properties: { next: { $ref: '#/components/schemas/Endless' } },
      }
      for (const value of valuesOf(schema, { Endless: endless })) assert.is(value, undefined)
    },
  )
  test('values of recursive schemas are small', () => {
    const values = valuesOf({ $ref: '#/components/schemas/Tree' }, { Tree: tree })
    for (const value of values) assert.ok(smallTree(value), JSON.stringify(value))
    assert.ok(values.some((value) => depthOf(value) > 1))
  })
  test('a recursive schema that requires deep values results in a deep value', () => {
    const levels = Array.from({ length: 20 }, (_, index) => [
      `Level${index}`,
      index === 19
        ? { type: 'integer' }
        : { type: 'array', minItems: 1, maxItems: 1, items: { $ref: levelReference(index + 1) } },
    ])
    for (const value of valuesOf({ $ref: levelReference(0) }, Object.fromEntries(levels)))
      assert.is(depthOf(value), 19)
  })
  test('later attempts ignore defaults', () => {
    const options = { attempt: 5, wanted: new Set<string>() }
    const schema: JsonSchema = { type: 'integer', default: -5, minimum: -9 }
    const value = generateJson(schema, schemasOf({}), random(0), options)
    assert.ok(Number.isInteger(value) && value !== -5)
  })
  test('later attempts for a schema without restrictions have various types', () => {
    const types = seeds.map((seed) => {
      const options = { attempt: 1, wanted: new Set<string>() }
      return typeof generateJson({}, schemasOf({}), random(seed), options)
    })
    assert.equal(new Set(types), new Set(['boolean', 'number', 'object', 'string']))
  })
  test('wanted members are never omitted', () => {
    const schema: JsonSchema = { type: 'object', properties: { a: { type: 'integer' } } }
    for (const seed of seeds) {
      const options = { attempt: 0, wanted: new Set(['a']) }
      const value = generateJson(schema, schemasOf({}), random(seed), options)
      assert.ok(Number.isInteger(memberOf(value, 'a')))
    }
  })
})
