import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as EntityTag from '../../src/http/entity-tag.ts'
import { describe, roundTrip, table } from '../support/describe.ts'

const tag = (opaque: string, weak = false): EntityTag.EntityTag => ({ weak, opaque })

describe('EntityTag.parse', (test) => {
  table(
    test,
    [
      ['"xyzzy"', O.some(tag('xyzzy'))], // the first three are from RFC 9110, 8.8.3
      ['W/"xyzzy"', O.some(tag('xyzzy', true))],
      ['""', O.some(tag(''))],
      ['"a,b"', O.some(tag('a,b'))], // a comma is an etagc
      ['w/"xyzzy"', O.none], // %s: case-sensitive
      ['"a"b"', O.none],
      ['"a b"', O.none], // no space in etagc
      ['xyzzy', O.none],
      ['', O.none],
    ] as const,
    (text, expected) => assert.equal(EntityTag.parse(text), expected),
  )
})

describe('EntityTag.from', (test) => {
  table<readonly [string, string | EntityTag.EntityTag, EntityTag.EntityTag]>(
    test,
    [
      ['a string is a strong tag', 'v1', tag('v1')],
      ['an empty string', '', tag('')],
      ['all kinds of characters', '!#~\x80\xff', tag('!#~\x80\xff')],
      ['a weak tag', tag('v1', true), tag('v1', true)],
    ],
    (_, from, expected) => assert.equal(EntityTag.from(from), expected),
  )
  table<readonly [string, string | EntityTag.EntityTag]>(
    test,
    [
      ['a quoted tag', '"v1"'],
      ['a weak tag as text', 'W/"v1"'],
      ['a quote', 'a"b'],
      ['a space', 'v 1'],
      ['a control character', 'v\x7f'],
      ['a line feed at the end', 'v1\n'],
      ['a character above U+00FF', 'v€'],
      ['a quoted opaque part', tag('"v1"', true)],
      ['a number', JSON.parse('7')],
      ['null', JSON.parse('null')],
      ['no opaque part', JSON.parse('{"weak":true}')],
    ],
    (_, from) =>
      assert.throws(
        () => EntityTag.from(from),
        (error: unknown) =>
          error instanceof TypeError &&
          error.message.startsWith(
            'invalid entity tag: pass the opaque part without quotes and spaces, such as v1',
          ),
      ),
  )
})

// RFC 9110, 8.8.3.2: the table of comparisons
describe('EntityTag.equalsStrong and equalsWeak', (test) => {
  table(
    test,
    [
      ['W/"1" and W/"1"', tag('1', true), tag('1', true), false, true],
      ['W/"1" and W/"2"', tag('1', true), tag('2', true), false, false],
      ['W/"1" and "1"', tag('1', true), tag('1'), false, true],
      ['"1" and "1"', tag('1'), tag('1'), true, true],
    ] as const,
    (_, a, b, strong, weak) => {
      assert.is(EntityTag.equalsStrong(a, b), strong)
      assert.is(EntityTag.equalsWeak(a, b), weak)
    },
  )
})

describe('EntityTag', (test) => {
  const entityTag = fc.record(
    { weak: fc.boolean(), opaque: fc.stringMatching(/^[\x21\x23-\x7e]*$/) },
    { noNullPrototype: true },
  )
  roundTrip(test, entityTag, EntityTag.format, EntityTag.parse, (actual, expected) =>
    assert.equal(actual, O.some(expected)),
  )
})
