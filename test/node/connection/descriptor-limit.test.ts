/** The maximum number of connections, as a share of the files that a process may have open. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { resolveMaxConnections } from '../../../src/node/connection/descriptor-limit.ts'
import { program } from '../../support/bundled.ts'
import { describe, describeWith, table } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { check, to } from '../../support/raw.ts'
import { until } from '../../support/workers.ts'

const part = (percent: number) => ({ percent })

describe('resolveMaxConnections', (test) => {
  table(
    test,
    [
      ['none', undefined, 100, 20, undefined],
      ['a number', 7, 100, 20, 7],
      ['a part', part(80), 1024, 20, 819],
      ['all but a reserve', part(100), 60, 20, 32],
      ['a part that leaves room for open files', part(80), 64, 20, 36],
      ['at least one', part(1), 60, 20, 1],
      ['at least one without room', part(80), 20, 20, 1],
      ['a part of an unknown number', part(80), undefined, 20, undefined],
    ] as const,
    (_, most, files, open, expected) =>
      assert.is(
        resolveMaxConnections(most, { limit: () => files, openCount: () => open }),
        expected,
      ),
  )
})

/** A program that may open so many files. */
const limited = (most: number, name: Parameters<typeof program>[0]) =>
  spawn(
    'sh',
    [
      '-c',
      `ulimit -n ${most} && exec "$0" "$@"`,
      process.execPath,
      ...process.execArgv,
      program(name),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )

const content = [
  '--X\r\nContent-Disposition: form-data; name="content"; filename="a"',
  'Content-Type: application/octet-stream',
  `\r\n${'x'.repeat(200_000)}\r\n--X--\r\n`,
].join('\r\n')

/** Paths of responses from files, and of an upload. */
const requests = [
  to('GET /file'),
  to('GET /documents/a.txt'),
  to(
    'POST /upload',
    'Content-Type: multipart/form-data; boundary=X',
    `Content-Length: ${content.length}`,
  ) + content,
]

/** The status of a response, followed by its `Retry-After`; `closed` without a response. */
const statusOf = async (url: string, index: number): Promise<string> => {
  try {
    const connection = await connectTo(url)
    connection.write(requests[index % requests.length] ?? '')
    const response = await connection.next()
    connection.leave()
    return [String(response.status), fieldOf(response, 'retry-after') ?? []].flat().join(' ')
  } catch {
    return 'closed'
  }
}

const isUnexpected = (status: string): boolean => !['200', '503 1', 'closed'].includes(status)

describeWith('few files', 'limit of open files to set', process.platform === 'linux', (test) => {
  for (const most of [40, 64])
    test(`files and uploads work with ${most} open files and default limits, or return 503`, async () => {
      const child = limited(most, 'few-files.js')
      try {
        const [line] = (await once(child.stdout, 'data')) as [Buffer]
        const url = String(line)
        const statuses = await Promise.all(
          Array.from({ length: 150 }, (_, index) => statusOf(url, index)),
        )
        assert.equal(statuses.filter(isUnexpected), [])
        assert.ok(statuses.includes('200'), 'none is answered')
        await until(async () => (await statusOf(url, 0)) === '200')
        for (let index = 0; index < 9; index++) assert.is(await statusOf(url, index), '200')
        assert.is(child.exitCode, null)
      } finally {
        child.kill('SIGTERM')
        await once(child, 'close')
      }
    })
  test('with twice as many clients as descriptors, the server survives, and serves requests after they disconnect', async () => {
    const child = limited(300, 'serving.js')
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
})
