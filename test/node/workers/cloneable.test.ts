import * as assert from 'uvu/assert'
import { describeUncloneable } from '../../../src/node/workers/cloneable.ts'
import { describe, table } from '../../support/describe.ts'

class Point {
  readonly x = 1
}
class NotFound extends RangeError {}
class List extends Array<number> {}

const classOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : typeof value

describe('describeUncloneable: values that are cloned unchanged', (test) => {
  table(
    test,
    [
      ['nothing', undefined],
      ['null', null],
      ['a text', 'x'],
      ['a bigint', 1n],
      ['a record', { a: { b: [1, null] } }],
      ['a map of sets', new Map([['a', new Set([new Date(0)])]])],
      ['octets', new Uint8Array(2)],
      ['numbers', new Float64Array([0.5])],
      ['a view', new DataView(new ArrayBuffer(2))],
      ['shared octets', new SharedArrayBuffer(2)],
      ['an expression', /x/],
      ['an error', new TypeError('x')],
    ] as const,
    (_, value) => {
      assert.is(describeUncloneable(value, 'it'), undefined)
      const arrived = structuredClone(value)
      assert.equal(arrived, value)
      assert.is(classOf(arrived), classOf(value))
    },
  )
  test('a large byte array, without reading its elements', () => {
    const octets = new Uint8Array(2 ** 26)
    const begun = process.cpuUsage()
    assert.is(describeUncloneable({ octets }, 'it'), undefined)
    assert.ok(process.cpuUsage(begun).user < 1e6)
  })
  test('a record without a prototype', () =>
    assert.is(describeUncloneable(Object.assign(Object.create(null), { a: 1 }), 'it'), undefined))
  test('a circular reference', () => {
    const round: Record<string, unknown> = { a: 1 }
    round['self'] = round
    assert.is(describeUncloneable(round, 'it'), undefined)
  })
})

describe('describeUncloneable: values that cannot be cloned unchanged', (test) => {
  table(
    test,
    [
      ['a function', () => 1, 'it is a function'],
      ['a symbol', Symbol('x'), 'it is a symbol'],
      ['an instance', new Point(), 'it is an instance of Point'],
      ['a URL', new URL('http://a/'), 'it is an instance of URL'],
      ['a buffer', Buffer.from('x'), 'it is an instance of Buffer'],
      ['an error of its own class', new NotFound(), 'it is an instance of NotFound'],
      ['a list of its own class', [List.of(1)], 'it[0] is an instance of List'],
      ['a proxy', { a: new Proxy({}, {}) }, 'it.a is a proxy'],
      ['a promise', Promise.resolve(), 'it is an instance of Promise'],
      ['a member', { a: { b: [0, new Point()] } }, 'it.a.b[1] is an instance of Point'],
      ['a value of a map', new Map([['a', () => 1]]), 'it is a function'],
      ['a key of a map', new Map([[new Point(), 1]]), 'it is an instance of Point'],
      ['a member of a set', new Set([new Point()]), 'it is an instance of Point'],
    ] as const,
    (_, value, said) => assert.is(describeUncloneable(value, 'it'), said),
  )
})
