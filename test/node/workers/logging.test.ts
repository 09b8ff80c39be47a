/** Log lines of workers, forwarded to the logger of the main thread. */
import * as assert from 'uvu/assert'
import { loggerByLevel } from '../../../src/compiler/settings/logger.ts'
import type { Logger } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { ask, serving, statusOf, until } from '../../support/workers.ts'

type Line = readonly [category: unknown, level: string, x: unknown, message: string]

/** A logger that, like `pino`, gives levels to its children; what passes them by has no category. */
const byChildren = (): { readonly lines: Line[]; readonly logger: Logger } => {
  const lines: Line[] = []
  const keeping = (category: unknown): Logger =>
    loggerByLevel((level) => (members, message) => {
      lines.push([category, level, members['x'], message])
    })
  return { lines, logger: { ...keeping(undefined), child: ({ category }) => keeping(category) } }
}

describe('the log of workers', (test) => {
  test('has the same categories and levels as on the main thread', async () => {
    const { lines, logger } = byChildren()
    const own = { 'fw.log.category."own".level': 'debug' } as const
    await serving({ logger, ...own }, async (server) => {
      assert.equal(await ask(server, '/line'), [200, 'said'])
      assert.is(await statusOf(server, '/die/throw'), 500)
      await until(() => lines.length >= 2)
    })
    assert.equal(lines.slice(0, 1), [['own', 'debug', 1, 'said on a worker']])
    assert.equal(
      lines.slice(1).map(([category, level]) => [category, level]),
      [['request', 'error']],
    )
  })
  test('omits lines below the level of their category', async () => {
    const { lines, logger } = byChildren()
    await serving({ logger, 'fw.log.level': 'off' }, async (server) => {
      assert.is(await statusOf(server, '/line'), 200)
      for (const how of ['exit', 'throw']) assert.is(await statusOf(server, `/die/${how}`), 500)
    })
    assert.equal(lines, [])
  })
  table(
    test,
    [
      ['of a death', '/die/exit', 500],
      ['of a time limit', '/die/loop', 504],
      ['of a defect', '/die/throw', 500],
    ] as const,
    (_, target, status) => {
      const failing = loggerByLevel(() => () => {
        throw new Error('the disk is full')
      })
      return serving({ logger: failing, 'fw.worker.timeout': 300 }, async (server) => {
        assert.is(await statusOf(server, target), status)
        assert.equal(await ask(server, '/compute/0'), [200, 'computed'])
      })
    },
  )
})
