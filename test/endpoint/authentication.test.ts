import * as assert from 'uvu/assert'
import { authentication } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const schemeOf = (challenge: string): string | undefined => {
  const filter = authentication({ challenge }, () => undefined)
  return filter._tag === 'RequestFilter' ? filter.authentication?.scheme : undefined
}

describe('challenge of authentication', (test) => {
  table<readonly [challenge: string, scheme: string]>(
    test,
    [
      ['Negotiate', 'Negotiate'],
      ['Basic realm="a"', 'Basic'],
      ['Bearer realm="a", error="b"', 'Bearer'],
    ],
    (challenge, scheme) => assert.is(schemeOf(challenge), scheme),
  )
  table(
    test,
    [
      [''],
      [' Basic'],
      ['Basic\r\nX: y'],
      ['Basic realm="a\n"'],
      ['"Basic"'],
      ['é'],
      [','],
    ] as const,
    (challenge) => assert.throws(() => schemeOf(challenge), /invalid challenge/),
  )
})
