import { deepStrictEqual } from 'node:assert/strict'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { merge, intersection } from '../../../src/codec/structure/merge.ts'
import { describe, law, table } from '../../support/describe.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { hex } from '../../support/sample.ts'

class Point {
  readonly x = 1
}
const [point, date, other] = [new Point(), new Date(0), new Date(1)]
const withProto = JSON.parse('{"__proto__":{"z":0}}')

const rows: ReadonlyArray<
  [name: string, base: unknown, parts: ReadonlyArray<unknown>, result: unknown]
> = [
  ['one part', { a: '1' }, [{ a: 1 }], { a: 1 }],
  ['equal parts', date, [date, date], date],
  ['members of all parts', { a: 1, b: 2 }, [{ a: 1 }, { b: 2 }], { a: 1, b: 2 }],
  ['parts without members', { a: 1 }, [{}, {}], {}],
  ['new members', {}, [{ a: 1 }, { b: 2 }], { a: 1, b: 2 }],
  ['a member that the first part changes', { a: '1' }, [{ a: 1 }, { a: '1' }], { a: 1 }],
  ['a member that the second part changes', { a: '1' }, [{ a: '1' }, { a: 1 }], { a: 1 }],
  ['a member that both parts change', { a: '1' }, [{ a: 1 }, { a: 2 }], { a: 2 }],
  ['a member that becomes undefined', { a: 1 }, [{ a: undefined }, { a: 1 }], { a: undefined }],
  [
    'members of nested objects',
    { x: { a: '1', b: 2, c: 3 } },
    [{ x: { a: 1 } }, { x: { b: 2 } }],
    { x: { a: 1, b: 2 } },
  ],
  ['elements of arrays', [{ a: 1, b: 2 }], [[{ a: 1 }], [{ b: 2 }]], [{ a: 1, b: 2 }]],
  ['arrays of different length', [1, 2], [[1], [1, 2, 3]], [1, 2, 3]],
  ['an unchanged class instance', point, [point, {}], { x: 1 }],
  ['class instances', 'x', [date, other], other],
  ['a class instance and a copy of the base', { iso: '' }, [date, { iso: '' }], date],
  ['a text and a copy of the base', { a: [1, {}] }, ['text', { a: [1, {}] }], 'text'],
  ['a text and an object with another member', { a: 1 }, ['text', { b: 1 }], { b: 1 }],
  ['a text and an object with fewer members', { a: 1, b: 2 }, ['text', { a: 1 }], { a: 1 }],
  ['an array that changes and a copy of the base', [1, 2], [[1], [1, 2]], [1]],
  ['an array and an object', [], [[1], { a: 1 }], { a: 1 }],
  ['a member named __proto__', withProto, [withProto, {}], withProto],
]

describe('merge', (test) => {
  table(test, rows, (_, base, parts, result) => assert.equal(merge(base, parts), result))
  test('members are in the order of the base, followed by new members', () =>
    assert.equal(Object.keys(Object(merge({ b: 1, a: 1 }, [{ c: 1, a: 1 }, { b: 1 }]))), [
      'b',
      'a',
      'c',
    ]))
  test('keeps a member named __proto__ as a member', () => {
    const result = merge(withProto, [withProto, { a: 1 }])
    assert.is(Object.getPrototypeOf(result), Object.prototype)
    assert.equal(Object.getOwnPropertyNames(result), ['__proto__', 'a'])
  })
  law(test, 'returns the common result of equal parts', fc.anything(), (value) =>
    assert.ok(Object.is(merge(undefined, [value, value]), value)),
  )
  law(
    test,
    'an empty part does not change the result',
    fc.dictionary(fc.string(), fc.jsonValue()),
    (value) =>
      deepStrictEqual(Object.entries(Object(merge(value, [value, {}]))), Object.entries(value)),
  )
})

const A = t.type({ a: hex })
const B = t.partial({ b: hex })

const [combined, ioTs]: readonly [Codec, Codec] = [
  intersection('i', [A, B]),
  t.intersection([A, B], 'i'),
]

const input = fc.oneof(
  fc.anything(),
  fc.tuple(fc.constantFrom('f', '?'), fc.constantFrom(1, '1')),
  fc.array(fc.constantFrom('f', 1), { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('f', '?', 15), {
    noNullPrototype: true,
  }),
)

describe('intersection', (test) => {
  law(test, 'behaves like that of io-ts', input, (value) => {
    assert.equal([combined.name, combined._tag], [ioTs.name, ioTs._tag])
    assert.is(combined.is(value), ioTs.is(value))
    const [actual, expected] = [combined.decode(value), ioTs.decode(value)]
    assert.equal(errorsOf(actual), errorsOf(expected))
    if (E.isRight(expected)) assert.equal(actual, expected)
    if (ioTs.is(value)) assert.equal(combined.encode(value), ioTs.encode(value))
  })
  test('merges the members of nested objects', () => {
    const codec = intersection('i', [t.type({ x: A }), t.type({ x: t.type({ b: hex }) })])
    const value = { x: { a: 15, b: 14 } }
    assert.equal(codec.decode({ x: { a: 'f', b: 'e' } }), E.right(value))
    assert.equal(codec.encode(value), { x: { a: 'f', b: 'e' } })
  })
})

const errorsOf = (result: t.Validation<unknown>): unknown =>
  E.isLeft(result)
    ? result.left.map(({ value, context }) => [
        value,
        context.map(({ key, type }) => [key, type.name]),
      ])
    : []
