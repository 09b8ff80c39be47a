import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import type { BasicCredentials } from '../../src/http/authorization.ts'
import * as Authorization from '../../src/http/authorization.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const format = ({ user, password }: BasicCredentials): string =>
  Buffer.from(`${user}:${password}`).toString('base64')

describe('Authorization.parseBasic', (test) => {
  table<[text: string, user: string, password: string]>(
    test,
    [
      // RFC 7617, 2 and 2.1
      ['QWxhZGRpbjpvcGVuIHNlc2FtZQ==', 'Aladdin', 'open sesame'],
      ['dGVzdDoxMjPCow==', 'test', '123£'],
      ['YTpiOmM=', 'a', 'b:c'],
      ['Og==', '', ''],
      ['OnA=', '', 'p'],
      ['77u/YTpi', '\ufeffa', 'b'], // a byte order mark is part of the user
    ],
    (text, user, password) =>
      assert.equal(Authorization.parseBasic(text), O.some({ user, password })),
  )
  table<[name: string, text: string]>(
    test,
    [
      ['an empty string', ''],
      ['a missing colon', 'YQ=='],
      ['missing padding', 'Og'],
      ['too much padding', 'Og==='],
      ['whitespace', 'YTpi YTpi'],
      ['characters of base64url', 'Pz86-_8='],
      ['invalid UTF-8', 'dGVzdDoxMjOj'],
      ['an overlong colon', 'YcC6Yg=='],
      ['a control character in the name', 'YQA6Yg=='],
      ['a control character in the password', 'YTpiCg=='],
      ['a control character of Latin-1', 'YTrChQ=='],
    ],
    (_, text) => assert.equal(Authorization.parseBasic(text), O.none),
  )
  const plain = fc
    .string({ unit: 'grapheme' })
    .filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed())
  roundTrip(
    test,
    fc.record({ user: plain.filter((text) => !text.includes(':')), password: plain }),
    format,
    Authorization.parseBasic,
    (actual, credentials) => assert.equal(actual, O.some({ ...credentials })),
  )
  law(test, 'never throws', unicodeString, (text) => {
    Authorization.parseBasic(text)
  })
})

describe('Authorization.formatBasic', (test) => {
  table(
    test,
    [
      ['Aladdin', 'open sesame', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='], // RFC 7617, 2
      ['test', '123£', 'dGVzdDoxMjPCow=='], // RFC 7617, 2.1
      ['', '', 'Og=='],
    ] as const,
    (user, password, expected) =>
      assert.is(Authorization.formatBasic({ user, password }), expected),
  )
  table(
    test,
    [
      ['a colon in the name', 'a:', 'b'],
      ['a control character in the name', 'a\n', 'b'],
      ['a control character in the password', 'a', '\u0085'],
    ] as const,
    (_, user, password) =>
      assert.throws(() => Authorization.formatBasic({ user, password }), TypeError),
  )
})
