import * as assert from 'uvu/assert'
import { isSecret } from '../../../src/compiler/settings/secret.ts'
import { describe, table } from '../../support/describe.ts'

describe('isSecret', (test) => {
  table(
    test,
    [
      ['db.password', true],
      ['DB_PASSWORD', true],
      ['client-secret', true],
      ['accessToken', true],
      ['fw.http.port ${db.password}', true],
      ['fw.http.port', false],
    ] as const,
    (text, expected) => assert.is(isSecret(text), expected),
  )
})
