/** Warnings about code that blocks the event loop, with the name of the operation. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Logger, Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { api, blockingModule } from '../support/blocking-api.ts'
import { describe, table } from '../support/describe.ts'
import { hold } from '../support/block-thread.ts'

const watched = async (
  stall: number,
  use: (server: Server) => Promise<unknown>,
): Promise<ReadonlyArray<string>> => {
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (_, message) => warnings.push(message) }
  const server = await serve(api, {
    module: blockingModule,
    logger,
    'fw.loop.stall': stall,
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
  })
  await use(server)
  await wait(20)
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
        'before its answer',
        '/hold',
        /^GET \/hold \(works\.hold\) blocked the event loop for at least \d+ ms/,
      ],
      ['before its answer, later', '/hold-later', /^GET \/hold-later \(works\.holdLater\) blocked/],
    ] as const,
    async (_, target, said) => {
      const warnings = await watched(200, (server) => get(server, target))
      assert.is(warnings.length, 1, warnings.join('\n'))
      assert.match(warnings[0] ?? '', said)
    },
  )
  test('the request that blocked the loop is named among concurrent requests', async () => {
    const warnings = await watched(200, (server) =>
      Promise.all(
        [...Array(5).fill('/light'), '/hold', ...Array(5).fill('/light')].map((target) =>
          get(server, String(target)),
        ),
      ),
    )
    assert.is(warnings.length, 1, warnings.join('\n'))
    assert.match(warnings[0] ?? '', /^GET \/hold \(works\.hold\)/)
  })
  test('a block between two requests is logged', async () => {
    const warnings = await watched(200, async (server) => {
      await get(server, '/light')
      hold(500)
    })
    assert.is(warnings.length, 1, warnings.join('\n'))
    assert.match(
      warnings[0] ?? '',
      /^Event loop blocked between two responses, last response: GET \/light/,
    )
  })
  table(
    test,
    [
      ['is not held by a worker', 200, '/compute/450'],
      ['is not watched when the setting is 0', 0, '/hold'],
      ['may be held for less', 2000, '/hold'],
    ] as const,
    async (_, stall, target) =>
      assert.equal(await watched(stall, (server) => get(server, target)), []),
  )
})
