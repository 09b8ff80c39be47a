import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { date, instant } from '../../../src/codec/temporal/date-time.ts'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import { describe, law, roundTrip, table } from '../../support/describe.ts'
import { anyInstant, decodesTo } from './date-time-tables.ts'

/** Dates in the whole range of `Date`. */
const anyDate = fc.integer({ min: -8.64e15, max: 8.64e15 }).map((time) => new Date(time))

describe('date', (test) => {
  decodesTo(test, date, [
    ['2024-01-31T10:15:30Z', '2024-01-31T10:15:30.000Z'],
    ['2024-01-31T10:15:30.5Z', '2024-01-31T10:15:30.500Z'],
    ['2024-01-31T10:15+01:00', '2024-01-31T09:15:00.000Z'],
    ['2024-01-31T23:15:30-05:30', '2024-02-01T04:45:30.000Z'],
    ['2024-01-31t10:15:30z', '2024-01-31T10:15:30.000Z'],
    ['2024-01-31T10:15:30.123999999Z', '2024-01-31T10:15:30.123Z'],
    ['1969-12-31T23:59:59.999999999Z', '1969-12-31T23:59:59.999Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
    ['2024-01-31 10:15:30.5+0100', '2024-01-31T09:15:30.500Z'],
    ['2024-01-31T10:15:30,25+01', '2024-01-31T09:15:30.250Z'],
    ['2024-01-31T10:15:30+01:00[Europe/Paris]', '2024-01-31T09:15:30.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['+275760-09-13T00:00:00Z', '+275760-09-13T00:00:00.000Z'],
    ['-271821-04-20', '-271821-04-20T00:00:00.000Z'],
    ['-000001-01-01', '-000001-01-01T00:00:00.000Z'],
  ])
  table(
    test,
    [
      ['a time without an offset', '2024-01-31T10:15:30'],
      ['a date that does not exist', '2023-02-29'],
      ['an hour that does not exist', '2024-01-31T24:00:00Z'],
      ['a date without separators', '20240131'],
      ['a month', '2024-01'],
      ['surrounding space', ' 2024-01-31'],
      ['a text for people', 'Wed, 31 Jan 2024 10:15:30 GMT'],
      ['a year of five digits without a sign', '12024-01-31'],
      ['a time after the range', '+275760-09-13T00:00:00.001Z'],
      ['a time before the range', '-271821-04-19T23:59:59.999Z'],
      ['a number', 1706696130000],
      ['a Date', new Date(0)],
      ['null', null],
      ['an empty text', ''],
    ] as ReadonlyArray<[string, unknown]>,
    (_, input) => assert.ok(E.isLeft(date.decode(input))),
  )
  test('accepts valid values of Date only', () => {
    const foreign: unknown = runInNewContext('new Date(0)')
    const values = [new Date(0), foreign, new Date(Number.NaN), 0, '2024-01-31', {}]
    assert.equal(values.map(date.is), [true, true, false, false, false, false])
  })
  test('throws a RangeError if an invalid Date is encoded', () =>
    assert.throws(() => date.encode(new Date(Number.NaN)), RangeError))
  roundTrip(
    test,
    anyDate,
    date.encode,
    (text) => date.decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
  law(test, 'encodes like JSON.stringify', anyDate, (value) =>
    assert.is(JSON.stringify(date.encode(value)), JSON.stringify(value)),
  )
  law(test, 'decodes instants, without microseconds and nanoseconds', anyInstant, (value) =>
    assert.equal(
      pipe(
        date.decode(instant.encode(value)),
        E.map((decoded) => decoded.getTime()),
      ),
      E.right(value.epochMilliseconds),
    ),
  )
  test('dateFormat changes the text', () => {
    const german = dateFormat('dd.MM.yyyy HH:mm X')(date)
    const decoded = german.decode('31.01.2024 10:15 +01')
    assert.equal(decoded, E.right(new Date('2024-01-31T09:15:00Z')))
    assert.is(pipe(decoded, E.map(german.encode), E.toUnion), '31.01.2024 09:15 Z')
    assert.throws(() => dateFormat('dd.MM.yyyy')(date), RangeError)
  })
})
