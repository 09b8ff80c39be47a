/** Tests of `readHead`, which reads the headers that determine the framing and the target of a request. */
import * as assert from 'uvu/assert'
import * as Head from '../../../src/node/exchange/request-head.ts'
import { describe, table } from '../../support/describe.ts'

const empty: Head.RequestHead = {
  size: 0,
  host: undefined,
  coding: undefined,
  length: 0,
  lengthText: undefined,
  expects: false,
  upgrades: false,
  repeated: undefined,
}

type Row = readonly [
  title: string,
  headers: ReadonlyArray<string>,
  expected: Partial<Head.RequestHead>,
]

const rows: ReadonlyArray<Row> = [
  ['no headers', [], {}],
  ['a host', ['Host', 'a'], { size: 9, host: 'a' }],
  ['names in any case', ['hOST', 'a', 'EXPECT', 'b'], { size: 20, host: 'a', expects: true }],
  ['an upgrade', ['Upgrade', 'x'], { size: 12, upgrades: true }],
  ['an empty host', ['Host', ''], { size: 8, host: '' }],
  ['a length', ['Content-Length', '12'], { size: 20, length: 12, lengthText: '12' }],
  ['chunks', ['Transfer-Encoding', 'chunked'], { size: 28, coding: 'chunked' }],
  [
    'transfer codings in two headers',
    ['Transfer-Encoding', 'gzip', 'Transfer-Encoding', 'chunked'],
    { size: 53, coding: 'gzip, chunked' },
  ],
  ['two hosts', ['Host', 'a', 'host', 'b'], { size: 18, host: 'a', repeated: 'host' }],
  ['names of the same length', ['Date', 'a', 'From', 'b', 'Accept', 'c'], { size: 29 }],
  ['a repeatable header', ['Cookie', 'a', 'Cookie', 'b'], { size: 22 }],
  [
    'two repeated headers',
    ['Content-Type', 'a', 'Host', 'b', 'Content-Type', 'c', 'Host', 'd'],
    { size: 52, host: 'b', repeated: 'host' },
  ],
  [
    'Authorization three times',
    ['Authorization', 'a', 'Authorization', 'b', 'Authorization', 'c'],
    { size: 54, repeated: 'authorization' },
  ],
]

describe('readHead', (test) => {
  table<Row>(test, rows, (_, headers, expected) =>
    assert.equal(Head.readHead(headers), { ...empty, ...expected }),
  )
})
