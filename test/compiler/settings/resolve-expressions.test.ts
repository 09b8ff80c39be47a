import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  resolve,
  resolveExpression,
  type ExpressionError,
  type LookupProperty,
} from '../../../src/compiler/settings/resolve-expressions.ts'
import { describe, table } from '../../support/describe.ts'

const held: ReadonlyMap<string, string> = new Map([
  ['host', 'localhost'],
  ['port', '80'],
  ['empty', ''],
  ['url', 'http://${host}:${port}'],
  ['profile', 'port'],
  ['open', '${host'],
  ['lost', '${nowhere}'],
  ['a', '${b}'],
  ['b', '${c}'],
  ['c', '${a}'],
  ['self', '${self:1}'],
])
const lookup: LookupProperty = (name) =>
  name === 'PS1'
    ? O.some({ text: '${shell', literal: true })
    : O.map((text: string) => ({ text, literal: false }))(O.fromNullable(held.get(name)))

const missing = (name: string, property = 'test'): ExpressionError => ({
  _tag: 'Missing',
  properties: [property],
  name,
})
const cycle: ExpressionError = { _tag: 'Cycle', properties: ['a', 'b', 'c'] }

describe('resolve', (test) => {
  table(
    test,
    [
      ['plain', E.right('plain')],
      ['${url}/x', E.right('http://localhost:80/x')],
      ['${empty:x}', E.right('')], // empty is not missing
      ['${nowhere:x}', E.right('x')],
      ['${nowhere:}', E.right('')],
      ['${nowhere:${nothing:${port}}}', E.right('80')],
      ['${${profile}}', E.right('80')],
      ['${port:${nowhere}}', E.right('80')], // a default that is not needed may be wrong
      ['${port:${a}}', E.right('80')],
      ['$${port}', E.right('${port}')],
      ['${nowhere:{"a":{}}}', E.right('{"a":{}}')],
      ['${PS1}', E.right('${shell')],
      ['${nowhere}', E.left([missing('nowhere')])],
      ['${x} ${y}', E.left([missing('x'), missing('y')])],
      ['${lost}', E.left([missing('nowhere', 'lost')])],
      ['${nowhere:${nothing}}', E.left([missing('nothing')])],
      ['${host', E.left([{ _tag: 'Unbalanced', properties: ['test'] }])],
      ['${open}', E.left([{ _tag: 'Unbalanced', properties: ['open'] }])],
      ['${a}', E.left([cycle])],
      ['${b}', E.left([cycle])],
      ['${c}', E.left([cycle])],
      ['${self}', E.left([{ _tag: 'Cycle', properties: ['self'] }])],
      ['${test}', E.left([missing('test')])],
    ] as const,
    (text, expected) => assert.equal(resolve(lookup)('test')({ text, literal: false }), expected),
  )

  test('takes literal text as it is', () =>
    assert.equal(resolve(lookup)('test')({ text: '${port}', literal: true }), E.right('${port}')))
})

describe('resolveExpression', (test) => {
  const properties: ReadonlyMap<string, string> = new Map([
    ['role.admin', 'root'],
    ['shell', '${debian'],
  ])
  table(
    test,
    [
      ['admin', E.right('admin')],
      ['${role.admin}', E.right('root')],
      ['${role.admin:admin}', E.right('root')],
      ['${role.guest:guest}', E.right('guest')],
      ['${role.guest:${role.admin}}', E.right('root')],
      ['a ${shell}', E.right('a ${debian')], // what a property holds is resolved already
      ['${role.guest}', E.left(['define role.guest, or write a default: ${role.guest:…}'])],
      [
        '${a}${b}',
        E.left(['define a, or write a default: ${a:…}', 'define b, or write a default: ${b:…}']),
      ],
      ['${role.admin', E.left(['close every ${ with a }, or write $${ where ${ is text'])],
    ] as const,
    (text, expected) =>
      assert.equal(
        resolveExpression(text, (name) => properties.get(name)),
        expected,
      ),
  )
  test('a text that is a name by chance is no cycle', () =>
    assert.equal(
      resolveExpression('${role}', (name) => (name === 'role' ? 'x' : undefined)),
      E.right('x'),
    ))
})
