import {
  cidrList,
  isBareMediaType,
  commaList,
} from '../../../src/compiler/settings/setting-codecs.ts'
import { describe, table } from '../../support/describe.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { isContentCoding } from '../../../src/http/quality.ts'

describe('commaList', (test) => {
  const codings = commaList('content codings', isContentCoding)
  table<[input: unknown, expected: ReadonlyArray<string> | undefined]>(
    test,
    [
      ['gzip', ['gzip']],
      [' br ,gzip,,\tzstd', ['br', 'gzip', 'zstd']],
      ['', []],
      [['gzip'], ['gzip']],
      [[], []],
      ['gzip, compress', undefined],
      ['GZIP', undefined],
      [['identity'], undefined],
      [undefined, undefined],
    ],
    (input, expected) => {
      const decoded = codings.decode(input)
      if (expected === undefined) assert.ok(E.isLeft(decoded))
      else assert.equal(decoded, E.right(expected))
    },
  )
  test('encodes words to a comma-separated string', () =>
    assert.is(codings.encode(['br', 'gzip']), 'br, gzip'))
})

describe('isBareMediaType', (test) => {
  table(
    test,
    [
      ['text/html', true],
      ['application/vnd.x+json', true],
      ['Text/HTML', true],
      ['text/html;charset=utf-8', false],
      ['text/*', false],
      ['*/*', false],
      ['html', false],
      ['', false],
      [1, false],
    ] as const,
    (word, expected) => assert.is(isBareMediaType(word), expected),
  )
})

describe('cidrList', (test) => {
  table<[input: unknown, expected: ReadonlyArray<string> | undefined]>(
    test,
    [
      ['', []],
      ['10.0.0.0/8', ['10.0.0.0/8']],
      [' 10.0.0.0/8 ,::1,\tfd00::/8 ', ['10.0.0.0/8', '::1', 'fd00::/8']],
      [
        ['127.0.0.1', '::1'],
        ['127.0.0.1', '::1'],
      ],
      [[], []],
      ['10.0.0.0/8, localhost', undefined],
      ['10.0.0.0/33', undefined],
      ['10.0.0.0/8 ::1', undefined],
      [['localhost'], undefined],
      [[8], undefined],
      [true, undefined],
    ],
    (input, expected) => {
      const decoded = cidrList.decode(input)
      assert.equal(E.isRight(decoded) ? decoded.right : undefined, expected)
    },
  )
  test('encodes blocks to a comma-separated string', () =>
    assert.is(cidrList.encode(['10.0.0.0/8', '::1']), '10.0.0.0/8, ::1'))
})
