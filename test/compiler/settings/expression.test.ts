import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Expression from '../../../src/compiler/settings/expression.ts'
import { describe, law, table } from '../../support/describe.ts'

const reference = (
  name: Expression.ExpressionTemplate,
  fallback?: Expression.ExpressionTemplate,
): Expression.PropertyReference => ({ name, fallback: O.fromNullable(fallback) })

describe('Expression.parse', (test) => {
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
    'keeps text without expressions, and reads any text',
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
