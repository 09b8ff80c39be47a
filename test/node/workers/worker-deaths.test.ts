/** Workers that exit while they run a job. */
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { ask, kept, serving, statusOf, until } from '../../support/workers.ts'

describe('a worker that exits', (test) => {
  table(
    test,
    [
      ['process.exit', 'exit', 500, /exit code 3/],
      ['an uncaught error', 'uncaught', 500, /thrown where nobody catches/],
      ['an unhandled rejection', 'unhandled', 500, /rejected where nobody listens/],
      ['out of memory', 'memory', 500, /memory limit/],
      ['an endless loop', 'loop', 504, /exceeded its timeout of 800 ms, replacing its worker/],
      ['a promise that never settles', 'never', 504, /exceeded its timeout of 800 ms/],
    ] as const,
    async (_, how, status, said) => {
      const { lines, logger } = kept()
      await serving(
        {
          logger,
          'fw.worker.timeout': how === 'loop' || how === 'never' ? 800 : 30_000,
          'fw.worker.heap': '64M',
          'fw.worker.threads': 2,
        },
        async (server) => {
          const other = ask(server, '/compute/100?as=other')
          const died = ask(server, `/die/${how}`)
          assert.equal(await other, [200, 'other'])
          const [got, text] = await died
          assert.is(got, status, text)
          assert.match(lines.join('\n'), said)
          assert.equal(await ask(server, '/compute/0'), [200, 'computed'])
        },
      )
    },
  )
  test('does not exit when its handler throws', () =>
    serving({}, async (server) => {
      const thread = await ask(server, '/thread')
      for (const how of ['throw', 'overflow']) assert.is(await statusOf(server, `/die/${how}`), 500)
      assert.equal(await ask(server, '/thread'), thread)
    }))
  test('is replaced by one whose stopping signal is aborted during shutdown', () =>
    serving({ 'fw.shutdown.delay': 3000 }, async (server) => {
      assert.equal(await ask(server, '/stopping'), [200, 'false'])
      void server.close()
      // the first worker, the one that was kept ready, and one that was not there when the stop began
      for (const thread of [1, 2, 3]) {
        assert.equal(await ask(server, '/stopping'), [200, 'true'], `worker ${thread}`)
        assert.is(await statusOf(server, '/die/exit'), 500)
      }
    }))
  test('after five exits in a second, at most five replacements start per second', () => {
    const { lines, logger } = kept()
    return serving({ logger, 'fw.worker.threads': 4 }, async (server) => {
      const start = performance.now()
      const statuses = await Promise.all(
        Array.from({ length: 24 }, () => statusOf(server, '/die/exit')),
      )
      const seconds = (performance.now() - start) / 1000
      assert.ok(
        statuses.every((status) => status === 500 || status === 503),
        statuses.join(),
      )
      const deaths = lines.filter((line) =>
        line.startsWith('error Worker exited unexpectedly'),
      ).length
      assert.is(deaths, statuses.filter((status) => status === 500).length)
      // five that were there, and five a second
      assert.ok(deaths <= 5 + 5 * (seconds + 1), `${deaths} in ${seconds} s`)
      await until(async () => (await statusOf(server, '/compute/0')) === 200)
    })
  })
})
