import type { StandardSchema } from '../../../src/codec/standard-schema/schema-types.ts'
import { type } from 'arktype'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { body, json, path, post, produces, query, routes } from '../../../src/index.ts'
import { fromStandardSchema } from '../../../src/codec/standard-schema/standard-schema.ts'
import type { SchemaContext } from '../../../src/openapi/schema/schema-generator.ts'
import { schemaGenerator } from '../../../src/openapi/schema/schema-generator.ts'
import { describe } from '../../support/describe.ts'
import { describeOnly } from '../document.ts'
import { jsonContext } from './check-schema.ts'

type Json = Readonly<Record<string, unknown>>

/** Creates a schema with the JSON Schemas of a library. */
const withJsonSchema = (input: Json, output: Json = input): StandardSchema<unknown, unknown> => {
  const standard = {
    version: 1 as const,
    vendor: 'example',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => input, output: () => output },
  }
  return { '~standard': standard }
}

const finish = (schema: t.Mixed, context: SchemaContext) => {
  const generator = schemaGenerator()
  return generator.finish(generator.schemaOf(schema, context))
}

describe('schemas of Standard Schemas', (test) => {
  const input = jsonContext('input')
  const output = jsonContext('output')
  test('the JSON Schema of the library is used, without identifiers', () => {
    const codec = fromStandardSchema(
      withJsonSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }),
    )
    assert.equal(finish(codec, input).document, { type: 'string' })
  })
  test('input and output have different schemas', () => {
    const schema = withJsonSchema({ type: 'string' }, { type: 'number' })
    assert.equal(finish(fromStandardSchema(schema), output).document, { type: 'number' })
    assert.equal(finish(fromStandardSchema(schema), input).document, { type: 'string' })
    const encoded = fromStandardSchema(schema, String)
    assert.equal(finish(encoded, output).document, { type: 'string' })
  })
  test('definitions become components', () => {
    const codec = fromStandardSchema(
      withJsonSchema({
        type: 'array',
        items: { $ref: '#/$defs/Node' },
        $defs: {
          Node: {
            type: 'object',
            properties: { next: { $ref: '#/$defs/Node' }, label: { $ref: '#/$defs/__schema0' } },
          },
          __schema0: { type: 'string' },
        },
      }),
    )
    const { document, schemas } = finish(codec, input)
    assert.equal(document, { type: 'array', items: { $ref: '#/components/schemas/Node' } })
    assert.equal(schemas, {
      Node: {
        type: 'object',
        properties: {
          next: { $ref: '#/components/schemas/Node' },
          label: { $ref: '#/components/schemas/exampleSchema' },
        },
      },
      exampleSchema: { type: 'string' },
    })
  })
  test('a schema that refers to itself becomes a component', () => {
    const codec = fromStandardSchema(
      withJsonSchema({ title: 'Tree', type: 'object', properties: { below: { $ref: '#' } } }),
    )
    const { document, schemas } = finish(codec, input)
    const reference = { $ref: '#/components/schemas/Tree' }
    assert.equal(document, { title: 'Tree', type: 'object', properties: { below: reference } })
    assert.equal(schemas['Tree']?.properties, { below: reference })
  })
  test('a schema of a library describes parameters and bodies without fromStandardSchema', () => {
    const Book = z.object({ title: z.string(), copies: z.int().default(1) })
    const operation = pipe(
      path('/books'),
      post(),
      query({
        page: z.coerce.number().default(1),
        tags: z.array(z.string()),
        mode: type("'full'|'short'"),
      }),
      body(json(Book)),
      produces(json(Book)),
    )
    const document = describeOnly(routes({ operation }))
    const text = JSON.stringify(document)
    for (const part of [
      '"schema":{"default":1,"type":"number"}',
      '"schema":{"type":"array","items":{"type":"string"}}',
      '"required":true,"schema":{"enum":["full","short"]}',
    ])
      assert.match(text, part)
    assert.match(JSON.stringify(document.requestBody), '"required":["title"]')
    assert.match(JSON.stringify(document.responses['200']), '"required":["title","copies"]')
  })
  test('a schema without JSON Schema is an opaque codec', () => {
    const codec = fromStandardSchema<unknown>({
      '~standard': { version: 1, vendor: 'example', validate: (value) => ({ value }) },
    })
    const { document, issues } = finish(t.type({ a: codec }), input)
    assert.equal(document, { type: 'object', properties: { a: {} } })
    assert.equal(issues, [{ _tag: 'OpaqueCodec', codec: 'example', locations: [] }])
  })
})
