import * as assert from 'uvu/assert'
import {
  defaultConfiguration,
  resolve,
  resolveExpression,
  type ExpressionError,
  type LookupProperty,
} from '../../../src/compiler/settings/resolve-expressions.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe, table, law } from '../../support/describe.ts'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as Expression from '../../../src/compiler/settings/resolve-expressions.ts'
import * as E from 'fp-ts/lib/Either.js'

describe('defaultConfiguration', (test) => {
  const { profile, property } = defaultConfiguration({ ...defaultSettings, 'fw.rest.path': '/api' })
  test('has the profile prod', () => assert.is(profile, 'prod'))
  table(
    test,
    [
      ['fw.rest.path', '/api'],
      ['fw.http.read-timeout', '1m'],
      ['fw.http.limits.max-connections', '80%'],
      ['features.beta', undefined],
      ['toString', undefined],
    ] as const,
    (name, text) => assert.is(property(name), text),
  )
})

const reference = (
  name: Expression.ExpressionTemplate,
  fallback?: Expression.ExpressionTemplate,
): Expression.PropertyReference => ({ name, fallback: O.fromNullable(fallback) })

describe('parseExpression', (test) => {
  table(
    test,
    [
      ['', O.some([])],
      ['plain', O.some(['plain'])],
      ['${a}', O.some([reference(['a'])])],
      ['${a.b-c}', O.some([reference(['a.b-c'])])],
      ['${a:b}', O.some([reference(['a'], ['b'])])],
      ['${a:}', O.some([reference(['a'], [])])],
      ['${a:b:c}', O.some([reference(['a'], ['b', ':', 'c'])])],
      ['x${a}y${b}z', O.some(['x', reference(['a']), 'y', reference(['b']), 'z'])],
      ['${a:${b:c}}', O.some([reference(['a'], [reference(['b'], ['c'])])])],
      ['${a${b}}', O.some([reference(['a', reference(['b'])])])],
      ['${a:{"b":{}}}', O.some([reference(['a'], ['{', '"b"', ':', '{', '}', '}'])])],
      ['$${a}', O.some(['${', 'a', '}'])],
      ['$${a', O.some(['${', 'a'])],
      ['${a:$${b}}', O.some([reference(['a'], ['${', 'b', '}'])])],
      ['$', O.some(['$'])],
      ['$a {b} }{', O.some(['$', 'a ', '{', 'b', '}', ' ', '}', '{'])],
      ['$$$${a}', O.some(['$', '$', '${', 'a', '}'])],
      ['${a', O.none],
      ['${a:b', O.none],
      ['${a:{}', O.none],
      ['${a:${b}', O.none],
      ['${', O.none],
    ] as const,
    (text, expected) => assert.equal(Expression.parseExpression(text), expected),
  )

  law(
    test,
    'parses any text, and preserves text without expressions',
    fc.array(fc.constantFrom('$', '{', '}', ':', 'a', ' '), { size: 'medium' }),
    (characters) => {
      const text = characters.join('')
      const parsed = Expression.parseExpression(text)
      if (!text.includes('${'))
        assert.equal(
          O.map((parts: Expression.ExpressionTemplate) => parts.map(String).join(''))(parsed),
          O.some(text),
        )
    },
  )
})

const texts: ReadonlyMap<string, string> = new Map([
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
    : O.map((text: string) => ({ text, literal: false }))(O.fromNullable(texts.get(name)))

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
      ['${empty:x}', E.right('')], // an empty value is not missing
      ['${nowhere:x}', E.right('x')],
      ['${nowhere:}', E.right('')],
      ['${nowhere:${nothing:${port}}}', E.right('80')],
      ['${${profile}}', E.right('80')],
      ['${port:${nowhere}}', E.right('80')], // an unused default is not resolved
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

  test('keeps literal text unchanged', () =>
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
      ['a ${shell}', E.right('a ${debian')], // values of properties are resolved already
      ['${role.guest}', E.left(['define role.guest, or add a default: ${role.guest:…}'])],
      [
        '${a}${b}',
        E.left(['define a, or add a default: ${a:…}', 'define b, or add a default: ${b:…}']),
      ],
      ['${role.admin', E.left(['close every ${ with a }, or escape a literal ${ as $${'])],
    ] as const,
    (text, expected) =>
      assert.equal(
        resolveExpression(text, (name) => properties.get(name)),
        expected,
      ),
  )
  test('a text that equals the name of a property is not a cycle', () =>
    assert.equal(
      resolveExpression('${role}', (name) => (name === 'role' ? 'x' : undefined)),
      E.right('x'),
    ))
})
