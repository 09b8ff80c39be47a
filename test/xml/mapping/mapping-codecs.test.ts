/** Mappings to XML do not affect other uses of a codec. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { interpretedBackEnd } from '../../../src/codec/compiled/interpreted-back-end.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { readSchema } from '../../../src/codec/schema/read-schema.ts'
import { parameterShape } from '../../../src/codec/schema/parameter-shape.ts'
import { int, list, string } from '../../../src/index.ts'
import { xmlAttribute, xmlElement, xmlElementWrapper, xmlList } from '../../../src/xml.ts'
import { describe } from '../../support/describe.ts'

const Plain = t.type({ a: int, b: list(t.type({ c: string })) })
const Mapped = xmlElement('mapped')(
  t.type({
    a: xmlAttribute('x')(int),
    b: xmlElementWrapper('w', 'i')(list(t.type({ c: xmlElement('y')(string) }))),
  }),
)

const withoutCodecs = (codec: t.Mixed): string =>
  JSON.stringify(readSchema(codec, 'drop'), (key, value: unknown) =>
    ['codec', 'reported', 'wraps'].includes(key) ? undefined : value,
  )

describe('XML mappings', (test) => {
  test('a compiled codec ignores mappings to XML', () => {
    assert.is(withoutCodecs(Mapped), withoutCodecs(Plain))
    const { decode, write } = compileCodec(Mapped, 'drop', interpretedBackEnd)
    const value = { a: 1, b: [{ c: 'x' }] }
    assert.equal(decode({ ...value, d: 1 }), E.right(value))
    assert.is(write({ ...value, d: 1 }), JSON.stringify(value))
  })
  test('a parameter ignores mappings to XML', () => {
    assert.is(parameterShape(xmlAttribute()(int)).convert('5'), 5)
    assert.is(parameterShape(xmlList(list(int))).isCollection, true)
  })
})
