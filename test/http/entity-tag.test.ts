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
