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
      ['undefined', undefined],
      ['null', null],
      ['a string', 'x'],
      ['a bigint', 1n],
      ['a record', { a: { b: [1, null] } }],
      ['a map of sets', new Map([['a', new Set([new Date(0)])]])],
      ['bytes', new Uint8Array(2)],
      ['numbers', new Float64Array([0.5])],
      ['a view', new DataView(new ArrayBuffer(2))],
      ['shared memory', new SharedArrayBuffer(2)],
      ['a regular expression', /x/],
      ['an error', new TypeError('x')],
    ] as const,
    (_, value) => {
      assert.is(describeUncloneable(value, 'it'), undefined)
      const cloned = structuredClone(value)
      assert.equal(cloned, value)
      assert.is(classOf(cloned), classOf(value))
    },
  )
  test('a large byte array, without reading its elements', () => {
    const bytes = new Uint8Array(2 ** 26)
    const start = process.cpuUsage()
    assert.is(describeUncloneable({ bytes }, 'it'), undefined)
    assert.ok(process.cpuUsage(start).user < 1e6)
  })
  test('a record without a prototype', () =>
    assert.is(describeUncloneable(Object.assign(Object.create(null), { a: 1 }), 'it'), undefined))
  test('a circular reference', () => {
    const circular: Record<string, unknown> = { a: 1 }
    circular['self'] = circular
    assert.is(describeUncloneable(circular, 'it'), undefined)
  })
})

describe('describeUncloneable: values that cannot be cloned unchanged', (test) => {
  table(
    test,
    [
      ['a function', () => 1, 'it is a function'],
      ['a symbol', Symbol('x'), 'it is a symbol'],
      [
        'an instance',
        new Point(),
        'it is an instance of Point, which structured cloning does not preserve',
      ],
      [
        'a URL',
        new URL('http://a/'),
        'it is an instance of URL, which structured cloning does not preserve',
      ],
      [
        'a buffer',
        Buffer.from('x'),
        'it is an instance of Buffer, which structured cloning does not preserve',
      ],
      [
        'an error of a subclass',
        new NotFound(),
        'it is an instance of NotFound, which structured cloning does not preserve',
      ],
      [
        'an array of a subclass',
        [List.of(1)],
        'it[0] is an instance of List, which structured cloning does not preserve',
      ],
      [
        'a proxy',
        { a: new Proxy({}, {}) },
        'it.a is a Proxy object, which structured cloning does not support',
      ],
      [
        'a promise',
        Promise.resolve(),
        'it is an instance of Promise, which structured cloning does not preserve',
      ],
      [
        'a member',
        { a: { b: [0, new Point()] } },
        'it.a.b[1] is an instance of Point, which structured cloning does not preserve',
      ],
      ['a value of a map', new Map([['a', () => 1]]), 'it is a function'],
      [
        'a key of a map',
        new Map([[new Point(), 1]]),
        'it is an instance of Point, which structured cloning does not preserve',
      ],
      [
        'a member of a set',
        new Set([new Point()]),
        'it is an instance of Point, which structured cloning does not preserve',
      ],
    ] as const,
    (_, value, reason) => assert.is(describeUncloneable(value, 'it'), reason),
  )
})
