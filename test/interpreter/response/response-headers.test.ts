/** Which fields of a program are sent, and how often: G3 of what may happen; RFC 9110, 5.3. */
import * as assert from 'uvu/assert'
import {
  mergeHeaders,
  hasSingletonHeader,
  sanitizeHeaders,
} from '../../../src/interpreter/response/response-headers.ts'
import { describe, table } from '../../support/describe.ts'

type Fields = ReadonlyArray<string>

describe('owned', (test) => {
  table<readonly [title: string, given: Fields, sent: Fields]>(
    test,
    [
      ['none', [], []],
      ['any', ['X', '1', 'X', '2'], ['X', '1', 'X', '2']],
      [
        'lists',
        ['Vary', 'A', 'vary', 'B', 'Link', '<a>', 'Link', '<b>'],
        ['Vary', 'A', 'vary', 'B', 'Link', '<a>', 'Link', '<b>'],
      ],
      [
        'cookies',
        ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
        ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
      ],
      // each coding has been applied to what the one before gave (RFC 9110, 8.4)
      [
        'codings',
        ['Content-Encoding', 'a', 'Content-Encoding', 'b'],
        ['Content-Encoding', 'a', 'Content-Encoding', 'b'],
      ],
      [
        'what frames',
        ['Content-Length', '1', 'X', '1', 'transfer-encoding', 'chunked', 'DATE', 'x'],
        ['X', '1'],
      ],
      [
        'one that says one thing',
        ['Content-Type', 'a/b', 'X', '1'],
        ['Content-Type', 'a/b', 'X', '1'],
      ],
      [
        'the last of several',
        ['Content-Type', 'a/b', 'X', '1', 'content-type', 'c/d', 'X', '2'],
        ['X', '1', 'content-type', 'c/d', 'X', '2'],
      ],
      [
        'of each',
        ['ETag', '"1"', 'Location', '/a', 'ETag', '"2"', 'LOCATION', '/b'],
        ['ETag', '"2"', 'LOCATION', '/b'],
      ],
      ['a value that is a name', ['X', 'ETag', 'Y', 'ETag'], ['X', 'ETag', 'Y', 'ETag']],
    ],
    (_, given, sent) => assert.equal(sanitizeHeaders(given), sent),
  )
  test('gives back what nothing is wrong with', () => {
    const fields = ['Content-Type', 'a/b', 'Vary', 'A', 'Vary', 'B']
    assert.is(sanitizeHeaders(fields), fields)
  })
})

describe('beside', (test) => {
  table<readonly [title: string, added: Fields, answer: Fields, sent: Fields]>(
    test,
    [
      ['any', ['X', '1'], ['X', '2'], ['X', '1']],
      ['what the answer does not say', ['Location', '/a'], ['ETag', '"1"'], ['Location', '/a']],
      ['what it says', ['location', '/a', 'X', '1'], ['Location', '/b'], ['X', '1']],
      ['the last of several', ['Location', '/a', 'Location', '/b'], [], ['Location', '/b']],
      ['what frames', ['Content-Length', '1', 'X', '1'], [], ['X', '1']],
    ],
    (_, added, answer, sent) => assert.equal(mergeHeaders(added, answer), sent),
  )
})

describe('hasSingle', (test) => {
  table<readonly [title: string, fields: Fields, has: boolean]>(
    test,
    [
      ['none', [], false],
      ['lists', ['Vary', 'Location'], false],
      ['what frames', ['Date', 'x'], false],
      ['one', ['X', '1', 'location', '/'], true],
    ],
    (_, fields, has) => assert.is(hasSingletonHeader(fields), has),
  )
})
