/** Tests of the headers of deprecated blocking operations, whose responses are created in a worker or, for a timeout, on the event loop. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { api, deprecatedModule } from '../../programs/deprecated-api.ts'
import { describe, table } from '../../support/describe.ts'
import { options } from '../../support/workers.ts'

describe('a deprecated blocking operation', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(api, {
      ...options,
      module: deprecatedModule,
      'fw.worker.timeout': '300ms',
    })
  })
  after(() => server?.close())
  table(
    test,
    [
      ['a success', '/v1/desks/7', 200, '@1767225600', '</v2/desks/7>; rel="successor-version"'],
      ['an error', '/v1/desks/8', 500, '@1767225600', '</v2/desks/8>; rel="successor-version"'],
      ['a timeout', '/v1/desks/9', 504, '@1767225600', '</v2/desks/9>; rel="successor-version"'],
      ['the replacement', '/v2/desks/7', 200, null, null],
    ] as const,
    async (_, target, status, deprecation, link) => {
      const { status: actual, headers } = await fetch(`${server?.url}${target}`)
      assert.equal(
        [actual, headers.get('Deprecation'), headers.get('Link')],
        [status, deprecation, link],
      )
    },
  )
})
