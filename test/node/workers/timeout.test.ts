/** The timeout of a blocking operation is that of its job. */
import * as assert from 'uvu/assert'
import { serve } from '../../../src/node.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { api, own, timedModule } from '../../support/timed-api.ts'
import { ask, kept, options } from '../../support/workers.ts'

const serving = async (
  timeout: number,
  use: (server: Server, lines: ReadonlyArray<string>) => Promise<void>,
): Promise<void> => {
  const { logger, lines } = kept()
  const server = await serve(api, {
    ...options,
    module: timedModule,
    logger,
    'fw.worker.timeout': timeout,
    // it is for the event loop, so nothing is answered twice
    'fw.http.handler-timeout': own / 3,
  })
  try {
    await use(server, lines)
  } finally {
    await server.close()
  }
}

describe('the timeout of a blocking operation', (test) => {
  test('is the declared one', () =>
    serving(60_000, async (server, lines) => {
      // the worker is there, so that its start is no part of the time
      assert.equal(await ask(server, '/light'), [200, '/light'])
      const begun = performance.now()
      const [status] = await ask(server, '/short')
      assert.is(status, 504)
      assert.ok(performance.now() - begun >= own - 2)
      assert.equal(
        lines.filter((line) => line.startsWith('warn')),
        [`warn short exceeded its timeout of ${own} ms, replacing its worker`],
      )
    }))
  test('is disabled by 0', () =>
    serving(own, async (server) => {
      assert.equal(await ask(server, '/endless'), [200, '/endless'])
    }))
  test('is fw.worker.timeout by default', () =>
    serving(own, async (server) => assert.is((await ask(server, '/unsaid'))[0], 504)))
})
