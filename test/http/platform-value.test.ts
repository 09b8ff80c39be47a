import { runInNewContext } from 'node:vm'
import * as assert from 'uvu/assert'
import * as Value from '../../src/http/platform-value.ts'
import { describe, table } from '../support/describe.ts'

/** Evaluates an expression in another realm. */
const foreign = (expression: string): unknown => runInNewContext(`(${expression})`)

describe('predicates of values of the platform', (test) => {
  const predicates: ReadonlyArray<
    readonly [
      name: string,
      is: (value: unknown) => boolean,
      own: ReadonlyArray<unknown>,
      expressions: ReadonlyArray<string>,
      others: ReadonlyArray<unknown>,
    ]
  > = [
    [
      'isObject',
      Value.isObject,
      [{}, [], Object.create(null), new Date(0)],
      ['({})', '[]'],
      [null, undefined, 'a', () => 1],
    ],
    [
      'isTagged',
      (value) => Value.isTagged(value, 'Reply'),
      [{ _tag: 'Reply' }],
      ['({ _tag: "Reply" })'],
      [{ _tag: 'Endpoint' }, {}, null, 'Reply', Object.assign(() => 1, { _tag: 'Reply' })],
    ],
    [
      'isError',
      Value.isError,
      [new Error('a'), new (class A extends Error {})(), new DOMException('a', 'AbortError')],
      ['new Error("a")', 'new RangeError("a")', 'new (class A extends TypeError {})()'],
      [undefined, null, 'Error', { name: 'Error', message: 'a' }, Object.create(null)],
    ],
    [
      'isBytes',
      Value.isBytes,
      [new Uint8Array(1), Buffer.from('a')],
      ['new Uint8Array(1)', 'new (class A extends Uint8Array {})(1)'],
      ['a', [1], new Uint16Array(1), new DataView(new ArrayBuffer(1)), new ArrayBuffer(1), null],
    ],
    [
      'isArrayBuffer',
      Value.isArrayBuffer,
      [new ArrayBuffer(1)],
      ['new ArrayBuffer(1)'],
      [new SharedArrayBuffer(1), new Uint8Array(1), null],
    ],
    [
      'isThenable',
      Value.isThenable,
      [Promise.resolve(1)],
      ['Promise.resolve(1)', '({ then() {} })'],
      [{ next: 1 }, undefined, () => 1],
    ],
    [
      'isPromise',
      Value.isPromise,
      [Promise.resolve(1)],
      ['Promise.resolve(1)', '(async () => 1)()'],
      [{ _tag: 'Right', right: Promise.resolve(1) }, undefined],
    ],
    ['isDate', Value.isDate, [new Date(0)], ['new Date(0)'], [0, '1970-01-01', {}]],
    ['isMap', Value.isMap, [new Map()], ['new Map()'], [new WeakMap(), new Set(), {}]],
    ['isSet', Value.isSet, [new Set()], ['new Set([1])'], [new Map(), [], 'a']],
    ['isRegExp', Value.isRegExp, [/a/], ['/a/'], ['/a/', {}]],
    ['isUrl', Value.isUrl, [new URL('http://a/')], [], ['http://a/', {}]],
    ['isBlob', Value.isBlob, [new Blob([]), new File([], 'a')], [], [new Uint8Array(1), {}]],
    ['isRequest', Value.isRequest, [new Request('http://a/')], [], [new Response(), 'http://a/']],
    [
      'isReadableStream',
      Value.isReadableStream,
      [new Blob([]).stream()],
      [],
      [new WritableStream()],
    ],
    [
      'isPlainObject',
      Value.isPlainObject,
      [{}, Object.create(null), JSON.parse('{"__proto__":{}}')],
      ['{}', '{ hasOwnProperty: 1 }'],
      [[], new Date(0), new URL('http://a'), null, Object.create({}), new Map()],
    ],
  ]
  for (const [name, is, own, expressions, others] of predicates) {
    test(`${name} accepts values of its class`, () => assert.ok(own.every(is)))
    test(`${name} accepts values of another realm`, () =>
      assert.ok(expressions.map(foreign).every(is)))
    test(`${name} rejects other values`, () => assert.not.ok(others.some(is)))
  }
})

describe('classes of errors', (test) => {
  class OutOfRange extends RangeError {
    override readonly name = 'OutOfRange'
  }
  table(
    test,
    [
      [new RangeError('a'), 'RangeError', true],
      [new OutOfRange('a'), 'RangeError', true],
      [foreign('new RangeError("a")'), 'RangeError', true],
      [foreign('new RangeError("a")'), 'Error', true],
      [foreign('new (class A extends SyntaxError {})()'), 'SyntaxError', true],
      [new Error('RangeError'), 'RangeError', false],
      [foreign('new RangeError("a")'), 'SyntaxError', false],
      [{ name: 'RangeError' }, 'RangeError', false],
      [undefined, 'Error', false],
    ] as const,
    (value, name, expected) => assert.is(Value.isErrorOf(value, name), expected),
  )
  table(
    test,
    [
      [Error.prototype, foreign('Error.prototype'), true],
      [RangeError.prototype, foreign('RangeError.prototype'), true],
      [RangeError.prototype, foreign('TypeError.prototype'), false],
      [OutOfRange.prototype, foreign('(class OutOfRange extends RangeError {}).prototype'), false],
      [Object.prototype, foreign('Object.prototype'), false],
      [undefined, undefined, true],
    ] as const,
    (a, b, expected) => assert.is(Value.areSamePrototype(a, b), expected),
  )
  test('codeOf returns the code of an error of another realm', () =>
    assert.is(Value.codeOf(foreign('Object.assign(new Error("a"), { code: "ENOENT" })')), 'ENOENT'))
  test('codeOf returns undefined for other values', () =>
    assert.equal([{ code: 'A' }, new Error('a'), null].map(Value.codeOf), [
      undefined,
      undefined,
      undefined,
    ]))
  test('messageOf and toError accept any thrown value', () => {
    assert.equal([new Error('a'), foreign('new Error("b")'), 'c', undefined].map(Value.messageOf), [
      'a',
      'b',
      'c',
      'undefined',
    ])
    assert.is(Value.toError('a').message, 'a')
    const error = foreign('new Error("b")')
    assert.is(Value.toError(error), error)
  })
})
