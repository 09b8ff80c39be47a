import * as assert from 'uvu/assert'
import * as ContentRange from '../../src/http/content-range.ts'
import { describe, table } from '../support/describe.ts'

describe('ContentRange', (test) => {
  table(
    test,
    [
      ['bytes 42-1233/1234', { offset: 42, length: 1192 }, 1234], // RFC 9110, 14.4
      ['bytes 0-0/1', { offset: 0, length: 1 }, 1],
    ] as const,
    (expected, slice, size) => assert.is(ContentRange.format(slice, size), expected),
  )
  test('formatUnsatisfied writes the complete length', () =>
    assert.is(ContentRange.formatUnsatisfied(1234), 'bytes */1234'))
})
