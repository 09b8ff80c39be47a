/** Connections as a part of the files that a process may have open: B7 of what may happen. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { connectionsOf } from '../../src/node/open-files.ts'
import { program } from '../support/bundled.ts'
import { describe, describeWith, table } from '../support/describe.ts'
import { connectTo } from '../support/raw-connection.ts'
import { check, to } from '../support/raw.ts'
import { until } from '../support/workers.ts'

const part = (percent: number) => ({ percent })

describe('B7: the number of connections', (test) => {
  table(
    test,
    [
      ['none', undefined, 100, undefined],
      ['a number', 7, 100, 7],
      ['a part', part(80), 1024, 819],
      ['all', part(100), 60, 60],
      ['at least one', part(1), 60, 1],
      ['a part of what nobody knows', part(80), undefined, undefined],
    ] as const,
    (_, most, files, expected) =>
      assert.is(
        connectionsOf(most, () => files),
        expected,
      ),
  )
})

describeWith(
  'B7: few files',
  'limit of open files to set',
  process.platform === 'linux',
  (test) => {
    test('twice as many clients as there is room for: it goes on, and answers when they have left', async () => {
      const child = spawn(
        'sh',
        [
          '-c',
          `ulimit -n 300 && exec "$0" "$@"`,
          process.execPath,
          ...process.execArgv,
          program('serving.js'),
        ],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      )
      try {
        const options = { 'fw.http.limits.max-connections': '50%' }
        child.stdin.end(JSON.stringify({ options }))
        const [line] = (await once(child.stdout, 'data')) as [Buffer]
        const [url = ''] = JSON.parse(String(line)) as ReadonlyArray<string>
        const connections = await Promise.all(Array.from({ length: 600 }, () => connectTo(url)))
        const statuses = await Promise.all(
          connections.map(async (connection) => {
            connection.write(to('GET /alive'))
            return connection.next().then(
              ({ status }) => status,
              () => undefined,
            )
          }),
        )
        assert.is(statuses.filter((status) => status === 200).length, 150)
        for (const connection of connections) connection.leave()
        await until(async () => {
          const connection = await connectTo(url)
          connection.write(to('GET /alive'))
          const answer = await connection.next().catch(() => undefined)
          connection.leave()
          if (answer === undefined) return false
          check(answer, [200, 'alive'])
          return true
        })
        assert.is(child.exitCode, null)
      } finally {
        child.kill('SIGKILL')
        await once(child, 'close')
      }
    })
  },
)
