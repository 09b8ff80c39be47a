import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { cidrList } from '../../../src/compiler/settings/cidr-list.ts'
import { describe, table } from '../../support/describe.ts'

describe('addressBlocks', (test) => {
  table<[given: unknown, expected: ReadonlyArray<string> | undefined]>(
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
    (given, expected) => {
      const decoded = cidrList.decode(given)
      assert.equal(E.isRight(decoded) ? decoded.right : undefined, expected)
    },
  )
  test('is written as it is read', () =>
    assert.is(cidrList.encode(['10.0.0.0/8', '::1']), '10.0.0.0/8, ::1'))
})
