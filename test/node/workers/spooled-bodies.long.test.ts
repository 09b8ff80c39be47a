/** Large request bodies of blocking operations, stored in files that are deleted with the request or the worker. */
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { newFolder } from '../../support/folder.ts'
import { createGate } from '../../support/gate.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { api, spoolingModule } from '../../programs/spooling-api.ts'
import { options } from '../../support/workers.ts'
import { waitUntil } from '../../support/wait-until.ts'

const directory = newFolder()
const files = (): ReadonlyArray<string> => readdirSync(directory)
const noFilesLeft = (): Promise<void> => waitUntil(() => files().length === 0)

const starting = (settings: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    ...options,
    module: spoolingModule,
    'fw.http.body.uploads-directory': directory,
    ...settings,
  })

/** Maximum number of bytes of a body in memory. */
const memoryLimit = 64 * 1024
const overhead = encodeMultipart(encodePart('file', '', { fileName: 'a.bin' })).length
const formWithFile = (size: number): string =>
  encodeMultipart(encodePart('file', 'x'.repeat(size), { fileName: 'a.bin' }))

const post = async (
  { url }: Server,
  target: string,
  data: string,
  type = 'application/octet-stream',
): Promise<readonly [status: number, text: string]> => {
  const request = new Request(`http://a${target}`, {
    method: 'POST',
    body: data,
    headers: { 'Content-Type': type, 'X-Directory': directory },
  })
  const response = await send(url, request)
  return [response.status, await response.text()]
}

describe('streamed bodies of blocking operations, up to 64 KiB in memory', (test, {
  before,
  after,
}) => {
  let server: Server
  before(async () => {
    server = await starting()
  })
  after(() => server.close())

  table<readonly [size: number, fileCount: number]>(
    test,
    [
      [0, 0],
      [memoryLimit - 1, 0],
      [memoryLimit, 0],
      [memoryLimit + 1, 1],
      [1_000_000, 1],
    ],
    async (size, fileCount) => {
      const x = 'x'.repeat(size)
      assert.equal(await post(server, '/stream', x), [200, `worker ${size} ${fileCount}`])
      await noFilesLeft()
      // the operation stores the body in a second file
      assert.equal(await post(server, '/file', x), [200, `worker ${size} ${size} ${fileCount + 1}`])
      await noFilesLeft()
      const fileSize = size - overhead
      if (fileSize < 0) return
      for (const [target, additional] of [
        ['/form', 1],
        ['/parts', 0],
      ] as const) {
        assert.equal(await post(server, target, formWithFile(fileSize), multipartType), [
          200,
          `worker ${fileSize} ${fileCount + additional}`,
        ])
        await noFilesLeft()
      }
    },
  )
  test('may be read partially', async () => {
    for (let round = 0; round < 3; round++)
      assert.equal(await post(server, '/first', 'x'.repeat(300_000)), [
        200,
        `worker ${memoryLimit}`,
      ])
    await noFilesLeft()
  })
  test('leave no file if they are malformed', async () => {
    assert.is(
      (await post(server, '/form', formWithFile(300_000).slice(0, -9), multipartType))[0],
      400,
    )
    await noFilesLeft()
  })
  test('leave no file if the client disconnects', async () => {
    const connection = await connectTo(server.url)
    connection.write(
      `POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(3 * memoryLimit)}`,
    )
    await waitUntil(() => files().length === 1)
    connection.destroy()
    await noFilesLeft()
    assert.equal(await post(server, '/stream', 'x'), [200, 'worker 1 0'])
  })
  test('are not held in memory', async () => {
    const { arrayBuffers: before_ } = process.memoryUsage()
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers)
    }, 5)
    const chunk = Buffer.alloc(memoryLimit, 'x')
    const size = 128 * 1024 * 1024
    const request = httpRequest(`${server.url}/stream`, {
      method: 'POST',
      headers: { 'Content-Length': size, 'X-Directory': directory },
    })
    const responded = once(request, 'response')
    for (let at = 0; at < size; at += memoryLimit)
      if (!request.write(chunk)) await once(request, 'drain')
    request.end()
    const [response] = await responded
    response.setEncoding('utf8')
    const [text] = await once(response, 'data')
    clearInterval(timer)
    assert.is(text, `worker ${size} 1`)
    assert.ok(peak - before_ < size / 2, `${(peak - before_) / 1024 / 1024} MiB`)
    await noFilesLeft()
  })
})

describe('files of a worker that exits', (test) => {
  table(
    test,
    [
      ['exits', 'exit', 500, 30_000],
      ['times out while computing', 'loop', 504, 400],
      ['times out while waiting', 'never', 504, 400],
      ['throws', 'throw', 500, 30_000],
    ] as const,
    async (_, how, status, timeout) => {
      const server = await starting({ 'fw.worker.timeout': timeout })
      const gate = createGate()
      try {
        const pending = post(
          server,
          `/end/${how}?gate=${gate.name}`,
          formWithFile(300_000),
          multipartType,
        )
        await waitUntil(gate.isReached)
        // the spooled body, and the uploaded file
        assert.is(files().length, 2)
        gate.open()
        assert.is((await pending)[0], status)
        await noFilesLeft()
        assert.is((await post(server, '/form', formWithFile(1), multipartType))[0], 200)
        await noFilesLeft()
      } finally {
        await server.close()
      }
    },
  )
  test('are deleted after the client has disconnected', async () => {
    const server = await starting({ 'fw.worker.timeout': 400 })
    try {
      const form = formWithFile(300_000)
      const connection = await connectTo(server.url)
      connection.write(
        `POST /end/loop HTTP/1.1\r\nHost: a\r\nContent-Type: ${multipartType}\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
      )
      // the spooled body, and the uploaded file
      await waitUntil(() => files().length === 2)
      connection.destroy()
      await noFilesLeft()
    } finally {
      await server.close()
    }
  })
  test('are deleted when the server shuts down', async () => {
    const server = await starting({ 'fw.shutdown.timeout': 300, 'fw.worker.timeout': 0 })
    const pending = post(server, '/end/loop', formWithFile(300_000), multipartType).catch(
      () => undefined,
    )
    await waitUntil(() => files().length === 2)
    await server.close()
    assert.equal(files(), [])
    await pending
  })
  test('uploaded files remain if fw.http.body.delete-uploaded-files-on-end is false', async () => {
    const server = await starting({ 'fw.http.body.delete-uploaded-files-on-end': false })
    try {
      assert.is((await post(server, '/form', formWithFile(300_000), multipartType))[0], 200)
      await waitUntil(() => files().length === 1)
      const [file = ''] = files()
      assert.match(file, /^[\da-f-]{36}$/)
      assert.is(statSync(`${directory}/${file}`).size, 300_000)
    } finally {
      await server.close()
    }
  })
})
