/** Clients that disconnect at any point of any exchange: nothing is logged at `warn` or above, and nothing leaks. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { api, disconnectingModule } from '../../support/disconnecting-api.ts'
import { fileWith, octetsOf } from '../../support/folder.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { chunked, sending, to } from '../../support/raw.ts'
import { kept } from '../../support/workers.ts'

const folder = mkdtempSync(join(tmpdir(), 'espalier-disconnect-'))
const uploads = join(folder, 'uploads')
const large = encodeURIComponent(fileWith(folder, 'large', octetsOf(3_000_000)))
const small = encodeURIComponent(fileWith(folder, 'small', octetsOf(30_000)))

/** The number of open sockets and of open files of the test, where the system tells; a worker that starts has others. */
const descriptors = (): number =>
  existsSync('/proc/self/fd')
    ? readdirSync('/proc/self/fd').filter((one) => {
        try {
          const path = readlinkSync(`/proc/self/fd/${one}`)
          return path.startsWith('socket:') || path.startsWith(folder)
        } catch {
          return false
        }
      }).length
    : 0

/** Requests, as the rest of their target and their headers. */
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
  ['a Node stream', `/readable?path=${large}`],
  ['a Node stream that fails when it is destroyed', '/failing-readable'],
  ['a web stream', '/web'],
  ['an observable', '/observable'],
  ['a source that throws the reason of the signal', '/aborted'],
  ['a source that throws its own error after the abort', '/cancelled'],
  ['a source that throws a TypeError after the abort', '/invalid'],
  ['a handler that rejects with its own error', '/rejected'],
  ['a source that rejects with its own error at once', '/rejected-stream'],
  ['a handler that throws after the disconnect', '/late'],
]

const content = 'x'.repeat(400_000)
const form = [
  '--b',
  'Content-Disposition: form-data; name="file"; filename="a"',
  '',
  content,
  '--b--',
  '',
].join('\r\n')
const multipart = 'Content-Type: multipart/form-data; boundary=b'

const posts: ReadonlyArray<readonly [title: string, request: (prefix: string) => string]> = [
  ['text', (at) => sending(`POST ${at}/receive-text`, content)],
  ['text in chunks', (at) => chunked(`POST ${at}/receive-text`, [content, content])],
  ['a file', (at) => sending(`POST ${at}/receive-file`, content)],
  ['a form', (at) => sending(`POST ${at}/receive-form`, form, multipart)],
  ['the parts of a form', (at) => sending(`POST ${at}/receive-parts`, form, multipart)],
  ['a stream', (at) => chunked(`POST ${at}/receive-stream`, [content, content])],
  [
    'a file after 100 Continue',
    (at) => sending(`POST ${at}/receive-file`, content, 'Expect: 100-continue'),
  ],
]

/** Resolves once it holds. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; !holds(); turn++) {
    assert.ok(turn < 500, 'descriptors or uploaded files are left')
    await wait(10)
  }
}

/** Where the operations run, the coding that is accepted, and how often each way of disconnecting is tried. */
const variants = [
  ['', '', 8],
  ['/filtered', '', 2],
  ['/worker', '', 2],
  ['', 'gzip', 2],
  ['/worker', 'gzip', 1],
  ['', 'deflate', 1],
  ['', 'br', 1],
] as const

type Leave = 'reset' | 'fin' | 'close'
const ways: ReadonlyArray<Leave> = ['reset', 'fin', 'close']

const often = (count: number, run: (way: Leave, at: number) => Promise<void>) =>
  ways.flatMap((way) => Array.from({ length: count }, (_, at) => run(way, at)))

describe('A client that disconnects', (test, { before, after }) => {
  const { lines, logger } = kept()
  const rejections: unknown[] = []
  const rejected = (reason: unknown): void => void rejections.push(reason)
  let server: Server
  let open = 0

  /** Sends a request and disconnects after some milliseconds, or after a part of the request. */
  const disconnect = async (request: string, way: Leave, at: number, part = 1): Promise<void> => {
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

  const quiet = async (): Promise<void> => {
    await until(
      () => descriptors() <= open && (!existsSync(uploads) || readdirSync(uploads).length === 0),
    )
    // one handler fails some time after the disconnect
    await wait(40)
    assert.equal(rejections.splice(0), [])
    assert.equal(
      lines.splice(0).filter((line) => /^(?:warn|error)/.test(line)),
      [],
    )
  }

  before(async () => {
    process.on('unhandledRejection', rejected).on('uncaughtException', rejected)
    server = await onLoopback(api, {
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
      connection.write(to(`GET ${at}/file?path=${small}`))
      assert.is((await connection.next()).status, 200)
      connection.write(sending(`POST ${at}/receive-file`, content))
      assert.is((await connection.next()).status, 200)
      connections.push(connection)
    }
    for (const connection of connections) connection.leave()
    await wait(100)
    open = descriptors()
  })
  after(async () => {
    process.off('unhandledRejection', rejected).off('uncaughtException', rejected)
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  table<readonly [string, ReadonlyArray<string>]>(
    test,
    gets.map(([kind, ...rest]) => [`while it receives ${kind}`, rest]),
    async (_, [target = '', ...headers]) => {
      const all = variants.flatMap(([prefix, coding, count]) => {
        const accept = coding === '' ? [] : [`Accept-Encoding: ${coding}`]
        const request = (method: string) =>
          to(`${method} ${prefix}${target}`, ...headers, ...accept)
        const pipelined = request('HEAD') + request('GET').repeat(2)
        return [
          ...often(count, (way, at) => disconnect(request('GET'), way, at)),
          ...often(1, (way) => disconnect(request('HEAD'), way, 0)),
          ...often(1, (way) => disconnect(pipelined, way, 3)),
        ]
      })
      await Promise.all(all)
      await quiet()
    },
  )

  table<(typeof posts)[number]>(
    test,
    posts.map(([kind, request]) => [`while it sends ${kind}`, request]),
    async (_, request) => {
      const all = variants.flatMap(([prefix, , count]) =>
        often(count, (way, at) => disconnect(request(prefix), way, at % 4, (at + 0.5) / count)),
      )
      await Promise.all(all)
      await quiet()
    },
  )

  test('HEAD for a stream that cannot be opened does not end the process', async () => {
    const connection = await connectTo(server.url)
    connection.write(to('HEAD /readable?path=/missing/file'))
    await connection.stirred()
    connection.leave()
    await quiet()
  })
  test('an error of the operation is logged while the client is connected', async () => {
    const connection = await connectTo(server.url)
    connection.write(to('GET /late'))
    assert.is((await connection.next()).status, 500)
    connection.leave()
    assert.match(lines.splice(0).join(), /^error HTTP Request to .late failed/)
  })
})
