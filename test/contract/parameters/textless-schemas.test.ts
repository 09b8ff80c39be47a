/** Schemas in parameters and text bodies that reject each text, and codecs inside of schemas. Both are configuration errors. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Schema } from 'effect'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { z } from 'zod'
import * as mini from 'zod/mini'
import * as typed from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { clientIssues, issuesOf, pipe, untyped, withoutType } from '../routing/untyped.ts'

const { body, cookie, form, get, handle, header, json, matrix, path, post, query, routes } = untyped
const { fromStandardSchema, int, list, optional, segments, withDefault } = typed
const { toStandardSchemaV1: standard } = Schema

const a = path('/a')
const handled = handle(() => undefined)
const issuesIn = (endpoint: unknown) =>
  issuesOf(() => withoutType(inMemory)(routes({ node: endpoint })))

const conversions = {
  zod: 'z.coerce.number() or z.stringbool()',
  valibot: 'v.pipe(v.string(), v.toNumber())',
  arktype: "type('string.numeric.parse')",
  effect: 'Schema.NumberFromString',
}
type Vendor = keyof typeof conversions

type Rejected = readonly [title: string, schema: unknown, vendor: Vendor]
const rejected: ReadonlyArray<Rejected> = [
  ['number', z.number(), 'zod'],
  ['int', z.int(), 'zod'],
  ['boolean', z.boolean(), 'zod'],
  ['bigint', z.bigint(), 'zod'],
  ['date', z.date(), 'zod'],
  ['null', z.null(), 'zod'],
  ['literal number', z.literal([1, 2]), 'zod'],
  ['optional number', z.number().optional(), 'zod'],
  ['number with a default', z.number().default(1), 'zod'],
  ['nullable and read-only number', z.number().nullable().readonly(), 'zod'],
  ['list of numbers', z.array(z.number()), 'zod'],
  ['union of a number and a boolean', z.union([z.number(), z.boolean()]), 'zod'],
  ['number that is converted', z.number().transform(String), 'zod'],
  ['number of zod/mini', mini.optional(mini.number()), 'zod'],
  ['list(number)', list(z.number()), 'zod'],
  ['optional(number)', optional(z.number()), 'zod'],
  ['withDefault(number, 1)', withDefault(z.number(), 1), 'zod'],
  ['fromStandardSchema(number)', fromStandardSchema(z.number()), 'zod'],
  ['tuple of a text and a number', z.tuple([z.string(), z.number()]), 'zod'],
  ['intersection of numbers', z.intersection(z.number(), z.int()), 'zod'],
  ['number', v.number(), 'valibot'],
  ['tuple of a number', v.tuple([v.number()]), 'valibot'],
  ['instance of a class', v.instance(URL), 'valibot'],
  ['optional number', v.optional(v.number()), 'valibot'],
  ['number with JSON Schema', toStandardJsonSchema(v.number()), 'valibot'],
  ['constrained number', v.pipe(v.number(), v.minValue(1)), 'valibot'],
  ['list of booleans', v.array(v.boolean()), 'valibot'],
  ['union of a number and null', v.union([v.number(), v.null()]), 'valibot'],
  ['picklist of numbers', v.picklist([1, 2]), 'valibot'],
  ['literal number', v.literal(1), 'valibot'],
  ['number', type('number'), 'arktype'],
  ['boolean', type('boolean'), 'arktype'],
  ['range of numbers', type('1<=number<9'), 'arktype'],
  ['list of numbers', type('number[]'), 'arktype'],
  ['number', standard(Schema.Number), 'effect'],
  ['literal numbers', standard(Schema.Literals([1, 2])), 'effect'],
  ['optional number', standard(Schema.optional(Schema.Number)), 'effect'],
]

type Accepted = readonly [title: string, schema: unknown, text: string]
const accepted: ReadonlyArray<Accepted> = [
  ['z.string()', z.string(), 'a'],
  ['z.coerce.number()', z.coerce.number(), '1'],
  ['z.coerce.number<number>()', z.coerce.number<number>().optional(), '1'],
  ['a range of z.coerce.number()', z.coerce.number().min(200).max(201), '200'],
  ['z.coerce.date()', z.coerce.date(), '2000-01-01'],
  ['z.stringbool()', z.stringbool(), 'true'],
  ['z.preprocess', z.preprocess(Number, z.number()), '1'],
  ['z.codec', z.codec(z.string(), z.number(), { decode: Number, encode: String }), '1'],
  ['a list of z.coerce.number()', z.array(z.coerce.number()), '1'],
  ['a union of zod', z.union([z.number(), z.enum(['all'])]), 'all'],
  ['a tuple of zod', z.tuple([z.string(), z.number().optional()]), 'a'],
  ['a tuple of z.coerce.number()', z.tuple([z.coerce.number()]), '1'],
  ['an intersection of zod', z.intersection(z.string(), z.string()), 'a'],
  ['a literal of zod', z.literal([1, 'a']), 'a'],
  ['z.catch', z.number().catch(1), 'a'],
  ['z.custom', z.custom((value) => value === 'x'), 'x'],
  ['z.lazy', z.lazy(() => z.string()), 'a'],
  ['mini.coerce', mini.coerce.number(), '1'],
  ['v.pipe', v.pipe(v.string(), v.toNumber()), '1'],
  ['v.fallback', v.fallback(v.number(), 1), 'a'],
  ['a union of valibot', v.union([v.number(), v.picklist(['all'])]), 'all'],
  ['v.unknown()', v.pipe(v.unknown(), v.toNumber()), '1'],
  ['v.custom', v.custom((value) => value === 'x'), 'x'],
  ['a union of arktype', type("number|'all'"), 'all'],
  ['a morph of arktype', type('string.numeric.parse'), '1'],
  ['a conversion of effect', standard(Schema.NumberFromString), '1'],
  ['a union of effect', standard(Schema.Union([Schema.Number, Schema.String])), 'a'],
  ['a number of io-ts', t.number, '1'],
  ['a boolean of io-ts', t.boolean, 'true'],
  ['a schema in a union', t.union([fromStandardSchema(z.number()), t.string]), 'a'],
]

const problemOf = (vendor: Vendor) =>
  `the ${vendor} schema does not accept text: convert it, as in ${conversions[vendor]}`

type Place = readonly [title: string, endpoint: unknown]
const number = z.number()
const numbers = list(number)
const places: ReadonlyArray<Place> = [
  ['path', pipe(path('/a/{x}', { x: number }), get(), handled)],
  ['path', pipe(path('/a/{x:.*}', { x: segments(number) }), get(), handled)],
  ['header', pipe(a, get(), header({ x: number }), handled)],
  ['cookie', pipe(a, get(), cookie({ x: number }), handled)],
  ['matrix', pipe(a, get(), matrix({ x: number }), handled)],
  ['form', pipe(a, post(), form({ x: number }), handled)],
  ['query', pipe(a, get(), query({ x: numbers }), handled)],
  ['header', pipe(a, get(), header({ x: numbers }), handled)],
  ['cookie', pipe(a, get(), cookie({ x: numbers }), handled)],
  ['matrix', pipe(a, get(), matrix({ x: optional(numbers) }), handled)],
  ['form', pipe(a, post(), form({ x: withDefault(numbers, []) }), handled)],
]

const Tree: z.ZodType = z.object({
  get children() {
    return z.array(Tree)
  },
})

type Inside = readonly [title: string, schema: unknown, vendor: string]
const inside: ReadonlyArray<Inside> = [
  ['an object of zod', z.object({ id: int as never }), 'zod'],
  ['a list of zod', z.array(int as never), 'zod'],
  [
    'a nested optional member of zod',
    z.object({ a: z.object({ b: z.optional(int as never) }) }),
    'zod',
  ],
  ['a union of zod', z.union([z.string(), int as never]), 'zod'],
  ['an object of zod/mini', mini.object({ id: int as never }), 'zod'],
  ['an object of valibot', v.object({ id: int as never }), 'valibot'],
  ['a list of valibot', v.array(int as never), 'valibot'],
  ['an object of effect', standard(Schema.Struct({ id: int as never })), 'effect'],
]

describe('schemas that do not accept text', (test) => {
  table<Rejected>(test, rejected, async (_, schema, vendor) => {
    const endpoint = pipe(a, get(), query({ x: schema }), handled)
    const issues = [`FW-PARAM-002 GET /a  (node): query parameter "x": ${problemOf(vendor)}`]
    assert.equal(await issuesIn(endpoint), issues)
    assert.equal(await clientIssues(routes({ node: endpoint })), issues)
  })
  table<Accepted>(test, accepted, async (_, schema, text) => {
    const endpoint = pipe(a, get(), query({ x: schema }), handled)
    const send = inMemory(routes({ node: endpoint }))
    const response = await send(`http://localhost/a?x=${text}`)
    assert.is(response.status, 204)
  })
  table<Place>(test, places, async (group, endpoint) => {
    const [issue = ''] = await issuesIn(endpoint)
    assert.ok(issue.endsWith(`: ${group} parameter "x": ${problemOf('zod')}`), issue)
  })
  test('a list in a path has multiple values', async () =>
    assert.equal(await issuesIn(pipe(path('/a/{x}', { x: numbers }), get(), handled)), [
      'FW-PARAM-002 GET /a/{x}  (node): path parameter "x": list of zod has multiple values: use segments(…) for multiple path segments',
    ]))
  test('a text body', async () =>
    assert.equal(await issuesIn(pipe(a, post(), body(z.number()), handled)), [
      `FW-MEDIA-003 POST /a  (node): ${problemOf('zod')}`,
    ]))
})

describe('codecs inside of schemas', (test) => {
  table<Inside>(test, inside, async (_, schema, vendor) => {
    const problem = `the ${vendor} schema contains the codec int: use a schema of ${vendor}, or t.type with fromStandardSchema(schema)`
    assert.equal(await issuesIn(pipe(a, post(), body(json(schema)), handled)), [
      `FW-MEDIA-003 POST /a  (node): ${problem}`,
    ])
  })
  test('a recursive schema contains no codecs', async () =>
    assert.equal(await issuesIn(pipe(a, post(), body(json(Tree)), handled)), []))
})
