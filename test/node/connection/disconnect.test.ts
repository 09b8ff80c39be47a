/** Tests that a disconnect at any point of an exchange logs nothing at warn level or above and leaks nothing. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, repetitions, table } from '../../support/describe.ts'
import { api, disconnectingModule } from '../../programs/disconnecting-api.ts'
import { createFile, patternBytes } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { chunkedRequest, requestWithBody, rawRequest } from '../../support/raw.ts'
import { recordLog } from '../../support/workers.ts'
import { stable, waitUntil } from '../../support/wait-until.ts'

const folder = mkdtempSync(join(tmpdir(), 'espalier-disconnect-'))
const uploads = join(folder, 'uploads')
const large = encodeURIComponent(createFile(folder, 'large', patternBytes(3_000_000)))
const small = encodeURIComponent(createFile(folder, 'small', patternBytes(30_000)))

/** Counts the open sockets and the open files of the test; 0 without `/proc`. Descriptors of starting workers do not count. */
const descriptors = (): number =>
  existsSync('/proc/self/fd')
    ? readdirSync('/proc/self/fd').filter((descriptor) => {
        try {
          const path = readlinkSync(`/proc/self/fd/${descriptor}`)
          return path.startsWith('socket:') || path.startsWith(folder)
        } catch {
          return false
        }
      }).length
    : 0

/** GET requests: the target below the prefix, and the headers. */
const gets: ReadonlyArray<
  readonly [title: string, target: string, ...headers: ReadonlyArray<string>]
> = [
  ['a large file', `/file?path=${large}`],
  ['a small file', `/file?path=${small}`],
  ['a range of a file', `/file?path=${large}`, 'Range: bytes=100-2900000'],
  ['several ranges', `/file?path=${large}`, 'Range: bytes=0-900000,1000000-2900000,2950000-'],
  ['an open file', `/handle?path=${large}`],
  ['a slow file', `/slow-handle?path=${large}`],
  ['ranges of a slow file', `/slow-handle?path=${large}`, 'Range: bytes=0-900000,1000000-'],
  ['a multipart body', `/form?path=${large}`],
  ['bytes', '/bytes'],
  ['JSON', '/json'],
  ['a JSON stream', '/json-stream'],
  ['a stream of JSON lines', '/ndjson'],
  ['an event stream', '/events'],
  ['an async iterable', '/iterable'],
  ['a Node.js stream', `/readable?path=${large}`],
  ['a Node.js stream that fails when it is destroyed', '/failing-readable'],
  ['a web stream', '/web'],
  ['an observable', '/observable'],
  ['a source that throws the reason of the signal', '/aborted'],
  ['a source that throws its own error after the abort', '/cancelled'],
  ['a source that throws a TypeError after the abort', '/invalid'],
  ['a handler that rejects with its own error', '/rejected'],
  ['a source that rejects with its own error at once', '/rejected-stream'],
  ['a handler that throws after the disconnect', '/late'],
]

const data = 'x'.repeat(400_000)
const form = [
  '--b',
  'Content-Disposition: form-data; name="file"; filename="a"',
  '',
  data,
  '--b--',
  '',
].join('\r\n')
const multipart = 'Content-Type: multipart/form-data; boundary=b'

const posts: ReadonlyArray<readonly [title: string, request: (prefix: string) => string]> = [
  ['text', (at) => requestWithBody(`POST ${at}/receive-text`, data)],
  ['text in chunks', (at) => chunkedRequest(`POST ${at}/receive-text`, [data, data])],
  ['a file', (at) => requestWithBody(`POST ${at}/receive-file`, data)],
  ['a form', (at) => requestWithBody(`POST ${at}/receive-form`, form, multipart)],
  ['the parts of a form', (at) => requestWithBody(`POST ${at}/receive-parts`, form, multipart)],
  ['a stream', (at) => chunkedRequest(`POST ${at}/receive-stream`, [data, data])],
  [
    'a file after 100 Continue',
    (at) => requestWithBody(`POST ${at}/receive-file`, data, 'Expect: 100-continue'),
  ],
]

/** The prefix of the operations, the accepted content coding, and the number of disconnects of each kind. */
const variants = (
  [
    ['', '', repetitions(2, 8)],
    ['/filtered', '', repetitions(1, 2)],
    ['/worker', 'gzip', 1],
    ['', 'br', 1],
    ['/worker', '', 2],
    ['', 'gzip', 2],
    ['', 'deflate', 1],
  ] as const
).slice(0, repetitions(4, 7))

type Disconnect = 'reset' | 'fin' | 'close'
const disconnects: ReadonlyArray<Disconnect> = ['reset', 'fin', 'close']

