import * as assert from 'uvu/assert'
import * as t from 'io-ts'
import {
  bigint,
  between,
  dateFormat,
  decimal,
  instant,
  int,
  lengthBetween,
  list,
  matching,
  offsetDateTime,
  plainDate,
  plainDateTime,
  plainTime,
  set,
  sortedSet,
  string,
  uuid,
  yearMonth,
  zonedDateTime,
} from '../../src/index.ts'
import { expectedTypes } from '../../src/codec/expected-types.ts'
import { describe } from '../support/describe.ts'

describe('expectedTypes', (test) => {
  const rows: ReadonlyArray<readonly [t.Mixed, string]> = [
    [string, 'a string'],
    [int, 'an integer'],
    [bigint, 'an integer'],
    [t.number, 'a number'],
    [t.boolean, 'a boolean'],
    [decimal, 'a decimal number'],
    [uuid, 'a UUID'],
    [plainDate, 'a date'],
    [plainTime, 'a time'],
    [plainDateTime, 'a date and time'],
    [zonedDateTime, 'a date and time with a time zone'],
    [offsetDateTime, 'a date and time with an offset'],
    [instant, 'a date and time with an offset'],
    [yearMonth, 'a year and month'],
    [t.null, 'null'],
    [t.literal('asc'), '"asc"'],
    [t.type({ id: int }), '{ id: int }'],
    [t.type({ id: int }, 'Book'), 'Book'],
    [between(1, 9)(int), 'an integer from 1 to 9'],
    [lengthBetween(2, 5)(string), 'a string of 2 to 5 characters'],
    [matching(/^a+$/)(string), 'a string like ^a+$'],
    [dateFormat('dd/MM/yyyy')(plainDate), 'a date as dd/MM/yyyy'],
    [list(int), 'a list of int'],
    [set(int), 'a set of int'],
    [sortedSet(int), 'a sorted set of int'],
  ]
  rows.forEach(([{ name }, phrase]) =>
    test(`the codec ${name} expects ${phrase}`, () => {
      assert.is(expectedTypes([name]), `must be ${phrase}`)
      assert.is(expectedTypes([name], true), `is required: ${phrase}`)
    }),
  )
  test('joins alternatives, without duplicates and undefined', () =>
    assert.is(expectedTypes(['int', 'bigint', 'undefined', 'null']), 'must be an integer or null'))
})
