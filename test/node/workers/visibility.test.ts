/** Tests of restricted members in responses of blocking operations. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { api, securedModule } from '../../programs/secured-api.ts'
import { canary } from '../../support/secrets.ts'
import { options } from '../../support/workers.ts'

describe('restricted members on workers', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serve(api, { ...options, module: securedModule })
  })
  after(() => server.close())
  for (const target of ['/one', '/stream', '/failing', '/mapped', '/hal', '/exact'])
    table(
      test,
      [
        [`${target} for an anonymous caller`, {}, { place: 'worker' }],
        [`${target} for a reader`, { 'X-User': 'ann reader' }, { place: 'worker' }],
        [`${target} for a chief`, { 'X-User': 'ann chief' }, { place: 'worker', secret: canary }],
      ] as ReadonlyArray<[string, Record<string, string>, unknown]>,
      async (_, headers, expected) => {
        const response = await fetch(`${server.url}${target}`, { headers })
        const { _links, ...body } = (await response.json()) as Record<string, unknown>
        assert.equal(body, expected)
      },
    )
})
