/** Tests of the log lines of workers, which are forwarded to the logger of the main thread. */
import * as assert from 'uvu/assert'
import { loggerByLevel } from '../../../src/compiler/settings/logger.ts'
import { describeError } from '../../../src/node/log/describe-error.ts'
import type { Logger, Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { createRecorder } from '../../support/recorder.ts'
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
  test('has errors with their own members, their cause and the errors of an AggregateError', async () => {
    const { lines, logger } = createRecorder()
    await withWorkerServer({ logger }, async (server) => {
      assert.is(await statusOf(server, '/database'), 500)
      await waitUntil(() => lines.length > 0)
    })
    const error: unknown = lines[0]?.members['err']
    assert.ok(error instanceof Error)
    const { stack, cause, errors, ...members } = Object(describeError(error))
    assert.match(String(stack), /^AggregateError.*\n    at /)
    assert.equal(members, {
      name: 'AggregateError',
      message: '',
      code: '23505',
      detail: 'Key (id)=(1) exists.',
    })
    assert.match(JSON.stringify(cause), /^{"name":"TypeError","message":"inner".*ECONNREFUSED"}$/)
    assert.match(JSON.stringify(errors), /^\[{"name":"Error","message":"replica one"/)
  })
  test('has lines whose members cannot be sent to another thread', async () => {
    const { lines, logger } = createRecorder()
    await withWorkerServer({ logger, 'fw.log.level': 'debug' }, async (server) => {
      assert.equal(await fetchText(server, '/unreadable'), [200, 'logged'])
      await waitUntil(() => lines.some(({ message }) => message === 'unreadable'))
    })
    const { category, x } = lines.find(({ message }) => message === 'unreadable')?.members ?? {}
    assert.equal([category, x], ['custom', 2])
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
