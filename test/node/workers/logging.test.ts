/** Tests of the log lines of workers, which are forwarded to the logger of the main thread. */
import * as assert from 'uvu/assert'
import { loggerByLevel } from '../../../src/compiler/settings/logger.ts'
import type { Logger, Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { fetchText, withWorkerServer, statusOf } from '../../support/workers.ts'
import { waitUntil } from '../../support/wait-until.ts'

type Line = readonly [category: unknown, level: string, x: unknown, message: string]

/** Creates a logger with child loggers, like `pino`. A line that is not written by a child has no category. */
const loggerWithChildren = (): { readonly lines: Line[]; readonly logger: Logger } => {
  const lines: Line[] = []
  const recorderOf = (category: unknown): Logger =>
    loggerByLevel((level) => (members, message) => {
      lines.push([category, level, members['x'], message])
    })
  return {
    lines,
    logger: { ...recorderOf(undefined), child: ({ category }) => recorderOf(category) },
  }
}

/** Checks the status of a request, and that the worker serves the next one. */
const check = async (server: Server, target: string, status: number): Promise<void> => {
  assert.is(await statusOf(server, target), status)
  assert.equal(await fetchText(server, '/compute/0'), [200, 'computed'])
}

describe('the log of workers', (test) => {
  test('has the same categories and levels as on the main thread', async () => {
    const { lines, logger } = loggerWithChildren()
    const levels = { 'fw.log.category."custom".level': 'debug' } as const
    await withWorkerServer({ logger, ...levels }, async (server) => {
      assert.equal(await fetchText(server, '/line'), [200, 'logged'])
      assert.is(await statusOf(server, '/die/throw'), 500)
      await waitUntil(() => lines.length >= 2)
    })
    assert.equal(lines.slice(0, 1), [['custom', 'debug', 1, 'logged on a worker']])
    assert.equal(
      lines.slice(1).map(([category, level]) => [category, level]),
      [['request', 'error']],
    )
  })
  test('omits lines below the level of their category', async () => {
    const { lines, logger } = loggerWithChildren()
    await withWorkerServer({ logger, 'fw.log.level': 'off' }, async (server) => {
      assert.is(await statusOf(server, '/line'), 200)
      for (const how of ['exit', 'throw']) assert.is(await statusOf(server, `/die/${how}`), 500)
    })
    assert.equal(lines, [])
  })
  test('a failing logger affects neither a worker exit, nor a timeout, nor an internal error', async () => {
    const failing = loggerByLevel(() => () => {
      throw new Error('the disk is full')
    })
    const logger = { logger: failing }
    await withWorkerServer(logger, async (server) => {
      await check(server, '/die/exit', 500)
      await check(server, '/die/throw', 500)
    })
    await withWorkerServer({ ...logger, 'fw.worker.timeout': 300 }, async (server) => {
      assert.is(await statusOf(server, '/die/loop'), 504)
    })
  })
})
