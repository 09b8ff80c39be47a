/** Workers that exit while they run a job. */
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { fetchText, recordLog, withWorkerServer, statusOf } from '../../support/workers.ts'
import { waitUntil } from '../../support/wait-until.ts'

describe('a worker that exits', (test) => {
  table(
    test,
    [
      ['process.exit', 'exit', 500, /exit code 3/],
      ['an uncaught error', 'uncaught', 500, /uncaught in a worker/],
      ['an unhandled rejection', 'unhandled', 500, /unhandled in a worker/],
      ['out of memory', 'memory', 500, /memory limit/],
      [
        'an endless loop',
        'loop',
        504,
        /exceeded its timeout of 800 ms; its worker will be replaced/,
      ],
      ['a promise that never settles', 'never', 504, /exceeded its timeout of 800 ms/],
    ] as const,
    async (_, how, status, message) => {
      const { lines, logger } = recordLog()
      await withWorkerServer(
        {
          logger,
          'fw.worker.timeout': how === 'loop' || how === 'never' ? 800 : 30_000,
          'fw.worker.heap': '64M',
          'fw.worker.threads': 2,
        },
        async (server) => {
          const other = fetchText(server, '/compute/100?as=other')
          const died = fetchText(server, `/die/${how}`)
          assert.equal(await other, [200, 'other'])
          const [got, text] = await died
          assert.is(got, status, text)
          assert.match(lines.join('\n'), message)
          assert.equal(await fetchText(server, '/compute/0'), [200, 'computed'])
        },
      )
    },
  )
  test('does not exit when its handler throws', () =>
    withWorkerServer({}, async (server) => {
      const thread = await fetchText(server, '/thread')
      for (const how of ['throw', 'overflow']) assert.is(await statusOf(server, `/die/${how}`), 500)
      assert.equal(await fetchText(server, '/thread'), thread)
    }))
  test('is replaced by one whose stopping signal is aborted during shutdown', () =>
    withWorkerServer({ 'fw.shutdown.delay': 3000 }, async (server) => {
      assert.equal(await fetchText(server, '/stopping'), [200, 'false'])
      void server.close()
      // the first worker, the spare one, and one started during the shutdown
      for (const thread of [1, 2, 3]) {
        assert.equal(await fetchText(server, '/stopping'), [200, 'true'], `worker ${thread}`)
        assert.is(await statusOf(server, '/die/exit'), 500)
      }
    }))
  test('after five exits in a second, at most five replacements start per second', () => {
    const { lines, logger } = recordLog()
    return withWorkerServer({ logger, 'fw.worker.threads': 4 }, async (server) => {
      const start = performance.now()
      const statuses = await Promise.all(
        Array.from({ length: 24 }, () => statusOf(server, '/die/exit')),
      )
      const seconds = (performance.now() - start) / 1000
      assert.ok(
        statuses.every((status) => status === 500 || status === 503),
        statuses.join(),
      )
      const exits = lines.filter((line) =>
        line.startsWith('error Worker exited unexpectedly'),
      ).length
      assert.is(exits, statuses.filter((status) => status === 500).length)
      // five at first, and five per second
      assert.ok(exits <= 5 + 5 * (seconds + 1), `${exits} in ${seconds} s`)
      await waitUntil(async () => (await statusOf(server, '/compute/0')) === 200)
    })
  })
})
