import * as assert from 'uvu/assert'
import {
  mergeHeaders,
  sanitizeHeaders,
} from '../../../src/interpreter/response/response-headers.ts'
import { describe, table } from '../../support/describe.ts'

type Headers = ReadonlyArray<string>

describe('sanitizeHeaders', (test) => {
  table<readonly [title: string, headers: Headers, sanitized: Headers]>(
    test,
    [
      ['no headers', [], []],
      ['repeated custom headers', ['X', '1', 'X', '2'], ['X', '1', 'X', '2']],
      [
        'repeated list headers',
        ['Vary', 'A', 'vary', 'B', 'Link', '<a>', 'Link', '<b>'],
        ['Vary', 'A', 'vary', 'B', 'Link', '<a>', 'Link', '<b>'],
      ],
      [
        'repeated Set-Cookie headers',
        ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
        ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
      ],
      // in the order in which they were applied (RFC 9110, 8.4)
      [
        'repeated content codings',
        ['Content-Encoding', 'a', 'Content-Encoding', 'b'],
        ['Content-Encoding', 'a', 'Content-Encoding', 'b'],
      ],
      [
        'framing headers and Date',
        ['Content-Length', '1', 'X', '1', 'transfer-encoding', 'chunked', 'DATE', 'x'],
        ['X', '1'],
      ],
      ['a singleton header', ['Content-Type', 'a/b', 'X', '1'], ['Content-Type', 'a/b', 'X', '1']],
      [
        'a repeated singleton header',
        ['Content-Type', 'a/b', 'X', '1', 'content-type', 'c/d', 'X', '2'],
        ['X', '1', 'content-type', 'c/d', 'X', '2'],
      ],
      [
        'two repeated singleton headers',
        ['ETag', '"1"', 'Location', '/a', 'ETag', '"2"', 'LOCATION', '/b'],
        ['ETag', '"2"', 'LOCATION', '/b'],
      ],
      ['a value that equals a header name', ['X', 'ETag', 'Y', 'ETag'], ['X', 'ETag', 'Y', 'ETag']],
    ],
    (_, headers, sanitized) => assert.equal(sanitizeHeaders(headers), sanitized),
  )
  test('returns the same array if there is nothing to remove', () => {
    const headers = ['Content-Type', 'a/b', 'Vary', 'A', 'Vary', 'B']
    assert.is(sanitizeHeaders(headers), headers)
  })
})

describe('mergeHeaders', (test) => {
  table<readonly [title: string, added: Headers, headers: Headers, merged: Headers]>(
    test,
    [
      ['a repeated custom header', ['X', '1'], ['X', '2'], ['X', '1']],
      ['a missing singleton header', ['Location', '/a'], ['ETag', '"1"'], ['Location', '/a']],
      [
        'an existing singleton header',
        ['location', '/a', 'X', '1'],
        ['Location', '/b'],
        ['X', '1'],
      ],
      [
        'a singleton header added twice',
        ['Location', '/a', 'Location', '/b'],
        [],
        ['Location', '/b'],
      ],
      ['a framing header', ['Content-Length', '1', 'X', '1'], [], ['X', '1']],
    ],
    (_, added, headers, merged) => assert.equal(mergeHeaders(added, headers), merged),
  )
})
