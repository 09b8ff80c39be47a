/** Warnings about code that blocks the event loop, with the name of the operation. */
import * as assert from 'uvu/assert'
import type { Logger, Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { api, blockingModule } from '../programs/blocking-api.ts'
import { describe, table } from '../support/describe.ts'
import { blockThread } from '../support/cpu-time.ts'
import { turns } from '../support/wait-until.ts'

const warningsOf = async (
  stall: number,
  use: (server: Server) => Promise<unknown>,
): Promise<ReadonlyArray<string>> => {
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (_, message) => warnings.push(message) }
  const server = await serve(api, {
    module: blockingModule,
    logger,
    'fw.loop.stall': stall,
    'fw.worker.threads': 1,
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
  })
  await use(server)
  // the timer of the monitor is due after a block
  await turns()
  await server.close()
  return warnings
}

const get = async ({ url }: Server, target: string): Promise<string> =>
  (await fetch(`${url}${target}`)).text()

describe('EventLoopMonitor', (test) => {
  table(
    test,
    [
      [
        'a handler that blocks before it returns is logged',
        '/hold',
        /^GET \/hold \(operations\.hold\) blocked the event loop for at least \d+ ms/,
      ],
      [
        'a handler that blocks after waiting is logged',
        '/hold-later',
        /^GET \/hold-later \(operations\.holdLater\) blocked/,
      ],
    ] as const,
    async (_, target, expected) => {
      const warnings = await warningsOf(200, (server) => get(server, target))
      assert.is(warnings.length, 1, warnings.join('\n'))
      assert.match(warnings[0] ?? '', expected)
    },
  )
  test('the log names the blocking request among concurrent ones', async () => {
    const warnings = await warningsOf(200, (server) =>
      Promise.all(
        [...Array(5).fill('/light'), '/hold', ...Array(5).fill('/light')].map((target) =>
          get(server, String(target)),
        ),
      ),
    )
    assert.is(warnings.length, 1, warnings.join('\n'))
    assert.match(warnings[0] ?? '', /^GET \/hold \(operations\.hold\)/)
  })
  test('a block between two requests is logged', async () => {
    const warnings = await warningsOf(200, async (server) => {
      await get(server, '/light')
      blockThread(500)
    })
    assert.is(warnings.length, 1, warnings.join('\n'))
    assert.match(
      warnings[0] ?? '',
      /^Code that ran after the response to GET \/light \(.*\) blocked the event loop for at least/,
    )
  })
  test('a block before a request is not attributed to its operation', async () => {
    const warnings = await warningsOf(200, async (server) => {
      await get(server, '/light')
      const response = get(server, '/light')
      // blocks after the request has been sent, and before it is read
      await new Promise((resolve) => setImmediate(resolve))
      blockThread(500)
      await response
    })
    assert.is(warnings.length, 1, warnings.join('\n'))
    assert.match(warnings[0] ?? '', /^Code that ran after the response to GET \/light/)
  })
  table(
    test,
    [
      ['a blocking operation on a worker is not logged', 200, '/compute/450'],
      ['nothing is logged if fw.loop.stall is 0', 0, '/hold'],
      ['a block below the threshold is not logged', 2000, '/hold'],
    ] as const,
    async (_, stall, target) =>
      assert.equal(await warningsOf(stall, (server) => get(server, target)), []),
  )
})
