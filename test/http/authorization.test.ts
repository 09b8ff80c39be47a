import * as assert from 'uvu/assert'
import * as Authorization from '../../src/http/authorization.ts'
import { describe, table } from '../support/describe.ts'

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
