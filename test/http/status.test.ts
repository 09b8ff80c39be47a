import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Status from '../../src/http/status.ts'
import { describe, law, table } from '../support/describe.ts'

describe('Status.title', (test) => {
  table(
    test,
    [
      [100, 'Continue'], // RFC 9110, 15.2
      [103, 'Early Hints'], // RFC 8297
      [200, 'OK'], // RFC 9110, 15.3
      [203, 'Non-Authoritative Information'],
      [207, 'Multi-Status'], // RFC 4918
      [226, 'IM Used'], // RFC 3229
      [304, 'Not Modified'], // RFC 9110, 15.4
      [308, 'Permanent Redirect'],
      [404, 'Not Found'], // 15.5
      [413, 'Content Too Large'], // "Payload Too Large" in RFC 7231
      [422, 'Unprocessable Content'],
      [429, 'Too Many Requests'], // RFC 6585
      [451, 'Unavailable For Legal Reasons'], // RFC 7725
      [503, 'Service Unavailable'], // RFC 9110, 15.6
      [511, 'Network Authentication Required'], // RFC 6585
      [199, 'Informational'], // unknown codes
      [299, 'Successful'],
      [306, 'Redirection'], // 15.4.7: unused
      [418, 'Client Error'], // 15.5.19: unused
      [499, 'Client Error'],
      [599, 'Server Error'],
      [600, 'Server Error'], // 15: outside 100 to 599
      [99, 'Server Error'],
      [NaN, 'Server Error'],
    ] as const,
    (status, expected) => assert.is(Status.title(status), expected),
  )
})

// isSuccess, isRedirection, isError, allowsBody, isStatus
describe('Status.isSuccess, isRedirection, isError, allowsBody and isStatus', (test) => {
  table(
    test,
    [
      [100, false, false, false, false, false],
      [199, false, false, false, false, false],
      [200, true, false, false, true, true],
      [204, true, false, false, false, true], // RFC 9110, 15.3.5
      [205, true, false, false, false, true], // 15.3.6
      [206, true, false, false, true, true],
      [299, true, false, false, true, true],
      [300, false, true, false, true, true],
      [304, false, true, false, false, true], // 15.4.5
      [399, false, true, false, true, true],
      [400, false, false, true, true, true],
      [500, false, false, true, true, true],
      [600, false, false, true, true, true],
      [999, false, false, true, true, true],
    ] as const,
    (status, ...expected) =>
      assert.equal(
        [
          Status.isSuccess(status),
          Status.isRedirection(status),
          Status.isError(status),
          Status.allowsBody(status),
          Status.isStatus(status),
        ],
        expected,
      ),
  )

  table(test, [[1000], [200.5], [0], [-200], [NaN], [Infinity]] as const, (status) =>
    assert.is(Status.isStatus(status), false),
  )

  law(
    test,
    'each status belongs to exactly one class',
    fc.integer({ min: 200, max: 999 }),
    (status) =>
      assert.is(
        [Status.isSuccess, Status.isRedirection, Status.isError].filter((is) => is(status)).length,
        1,
      ),
  )
})
