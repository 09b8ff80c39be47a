/** Tests of the timeout of blocking operations, which applies to the job on the worker. */
import * as assert from 'uvu/assert'
import { serve } from '../../../src/node.ts'
import type { Server } from '../../../src/node.ts'
import { describeConcurrently } from '../../support/describe.ts'
import { api, operationTimeout, timedModule } from '../../programs/timed-api.ts'
import { fetchText, recordLog, options } from '../../support/workers.ts'

const serving = async (
  timeout: number,
  use: (server: Server, lines: ReadonlyArray<string>) => Promise<void>,
): Promise<void> => {
  const { logger, lines } = recordLog()
  const server = await serve(api, {
    ...options,
    module: timedModule,
    logger,
    'fw.worker.timeout': timeout,
    // applies to operations on the event loop only
    'fw.http.handler-timeout': operationTimeout / 3,
  })
  try {
    await use(server, lines)
  } finally {
    await server.close()
  }
}

describeConcurrently('the timeout of a blocking operation', (test) => {
  test('is the declared one', () =>
    serving(60_000, async (server, lines) => {
      // starts the worker, so that its start does not count
      assert.equal(await fetchText(server, '/light'), [200, '/light'])
      const start = performance.now()
      const [status] = await fetchText(server, '/short')
      assert.is(status, 504)
      assert.ok(performance.now() - start >= operationTimeout - 2)
      assert.equal(
        lines.filter((line) => line.startsWith('warn')),
        [`warn short exceeded its timeout of ${operationTimeout} ms; its worker will be replaced`],
      )
    }))
  test('is disabled by 0', () =>
    serving(operationTimeout, async (server) => {
      assert.equal(await fetchText(server, '/endless'), [200, '/endless'])
    }))
  test('is fw.worker.timeout by default', () =>
    serving(operationTimeout, async (server) =>
      assert.is((await fetchText(server, '/undeclared'))[0], 504),
    ))
})
