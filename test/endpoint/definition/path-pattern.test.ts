import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import * as Template from '../../../src/endpoint/definition/path-template.ts'
import type {
  Pattern,
  Precedence,
  SegmentPattern,
} from '../../../src/endpoint/definition/path-pattern.ts'
import {
  comparePrecedence,
  compositeExpressions,
  compilePattern,
} from '../../../src/endpoint/definition/path-pattern.ts'
import { describe, table } from '../../support/describe.ts'

const parsed = (template: string): Template.Template => {
  const result = Template.parse(template)
  if (E.isLeft(result)) throw new Error(result.left)
  return result.right
}
const pattern = (template: string, spanning: ReadonlyArray<string> = []): Pattern =>
  compilePattern(parsed(template), new Set(spanning))

const literal = (text: string): SegmentPattern => ({ _tag: 'Text', text })
const one: SegmentPattern = { _tag: 'One' }

/** Returns the tags of the segments; `Spanning` for expressions that span segments. */
const shape = (template: string, spanning: ReadonlyArray<string> = []): string =>
  pattern(template, spanning)
    .segments.map((segment) =>
      segment._tag === 'Expression' && segment.spans ? 'Spanning' : segment._tag,
    )
    .join(' ')

describe('compilePattern: segments', (test) => {
  table<readonly [string, ReadonlyArray<SegmentPattern>]>(
    test,
    [
      ['/', []],
      ['', []],
      ['/a', [literal('a')]],
      ['/a/b/', [literal('a'), literal('b')]], // a slash at the end makes no difference
      ['/a/{x}', [literal('a'), one]],
      ['/{x}/{y}', [one, one]],
      ['/caf%C3%A9', [literal('café')]], // compared decoded
      ['/100%', [literal('100%')]], // not an escape
    ],
    (template, expected) => assert.equal(pattern(template).segments, expected),
  )
  table(
    test,
    [
      ['/{x}', 'One'],
      ['/a{x}', 'Expression'],
      ['/{x}{y}', 'Expression'],
      ['/{x:a}', 'Spanning'],
      ['/a{x:b}c/d', 'Spanning Text'],
      ['/a/{x:.*}/{y}', 'Text Spanning One'],
    ] as const,
    (template, expected) => assert.is(shape(template), expected),
  )
  test('a variable with a codec of several segments is Rest', () => {
    assert.is(shape('/a/{rest}/{x}', ['rest']), 'Text Rest One')
    assert.is(shape('/a-{rest}', ['rest']), 'Expression') // not within a segment
  })
})

describe('compilePattern: expression of a segment', (test) => {
  table(
    test,
    [
      ['/prefix-{id}', 'prefix-1', ['1']],
      ['/prefix-{id}', 'prefix-', undefined], // a variable is not empty
      ['/prefix-{id}', 'Prefix-1', undefined],
      ['/{id}Other', 'aOther', ['a']],
      ['/{name}.{ext}', 'a.b.c', ['a', 'b.c']], // the first variable is lazy
      ['/{a}{b}', 'xyz', ['x', 'yz']],
      ['/v{n}(beta)', 'v1(beta)', ['1']], // special characters are literal
      ['/a.c{x}', 'abcd', undefined],
      ['/caf%C3%A9-{x}', 'café-1', ['1']],
      ['/{id:\\d+}', '12', ['12']],
      ['/{id:\\d+}', '12a', undefined], // the expression matches the whole value
      ['/{id:a|b}', 'b', ['b']], // also with an alternation
      ['/{id:a|b}', 'bc', undefined],
      ['/{d:(\\d)-(\\d)}.{e}', '1-2.x', ['1-2', 'x']], // capturing groups in the template are ignored
      ['/{a:(?<g>x)}{b:y}', 'xy', ['x', 'y']],
      ['/{c:.}', '😀', ['😀']], // a whole code point
      ['/{p:\\p{Lu}+}', 'ÀÉ', ['ÀÉ']],
    ] as const,
    (template, text, expected) => {
      const [segment] = pattern(template).segments
      assert.ok(segment?._tag === 'Expression')
      const groups = segment.expression.exec(text)?.groups
      assert.equal(
        groups === undefined
          ? undefined
          : Array.from({ length: segment.groups }, (_, position) => groups[`espalier${position}`]),
        expected,
      )
    },
  )
})

describe('compilePattern: key', (test) => {
  table(
    test,
    [
      ['/a/{x}', '/a/{y}', true], // names make no difference
      ['/a', '/a/', true],
      ['/a', '/%61', true],
      ['/{x:\\d+}', '/{y:\\d+}', true],
      ['/a', '/A', false],
      ['/a', '/{a}', false],
      ['/{x}', '/{x:.+}', false],
      ['/a{x}', '/{x}a', false],
      ['/a/b', '/a%2Fb', false],
      ['/%7B%7D', '/{x}', false],
      ['/%7B%2B%7D', '/{x}', false],
    ] as const,
    (a, b, same) => assert.is(pattern(a).key === pattern(b).key, same, b),
  )
  test('the key differs for variables that span segments', () => {
    assert.is.not(pattern('/{x}', ['x']).key, pattern('/{x}').key)
    assert.is.not(pattern('/{x}', ['x']).key, pattern('/%7B%2B%7D').key)
  })
})

// literal characters, then no variables at all, then the number of variables, then of expressions
describe('comparePrecedence', (test) => {
  table<readonly [string, Precedence]>(
    test,
    [
      ['/', { literals: 1, variables: 0, expressions: 0 }],
      ['/caf%C3%A9', { literals: 5, variables: 0, expressions: 0 }], // decoded
      ['/abc/{x}', { literals: 5, variables: 1, expressions: 0 }],
      ['/{x}/{y:\\d}-{z:a}', { literals: 3, variables: 3, expressions: 2 }],
    ],
    (template, expected) => assert.equal(pattern(template).precedence, expected),
  )
  table(
    test,
    [
      ['/a/b before /a/{x}', '/a/b', '/a/{x}'],
      ['/aa/{x} before /a/{x:aa}', '/aa/{x}', '/a/{x:aa}'],
      ['/a before /a{x:.*}', '/a', '/a{x:.*}'], // a path that is the template itself
      ['/a/{x}{y} before /a/{x}', '/a/{x}{y}', '/a/{x}'],
      ['/a/{x:\\d+} before /a/{x}', '/a/{x:\\d+}', '/a/{x}'],
      ['/{x}/{y} before /{x:.*}', '/{x}/{y}', '/{x:.*}'],
    ] as const,
    (_, first, second) => {
      const [a, b] = [pattern(first).precedence, pattern(second).precedence]
      assert.ok(comparePrecedence(a, b) < 0 && comparePrecedence(b, a) > 0)
      assert.is(comparePrecedence(a, a), 0)
    },
  )
})

describe('compositeExpressions', (test) => {
  table<readonly [string, number]>(
    test,
    [
      ['/a/{x}/{y:\\d+}', 0], // the only part of their segments
      ['/a{x}/{y}-{z:\\d+}/b', 2],
    ],
    (template, expected) => assert.is(compositeExpressions(parsed(template)).length, expected),
  )
  test('equals the expression of the compiled segment', () => {
    const [segment] = pattern('/{y}-{z:\\d+}').segments
    assert.ok(segment?._tag === 'Expression')
    assert.equal(compositeExpressions(parsed('/{y}-{z:\\d+}')), [segment.source])
  })
})
