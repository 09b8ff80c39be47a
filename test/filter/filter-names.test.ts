/** Header and cookie names in the options of ready-made filters. */
import * as assert from 'uvu/assert'
import { accessLog, apiKey, requestId } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

describe('requestId, accessLog and apiKey reject invalid header and cookie names', (test) => {
  table(test, [['a b'], [''], ['a\r\nb'], ['é']] as const, (name) => {
    assert.throws(() => requestId({ header: name }), TypeError)
    assert.throws(() => accessLog({ headers: [name] }), TypeError)
    assert.throws(() => apiKey({ header: name, verify: () => undefined }), TypeError)
    assert.throws(() => apiKey({ cookie: name, verify: () => undefined }), TypeError)
  })
  table(
    test,
    [['Authorization'], ['cookie'], ['Proxy-Authorization'], ['SET-COOKIE']] as const,
    (name) =>
      assert.throws(
        () => accessLog({ headers: [name] }),
        /must not be logged, because it contains credentials/,
      ),
  )
})
