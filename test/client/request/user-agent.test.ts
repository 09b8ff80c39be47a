import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { userAgent } from '../../../src/client/request/user-agent.ts'
import { describe } from '../../support/describe.ts'

describe('R-440: the name of a client', (test) => {
  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly version: string
    }
    assert.is(userAgent(), `espalier/${version}`)
  })
  for (const name of ['document', 'WorkerGlobalScope'])
    test(`is left to a browser, which has a ${name}`, () => {
      Object.defineProperty(globalThis, name, { value: {}, configurable: true })
      try {
        assert.is(userAgent(), undefined)
      } finally {
        Reflect.deleteProperty(globalThis, name)
      }
    })
})
