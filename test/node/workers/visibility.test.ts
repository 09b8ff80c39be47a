/** Secured members of blocking operations. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { api, securedModule } from '../../support/secured-api.ts'
import { canary } from '../../support/secrets.ts'
import { options } from '../../support/workers.ts'

describe('secured members of workers', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serve(api, { ...options, module: securedModule })
  })
  after(() => server.close())
  for (const target of ['/one', '/stream', '/failing', '/mapped', '/hal', '/exact'])
    table(
      test,
      [
        [`${target} by nobody`, {}, { place: 'worker' }],
        [`${target} by somebody`, { 'X-User': 'ann reader' }, { place: 'worker' }],
        [`${target} by a chief`, { 'X-User': 'ann chief' }, { place: 'worker', secret: canary }],
      ] as ReadonlyArray<[string, Record<string, string>, unknown]>,
      async (_, headers, expected) => {
        const response = await fetch(`${server.url}${target}`, { headers })
        const { _links, ...content } = (await response.json()) as Record<string, unknown>
        assert.equal(content, expected)
      },
    )
})
