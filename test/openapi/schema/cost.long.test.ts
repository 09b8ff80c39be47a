import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import { list } from '../../../src/codec/collection.ts'
import { withDefault } from '../../../src/codec/optional.ts'
import { int, string } from '../../../src/codec/scalar.ts'
import { schemaGenerator } from '../../../src/openapi/schema/schema-generator.ts'
import { cpuMillis } from '../../support/cpu-time.ts'
import { describe } from '../../support/describe.ts'
import { jsonContext } from './check-schema.ts'

const input = jsonContext('input')
const output = jsonContext('output')
const closed = jsonContext('input', { rejectsUndeclared: true })

const Author = t.type({ name: string }, 'Author')

const book = (index: number): Codec =>
  t.type(
    { id: int, title: string, pages: withDefault(int, 1), tags: list(string), author: Author },
    `Book${index}`,
  )

describe('cost of schemas', (test) => {
  test('schemas for 1,000 operations take less than 150 ms', () => {
    const codecs = Array.from({ length: 300 }, (_, index) => book(index))
    const run = (): number =>
      cpuMillis(() => {
        const generator = schemaGenerator()
        const schemas = Array.from({ length: 1000 }, (_, index) => {
          const codec = codecs[index % codecs.length] ?? Author
          return [
            generator.schemaOf(codec, input),
            generator.schemaOf(list(codec), output),
            generator.schemaOf(int, { ...input, isText: true }),
          ]
        })
        generator.finish(schemas)
      })
    const fastest = run()
    assert.ok(fastest < 150, `${fastest} ms`)
  })
  test('nested intersections and unions take linear time', () => {
    let codec: Codec = t.type({ a: string })
    for (let depth = 0; depth < 60; depth++) {
      const both = t.intersection([t.type({ b: codec }), t.partial({ c: codec })])
      codec = t.type({ a: t.union([codec, both]) }, `Level${depth}`)
    }
    const last = codec
    const millis = cpuMillis(() => schemaGenerator().schemaOf(last, closed))
    assert.ok(millis < 1000, `${millis} ms`)
  })
})
