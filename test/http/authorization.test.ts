import * as assert from 'uvu/assert'
import { describe, table } from '../support/describe.ts'
import * as Authorization from '../../src/http/authorization.ts'

type ChallengeParameters = Parameters<typeof Authorization.formatChallenge>[1]

describe('Authorization.formatChallenge', (test) => {
  table<[scheme: string, parameters: ChallengeParameters, expected: string]>(
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
    (scheme, parameters, expected) =>
      assert.is(Authorization.formatChallenge(scheme, parameters), expected),
  )
  table<[scheme: string, parameters: ChallengeParameters]>(
    test,
    [
      ['', []],
      ['two words', []],
      ['Line', [['realm', 'a\r\nSet-Cookie: b=c']]],
      ['Wide', [['realm', '書']]],
      ['Name', [['re alm', 'a']]],
    ],
    (scheme, parameters) =>
      assert.throws(() => Authorization.formatChallenge(scheme, parameters), TypeError),
  )
})

describe('Authorization.credentials', (test) => {
  table<[header: string | undefined, expected: string | undefined]>(
    test,
    [
      // RFC 9110, 11.4
      ['Basic QTpC', 'QTpC'],
      ['bASIC QTpC', 'QTpC'],
      ['Basic    QTpC', 'QTpC'],
      ['Basic a b', 'a b'],
      ['Basic', ''],
      ['Basic ', ''],
      ['Basic\tQTpC', undefined],
      ['BasicQTpC', undefined],
      ['Bas QTpC', undefined],
      ['Bearer QTpC', undefined],
      [' Basic QTpC', undefined],
      ['', undefined],
      [undefined, undefined],
    ],
    (header, expected) => assert.is(Authorization.credentials(header, 'Basic'), expected),
  )
})

describe('Authorization.isToken68', (test) => {
  table<[text: string, expected: boolean]>(
    test,
    [
      // RFC 9110, 11.2; RFC 6750, 2.1
      ['mF_9.B5f-4.1JqM', true],
      ['a+/~b==', true],
      ['a=', true],
      ['', false],
      ['=', false],
      ['a=b', false],
      ['a b', false],
      ['a,b', false],
      ['ä', false],
    ],
    (text, expected) => assert.is(Authorization.isToken68(text), expected),
  )
})
