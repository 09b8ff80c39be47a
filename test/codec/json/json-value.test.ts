import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { jsonNumber } from '../../../src/codec/json-number.ts'
import {
  jsonArray,
  jsonObject,
  jsonStructure,
  jsonValue,
} from '../../../src/codec/json/json-value.ts'
import { describe, table } from '../../support/describe.ts'

describe('codecs of JSON values', (test) => {
  const codecs = [jsonValue, jsonObject, jsonArray, jsonStructure]
  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  table<
    readonly [
      name: string,
      value: unknown,
      value?: 0 | 1,
      object?: 0 | 1,
      array?: 0 | 1,
      structure?: 0 | 1,
    ]
  >(
    test,
    [
      ['null', null, 1],
      ['true', true, 1],
      ['a text', 'a', 1],
      ['a number', 1.5, 1],
      ['a JsonNumber', jsonNumber('1.50'), 1],
      ['an array', [1, [null]], 1, 0, 1, 1],
      ['an object', { a: { b: [jsonNumber('1.0')] } }, 1, 1, 0, 1],
      ['an object without a prototype', Object.create(null), 1, 1, 0, 1],
      ['undefined', undefined],
      ['NaN', NaN],
      ['an array with infinity', [Infinity]],
      ['a bigint', 1n],
      ['a function', () => 1],
      ['a date', new Date(0)],
      ['bytes', new Uint8Array()],
      ['an object with a set', { a: new Set() }],
      ['an array with undefined', [undefined]],
    ],
    (_, value, ...expected) => {
      const accepted = codecs.map((codec) => codec.is(value))
      assert.equal(
        accepted,
        codecs.map((_codec, at) => expected[at] === 1),
      )
      assert.equal(
        codecs.map((codec) => E.isRight(codec.decode(value))),
        accepted,
      )
    },
  )
  test('decode and encode values unchanged', () => {
    const value = { a: [jsonNumber('1.0')] }
    assert.equal(jsonValue.decode(value), E.right(value))
    assert.is(jsonValue.encode(value), value)
  })
})
