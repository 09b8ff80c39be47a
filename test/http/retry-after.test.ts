import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as HttpDate from '../../src/http/http-date.ts'
import * as RetryAfter from '../../src/http/retry-after.ts'
import { describe, law, table } from '../support/describe.ts'

const now = Date.UTC(1999, 11, 31, 23, 59, 0)

describe('RetryAfter.parse', (test) => {
  table(
    test,
    [
      ['120', 120_000], // RFC 9110, 10.2.3
      ['Fri, 31 Dec 1999 23:59:59 GMT', 59_000], // the same
      ['0', 0],
      ['007', 7000],
      ['Fri, 31 Dec 1999 23:58:00 GMT', 0], // has passed
      ['Friday, 31-Dec-99 23:59:30 GMT', 30_000],
      ['9'.repeat(400), Infinity],
      ['-1', undefined],
      ['1.5', undefined],
      ['1s', undefined],
      [' 1', undefined],
      ['', undefined],
      ['soon', undefined],
      ['1999-12-31T23:59:59Z', undefined],
    ] as const,
    (text, expected) => assert.is(O.toUndefined(RetryAfter.parse(text, now)), expected),
  )
  law(test, 'a date is as many milliseconds away as it is', fc.nat({ max: 1e9 }), (seconds) =>
    assert.equal(
      RetryAfter.parse(HttpDate.format(new Date(now + seconds * 1000)), now),
      O.some(seconds * 1000),
    ),
  )
  law(test, 'never throws, and never gives less than 0', fc.string(), (text) =>
    assert.ok(O.getOrElse(() => 0)(RetryAfter.parse(text, now)) >= 0),
  )
})
