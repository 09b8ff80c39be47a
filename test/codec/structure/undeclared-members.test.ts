import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  stripUndeclared,
  undeclaredMessage,
} from '../../../src/codec/structure/undeclared-members.ts'
import { describe, table } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

const codec = t.type({ a: hex })
const isA = (name: string): boolean => name === 'a'
const isZ = (name: string): boolean => name === 'z'
const { validate, encode } = stripUndeclared(codec, isA, isZ)

describe('confined', (test) => {
  test('hides members that are not declared', () => {
    assert.equal(validate({ y: 0, a: 'f' }, []), E.right({ a: 15 }))
    assert.equal(encode({ y: 0, a: 15, z: 0 }), { a: 'f' })
  })
  test('refuses those that it is told to, after the errors of the codec', () => {
    const result = validate({ z: 1, y: 0, a: '?' }, [{ key: '', type: codec }])
    assert.equal(
      E.isLeft(result) &&
        result.left.map(({ value, message, context }) => [
          value,
          message,
          context.map(({ key }) => key),
        ]),
      [
        ['?', undefined, ['', 'a']],
        [1, undeclaredMessage, ['', 'z']],
      ],
    )
  })
  test('refuses even if the codec accepts', () =>
    assert.ok(E.isLeft(validate({ a: 'f', z: 0 }, []))))
  test('gives the codec the object itself when there is nothing to hide', () => {
    const whole = stripUndeclared(t.UnknownRecord, isA, isZ)
    const value = { a: 1 }
    assert.is(whole.encode(value), value)
    assert.equal(whole.encode({ b: 1, a: 1 }), { a: 1 })
  })
  table(test, [[null], [undefined], [1], ['a'], [['a']]] as const, (value) => {
    const whole = stripUndeclared(t.unknown, isA, isZ)
    assert.equal(whole.validate(value, []), E.right(value))
    assert.is(whole.encode(value), value)
  })
})