const repeat = (count: number, run: (way: Disconnect, at: number) => Promise<void>) =>
  disconnects.flatMap((way) => Array.from({ length: count }, (_, at) => run(way, at)))

describe('a client that disconnects', (test, { before, after }) => {
  const { lines, logger } = recordLog()
  const rejections: unknown[] = []
  const rejected = (reason: unknown): void => void rejections.push(reason)
  let server: Server
  let open = 0

  /** Sends a request and disconnects after some milliseconds, or after a part of the request. */
  const disconnect = async (
    request: string,
    way: Disconnect,
    at: number,
    part = 1,
  ): Promise<void> => {
    const { socket } = await connectTo(server.url)
    socket.on('error', () => undefined)
    // a slow reader makes the server wait with its next write
    if (at % 2 === 1) socket.removeAllListeners('data').pause()
    socket.write(request.slice(0, Math.ceil(request.length * part)), 'latin1')
    await wait(at)
    if (way === 'reset') socket.resetAndDestroy()
    else if (way === 'close') socket.destroy()
    else {
      socket.end()
      await wait(5)
      socket.destroy()
    }
  }

  const assertNoLeak = async (): Promise<void> => {
    await waitUntil(
      () => descriptors() <= open && (!existsSync(uploads) || readdirSync(uploads).length === 0),
    )
    // the handler of /late fails after the disconnect
    await wait(40)
    assert.equal(rejections.splice(0), [])
    assert.equal(
      lines.splice(0).filter((line) => /^(?:warn|error)/.test(line)),
      [],
    )
  }

  before(async () => {
    process.on('unhandledRejection', rejected).on('uncaughtException', rejected)
    server = await serveLocally(api, {
      logger,
      module: disconnectingModule,
      'fw.worker.threads': 2,
      'fw.worker.queue': 1000,
      'fw.http.enable-compression': true,
      'fw.http.compress-media-types':
        'text/plain, application/json, application/octet-stream, text/event-stream',
      'fw.http.body.uploads-directory': uploads,
      'fw.rest.sse.heartbeat': 1,
      'fw.loop.stall': 0,
    })
    const connections = []
    for (const at of ['', '/filtered', '/worker']) {
      const connection = await connectTo(server.url)
      connection.write(rawRequest(`GET ${at}/file?path=${small}`))
      assert.is((await connection.next()).status, 200)
      connection.write(requestWithBody(`POST ${at}/receive-file`, data))
      assert.is((await connection.next()).status, 200)
      connections.push(connection)
    }
    for (const connection of connections) connection.destroy()
    open = await stable(descriptors)
  })
  after(async () => {
    process.off('unhandledRejection', rejected).off('uncaughtException', rejected)
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  table<readonly [string, ReadonlyArray<string>]>(
    test,
    gets.map(([kind, ...rest]) => [`while receiving ${kind}`, rest]),
    async (_, [target = '', ...headers]) => {
      const attempts = variants.flatMap(([prefix, coding, count], index) => {
        const accept = coding === '' ? [] : [`Accept-Encoding: ${coding}`]
        const request = (method: string) =>
          rawRequest(`${method} ${prefix}${target}`, ...headers, ...accept)
        const pipelined = request('HEAD') + request('GET').repeat(2)
        const more = index === 0 ? 1 : repetitions(0, 1)
        return [
          ...repeat(count, (way, at) => disconnect(request('GET'), way, at)),
          ...repeat(more, (way) => disconnect(request('HEAD'), way, 0)),
          ...repeat(more, (way) => disconnect(pipelined, way, 3)),
        ]
      })
      await Promise.all(attempts)
      await assertNoLeak()
    },
  )

  table<(typeof posts)[number]>(
    test,
    posts.map(([kind, request]) => [`while sending ${kind}`, request]),
    async (_, request) => {
      const attempts = variants.flatMap(([prefix, , count]) =>
        repeat(count, (way, at) => disconnect(request(prefix), way, at % 4, (at + 0.5) / count)),
      )
      await Promise.all(attempts)
      await assertNoLeak()
    },
  )

  test('HEAD for a stream that cannot be opened does not end the process', async () => {
    const connection = await connectTo(server.url)
    connection.write(rawRequest('HEAD /readable?path=/missing/file'))
    await connection.readable()
    connection.destroy()
    await assertNoLeak()
  })
  test('an error of the operation is logged while the client is connected', async () => {
    const connection = await connectTo(server.url)
    connection.write(rawRequest('GET /failing'))
    assert.is((await connection.next()).status, 500)
    connection.destroy()
    assert.match(lines.splice(0).join(), /^error HTTP request to .failing failed/)
  })
})
