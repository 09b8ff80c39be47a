import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { merge } from '../../../src/codec/structure/merge.ts'
import { describe, law, table } from '../../support/describe.ts'

class Point {
  readonly x = 1
}
const [point, date, other] = [new Point(), new Date(0), new Date(1)]
const own = JSON.parse('{"__proto__":{"z":0}}')

const rows: ReadonlyArray<
  [what: string, base: unknown, parts: ReadonlyArray<unknown>, result: unknown]
> = [
  ['one part', { a: '1' }, [{ a: 1 }], { a: 1 }],
  ['no difference', date, [date, date], date],
  ['fields of all', { a: 1, b: 2 }, [{ a: 1 }, { b: 2 }], { a: 1, b: 2 }],
  ['no fields', { a: 1 }, [{}, {}], {}],
  ['a field that is new', {}, [{ a: 1 }, { b: 2 }], { a: 1, b: 2 }],
  ['a field changed by one', { a: '1' }, [{ a: 1 }, { a: '1' }], { a: 1 }],
  ['a field changed by the other', { a: '1' }, [{ a: '1' }, { a: 1 }], { a: 1 }],
  ['a field changed by both', { a: '1' }, [{ a: 1 }, { a: 2 }], { a: 2 }],
  ['a field made undefined', { a: 1 }, [{ a: undefined }, { a: 1 }], { a: undefined }],
  [
    'fields of fields',
    { x: { a: '1', b: 2, c: 3 } },
    [{ x: { a: 1 } }, { x: { b: 2 } }],
    { x: { a: 1, b: 2 } },
  ],
  ['elements', [{ a: 1, b: 2 }], [[{ a: 1 }], [{ b: 2 }]], [{ a: 1, b: 2 }]],
  ['arrays of different length', [1, 2], [[1], [1, 2, 3]], [1, 2, 3]],
  ['an object with a class, left as it is', point, [point, {}], { x: 1 }],
  ['objects with a class', 'x', [date, other], other],
  ['an object made into another', { iso: '' }, [date, { iso: '' }], { iso: '' }],
  ['an array and an object', [], [[1], { a: 1 }], { a: 1 }],
  ['a field named __proto__', own, [own, {}], own],
]

describe('merge', (test) => {
  table(test, rows, (_, base, parts, result) => assert.equal(merge(base, parts), result))
  test('fields are in the order of the base, new ones last', () =>
    assert.equal(Object.keys(Object(merge({ b: 1, a: 1 }, [{ c: 1, a: 1 }, { b: 1 }]))), [
      'b',
      'a',
      'c',
    ]))
  test('a field named __proto__ stays a field', () => {
    const result = merge(own, [own, { a: 1 }])
    assert.is(Object.getPrototypeOf(result), Object.prototype)
    assert.equal(Object.getOwnPropertyNames(result), ['__proto__', 'a'])
  })
  law(test, 'parts that agree are the result', fc.anything(), (value) =>
    assert.ok(Object.is(merge(undefined, [value, value]), value)),
  )
  law(
    test,
    'a part without a say changes nothing',
    fc.dictionary(fc.string(), fc.jsonValue()),
    (value) =>
      assert.equal(Object.entries(Object(merge(value, [value, {}]))), Object.entries(value)),
  )
})
