/** Tests of `fw.http.limits.max-connections`, as a number and as a percentage of the descriptor limit. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { resolveMaxConnections } from '../../../src/node/connection/connections.ts'
import { program } from '../../support/bundled.ts'
import { describe, describeWith, table } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { waitUntil } from '../../support/wait-until.ts'

const percentage = (percent: number) => ({ percent })

describe('resolveMaxConnections', (test) => {
  table(
    test,
    [
      ['no limit', undefined, 100, 20, undefined],
      ['a number', 7, 100, 20, 7],
      ['a percentage', percentage(80), 1024, 20, 819],
      ['all but a reserve', percentage(100), 60, 20, 32],
      ['a percentage minus open files', percentage(80), 64, 20, 36],
      ['a minimum of one', percentage(1), 60, 20, 1],
      ['a minimum of one without free descriptors', percentage(80), 20, 20, 1],
      ['a percentage of an unknown limit', percentage(80), undefined, 20, undefined],
    ] as const,
    (_, setting, limit, open, expected) =>
      assert.is(
        resolveMaxConnections(setting, { limit: () => limit, openCount: () => open }),
        expected,
      ),
  )
})

/** Starts a program with a limit of open files. */
const startLimited = (maxFiles: number, name: Parameters<typeof program>[0]) =>
  spawn(
    'sh',
    [
      '-c',
      `ulimit -n ${maxFiles} && exec "$0" "$@"`,
      process.execPath,
      ...process.execArgv,
      program(name),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )

const form = [
  '--X\r\nContent-Disposition: form-data; name="content"; filename="a"',
  'Content-Type: application/octet-stream',
  `\r\n${'x'.repeat(200_000)}\r\n--X--\r\n`,
].join('\r\n')

/** Requests for files, and an upload. */
const requests = [
  rawRequest('GET /file'),
  rawRequest('GET /documents/a.txt'),
  rawRequest(
    'POST /upload',
    'Content-Type: multipart/form-data; boundary=X',
    `Content-Length: ${form.length}`,
  ) + form,
]

/** The status of a response, followed by its `Retry-After`; `closed` without a response. */
const statusOf = async (url: string, index: number): Promise<string> => {
  try {
    const connection = await connectTo(url)
    connection.write(requests[index % requests.length] ?? '')
    const response = await connection.next()
    connection.destroy()
    return [String(response.status), headerOf(response, 'retry-after') ?? []].flat().join(' ')
  } catch {
    return 'closed'
  }
}

const isUnexpected = (status: string): boolean => !['200', '503 1', 'closed'].includes(status)

describeWith('a low limit of open files', 'ulimit', process.platform === 'linux', (test) => {
  test('files and uploads return 200 or 503 with 60 open files', async () => {
    const child = startLimited(60, 'few-files.js')
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const url = String(line)
      const statuses = await Promise.all(
        Array.from({ length: 150 }, (_, index) => statusOf(url, index)),
      )
      assert.equal(statuses.filter(isUnexpected), [])
      assert.ok(statuses.includes('200'), 'no request succeeded')
      await waitUntil(async () => (await statusOf(url, 0)) === '200')
      for (let index = 0; index < 9; index++) assert.is(await statusOf(url, index), '200')
      assert.is(child.exitCode, null)
    } finally {
      child.kill('SIGTERM')
      await once(child, 'close')
    }
  })
  test('the server survives twice as many clients as descriptors, and serves requests after they disconnect', async () => {
    const child = startLimited(100, 'serving.js')
    try {
      const options = { 'fw.http.limits.max-connections': '50%' }
      child.stdin.end(JSON.stringify({ options }))
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const [url = ''] = JSON.parse(String(line)) as ReadonlyArray<string>
      const connections = await Promise.all(Array.from({ length: 200 }, () => connectTo(url)))
      const statuses = await Promise.all(
        connections.map(async (connection) => {
          connection.write(rawRequest('GET /alive'))
          return connection.next().then(
            ({ status }) => status,
            () => undefined,
          )
        }),
      )
      assert.is(statuses.filter((status) => status === 200).length, 50)
      for (const connection of connections) connection.destroy()
      await waitUntil(async () => {
        const connection = await connectTo(url)
        connection.write(rawRequest('GET /alive'))
        const response = await connection.next().catch(() => undefined)
        connection.destroy()
        if (response === undefined) return false
        assertResponse(response, [200, 'alive'])
        return true
      })
      assert.is(child.exitCode, null)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  })
})
