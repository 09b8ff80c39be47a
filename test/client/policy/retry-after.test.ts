import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as HttpDate from '../../../src/http/http-date.ts'
import { parseRetryAfter } from '../../../src/client/policy/retry.ts'
import { describe, law, table } from '../../support/describe.ts'

const now = Date.UTC(1999, 11, 31, 23, 59, 0)

describe('parseRetryAfter', (test) => {
  table(
    test,
    [
      ['120', 120_000], // RFC 9110, section 10.2.3
      ['Fri, 31 Dec 1999 23:59:59 GMT', 59_000], // RFC 9110, section 10.2.3
      ['0', 0],
      ['007', 7000],
      ['Fri, 31 Dec 1999 23:58:00 GMT', 0], // a date in the past
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
    (text, expected) => assert.is(O.toUndefined(parseRetryAfter(text, now)), expected),
  )
  law(test, 'converts a date to the milliseconds until it', fc.nat({ max: 1e9 }), (seconds) =>
    assert.equal(
      parseRetryAfter(HttpDate.format(new Date(now + seconds * 1000)), now),
      O.some(seconds * 1000),
    ),
  )
  law(test, 'never throws and never returns a negative delay', fc.string(), (text) =>
    assert.ok(O.getOrElse(() => 0)(parseRetryAfter(text, now)) >= 0),
  )
})
