import * as assert from 'uvu/assert'
import * as Challenge from '../../src/http/challenge.ts'
import { describe, table } from '../support/describe.ts'

type Given = Parameters<typeof Challenge.format>[1]

describe('Challenge.format', (test) => {
  table<[scheme: string, parameters: Given, expected: string]>(
    test,
    [
      ['Basic', [['realm', 'WallyWorld']], 'Basic realm="WallyWorld"'], // RFC 7617, 2
      [
        'Basic',
        [
          ['realm', 'foo'],
          ['charset', 'UTF-8'],
        ],
        'Basic realm="foo", charset="UTF-8"',
      ], // 2.1
      ['Test', [], 'Test'],
      ['Empty', [['realm', '']], 'Empty realm=""'],
      ['Quoted', [['realm', 'a "b" \\']], 'Quoted realm="a \\"b\\" \\\\"'],
    ],
    (scheme, parameters, expected) => assert.is(Challenge.format(scheme, parameters), expected),
  )
  table<[scheme: string, parameters: Given]>(
    test,
    [
      ['', []],
      ['two words', []],
      ['Line', [['realm', 'a\r\nSet-Cookie: b=c']]],
      ['Wide', [['realm', '書']]],
      ['Name', [['re alm', 'a']]],
    ],
    (scheme, parameters) => assert.throws(() => Challenge.format(scheme, parameters), TypeError),
  )
})
