/** Codecs for the schemas of zod, valibot, arktype and effect, without `fromStandardSchema`. */
import type { StandardSchema } from '../../../src/codec/standard-schema/schema-types.ts'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Effect, Schema, SchemaGetter } from 'effect'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { z } from 'zod'
import {
  fromStandardSchema,
  schemaCodec,
  toMixed,
} from '../../../src/codec/standard-schema/standard-schema.ts'
import { describe, table } from '../../support/describe.ts'

type AnyStandard = StandardSchema<unknown, unknown>

const secret = 'hunter2'

/** A schema of effect that validates asynchronously. */
const FreeName = Schema.String.pipe(
  Schema.decode({
    decode: SchemaGetter.checkEffect((name: string) =>
      Effect.promise(async () => Promise.resolve(!name.startsWith('taken'))),
    ),
    encode: SchemaGetter.passthrough(),
  }),
)

/** A schema of effect that also provides its JSON Schema. */
const describedSchema = (schema: Schema.ConstraintDecoder<unknown>): AnyStandard =>
  Schema.toStandardSchemaV1(Schema.toStandardJSONSchemaV1(schema))

const loose = type({ name: 'string' })

describe('codecs for the schemas of libraries', (test) => {
  table(
    test,
    [
      ['zod', z.object({ name: z.string() })],
      ['zod, strict', z.strictObject({ name: z.string() })],
      ['valibot', v.object({ name: v.string() })],
      ['valibot with JSON Schema', toStandardJsonSchema(v.object({ name: v.string() }))],
      ['arktype', type({ name: 'string' })],
      ['arktype that deletes members', type({ '+': 'delete', name: 'string' })],
      ['effect', Schema.toStandardSchemaV1(Schema.Struct({ name: Schema.String }))],
      ['effect with JSON Schema', describedSchema(Schema.Struct({ name: Schema.String }))],
    ] as ReadonlyArray<[string, AnyStandard]>,
    (title, schema) => {
      const codec = schemaCodec(schema)
      assert.equal(codec.decode({ name: 'Ann' }), E.right({ name: 'Ann' }))
      const rejected = codec.decode({ name: [secret] })
      assert.ok(E.isLeft(rejected))
      assert.not.match(rejected.left.map(({ message }) => message).join(), secret)
      const user = { name: 'Ann', password: secret }
      if (title === 'zod, strict') assert.throws(() => codec.encode(user), TypeError)
      else assert.equal(codec.encode(user), { name: 'Ann' })
      assert.is(codec.encodingProblem(), undefined)
    },
  )
  table(
    test,
    [
      ['a default value of zod', z.object({ n: z.number().default(1) }), { n: 2, x: 0 }, { n: 2 }],
      ['a missing value with a default', z.object({ n: z.number().default(1) }), {}, { n: 1 }],
      ['a coerced number', z.coerce.number(), 5, 5],
      ['the text of a coerced number', z.coerce.number(), '5', 5],
      ['trimmed text', z.string().trim(), ' a ', 'a'],
      ['an input of a transformation', z.string().transform((text) => text.length), 'abc', 'abc'],
      [
        'an input of a transformation that does not accept its result',
        z.object({ n: z.stringbool() }),
        { n: 'yes', x: 0 },
        { n: 'yes' },
      ],
      [
        'an input of a transformation that changes its own result',
        z.string().transform((text) => `${text}!`),
        'a',
        'a',
      ],
      [
        'an input of a transformation in valibot',
        v.pipe(v.string(), v.transform(Number)),
        '5',
        '5',
      ],
      ['a value with a default of arktype', type({ n: 'number = 1' }), { n: 2, x: 0 }, { n: 2 }],
      ['a parsed number of arktype', type('string.numeric.parse'), '5', '5'],
      [
        'a default value of effect',
        Schema.toStandardSchemaV1(
          Schema.Struct({ n: Schema.Number.pipe(Schema.withDecodingDefault(Effect.succeed(1))) }),
        ),
        { n: 2, x: 0 },
        { n: 2 },
      ],
      [
        'an object with a transformed member of effect',
        describedSchema(Schema.Struct({ n: Schema.NumberFromString })),
        { n: '5', x: secret },
        { n: '5' },
      ],
      [
        'an asynchronous schema of effect',
        describedSchema(Schema.Struct({ name: FreeName })),
        { name: 'Ann', x: secret },
        { name: 'Ann' },
      ],
      [
        'members of any name in effect',
        describedSchema(
          Schema.StructWithRest(Schema.Struct({ a: Schema.String }), [
            Schema.Record(Schema.String, Schema.Unknown),
          ]),
        ),
        { a: 'a', b: 1 },
        { a: 'a', b: 1 },
      ],
      [
        'an input of a transformation in effect',
        Schema.toStandardSchemaV1(Schema.NumberFromString),
        '5',
        '5',
      ],
      ['a date', z.coerce.date(), new Date(0), new Date(0)],
      [
        'a union',
        z.discriminatedUnion('k', [
          z.object({ k: z.literal('a'), x: z.string() }),
          z.object({ k: z.literal('b'), y: z.number() }),
        ]),
        { k: 'b', x: secret, y: 1 },
        { k: 'b', y: 1 },
      ],
      [
        'a record',
        z.record(z.string(), z.object({ n: z.int() })),
        { a: { n: 1, x: 0 } },
        { a: { n: 1 } },
      ],
    ] as ReadonlyArray<[string, AnyStandard, unknown, unknown]>,
    (_, schema, value, encoded) => assert.equal(schemaCodec(schema).encode(value), encoded),
  )
  test('objects in an input that cannot be stripped are not encoded', () => {
    const lengthOf = v.object({
      name: v.pipe(
        v.string(),
        v.transform((text) => text.length),
      ),
    })
    assert.throws(
      () => schemaCodec(lengthOf).encode({ name: 'Ann', password: secret }),
      /the valibot schema has no JSON Schema with which undeclared members can be stripped/,
    )
    const asynchronous = Schema.toStandardSchemaV1(Schema.Struct({ name: FreeName }))
    assert.throws(
      () => schemaCodec(asynchronous).encode({ name: 'Ann', password: secret }),
      /the effect schema has no JSON Schema with which undeclared members can be stripped/,
    )
  })
  table(
    test,
    [
      [
        'valibot that keeps members',
        v.looseObject({ name: v.string() }),
        /keeps undeclared members/,
      ],
      ['asynchronous valibot', v.objectAsync({ name: v.string() }), /has no JSON Schema/],
      [
        'a codec of zod',
        z.codec(z.string(), z.int(), { decode: Number, encode: String }),
        /is not an input/,
      ],
      ['a transformed member', type({ n: 'string.numeric.parse' }), /is not an input/],
      ['transformed elements', type('string.numeric.parse[]'), /is not an input/],
      [
        'a transformed member of effect',
        describedSchema(Schema.Struct({ n: Schema.FiniteFromString })),
        /is not an input/,
      ],
    ] as ReadonlyArray<[string, AnyStandard, RegExp]>,
    (_, schema, problem) => assert.match(schemaCodec(schema).encodingProblem() ?? '', problem),
  )
  test('members that the library declares with any name are kept', () => {
    assert.equal(
      schemaCodec(z.looseObject({ name: z.string() })).encode({ name: 'Ann', nick: 'A' }),
      { name: 'Ann', nick: 'A' },
    )
  })
  test('an encode function is used for outputs of another type', () => {
    const isoDay = z.object({ day: z.iso.date().transform((text) => new Date(text)) })
    const codec = fromStandardSchema(isoDay, ({ day }) => ({
      day: day.toISOString().slice(0, 10),
    }))
    assert.equal(codec.encode({ day: new Date(0) }), { day: '1970-01-01' })
    assert.is(codec.encodingProblem(), undefined)
  })
  test('a codec of zod encodes with z.encode', () => {
    const Day = z.codec(z.iso.date(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString().slice(0, 10),
    })
    const codec = fromStandardSchema(Day, (date: Date) => z.encode(Day, date))
    assert.is(codec.encode(new Date(0)), '1970-01-01')
    assert.equal(codec.decode('1970-01-01'), E.right(new Date(0)))
  })
  test('a schema of effect encodes with Schema.encodeSync', () => {
    const Loan = Schema.Struct({ due: Schema.DateFromString, copies: Schema.NumberFromString })
    const codec = fromStandardSchema(Schema.toStandardSchemaV1(Loan), Schema.encodeSync(Loan))
    const loan = { due: new Date(0), copies: 2, password: secret }
    assert.equal(codec.encode(loan), { due: '1970-01-01T00:00:00.000Z', copies: '2' })
    assert.equal(
      codec.decode({ due: '1970-01-01T00:00:00.000Z', copies: '2' }),
      E.right({ due: new Date(0), copies: 2 }),
    )
    assert.is(codec.encodingProblem(), undefined)
  })
  test('the same schema has the same codec', () => {
    const schema = z.string()
    assert.is(schemaCodec(schema), schemaCodec(schema))
    assert.is(toMixed(schema), schemaCodec(schema))
    assert.is(toMixed(loose), schemaCodec(loose))
    assert.is.not(fromStandardSchema(schema), schemaCodec(schema))
  })
  test('a codec is returned unchanged', () => assert.is(toMixed(t.string), t.string))
})
