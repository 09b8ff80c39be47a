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
import { newGate } from '../../support/gate.ts'
import { field, formOf, multipart } from '../../support/multipart.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { api, spoolingModule } from '../../support/spooling-api.ts'
import { options, until } from '../../support/workers.ts'

const directory = newFolder()
const left = (): ReadonlyArray<string> => readdirSync(directory)
const nothingLeft = (): Promise<void> => until(() => left().length === 0)

const starting = (settings: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    ...options,
    module: spoolingModule,
    'fw.http.body.uploads-directory': directory,
    ...settings,
  })

/** What may stay in memory. */
const most = 64 * 1024
const around = formOf(field('file', '', { fileName: 'a.bin' })).length
const fileOf = (octets: number): string =>
  formOf(field('file', 'x'.repeat(octets), { fileName: 'a.bin' }))

const ask = async (
  { url }: Server,
  to: string,
  content: string,
  type = 'application/octet-stream',
): Promise<readonly [status: number, text: string]> => {
  const request = new Request(`http://a${to}`, {
    method: 'POST',
    body: content,
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

  table<readonly [octets: number, files: number]>(
    test,
    [
      [0, 0],
      [most - 1, 0],
      [most, 0],
      [most + 1, 1],
      [1_000_000, 1],
    ],
    async (octets, files) => {
      const x = 'x'.repeat(octets)
      assert.equal(await ask(server, '/pieces', x), [200, `worker ${octets} ${files}`])
      await nothingLeft()
      // the file that the operation asks for is another
      assert.equal(await ask(server, '/file', x), [200, `worker ${octets} ${octets} ${files + 1}`])
      await nothingLeft()
      const inside = octets - around
      if (inside < 0) return
      for (const [to, more] of [
        ['/form', 1],
        ['/parts', 0],
      ] as const) {
        assert.equal(await ask(server, to, fileOf(inside), multipart), [
          200,
          `worker ${inside} ${files + more}`,
        ])
        await nothingLeft()
      }
    },
  )
  test('may be read partially', async () => {
    for (let round = 0; round < 3; round++)
      assert.equal(await ask(server, '/begin', 'x'.repeat(300_000)), [200, `worker ${most}`])
    await nothingLeft()
  })
  test('leave no file if they are malformed', async () => {
    assert.is((await ask(server, '/form', fileOf(300_000).slice(0, -9), multipart))[0], 400)
    await nothingLeft()
  })
  test('leave no file if the client disconnects', async () => {
    const connection = await connectTo(server.url)
    connection.write(
      `POST /pieces HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(3 * most)}`,
    )
    await until(() => left().length === 1)
    connection.leave()
    await nothingLeft()
    assert.equal(await ask(server, '/pieces', 'x'), [200, 'worker 1 0'])
  })
  test('are not held in memory', async () => {
    const { arrayBuffers: before_ } = process.memoryUsage()
    let peak = 0
    const looking = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers)
    }, 5)
    const piece = Buffer.alloc(most, 'x')
    const octets = 128 * 1024 * 1024
    const request = httpRequest(`${server.url}/pieces`, {
      method: 'POST',
      headers: { 'Content-Length': octets, 'X-Directory': directory },
    })
    const answered = once(request, 'response')
    for (let at = 0; at < octets; at += most)
      if (!request.write(piece)) await once(request, 'drain')
    request.end()
    const [response] = await answered
    response.setEncoding('utf8')
    const [text] = await once(response, 'data')
    clearInterval(looking)
    assert.is(text, `worker ${octets} 1`)
    assert.ok(peak - before_ < octets / 2, `${(peak - before_) / 1024 / 1024} MiB`)
    await nothingLeft()
  })
})

describe('files of an ended worker', (test) => {
  table(
    test,
    [
      ['exits', 'exit', 500, 30_000],
      ['times out while computing', 'loop', 504, 700],
      ['times out while waiting', 'never', 504, 700],
      ['throws', 'throw', 500, 30_000],
    ] as const,
    async (_, how, status, timeout) => {
      const server = await starting({ 'fw.worker.timeout': timeout })
      const gate = newGate()
      try {
        const asking = ask(server, `/end/${how}?gate=${gate.name}`, fileOf(300_000), multipart)
        await until(gate.isReached)
        // the content, and the file that the worker has made of it
        assert.is(left().length, 2)
        gate.open()
        assert.is((await asking)[0], status)
        await nothingLeft()
        assert.is((await ask(server, '/form', fileOf(1), multipart))[0], 200)
        await nothingLeft()
      } finally {
        await server.close()
      }
    },
  )
  test('are deleted after the client has disconnected', async () => {
    const server = await starting({ 'fw.worker.timeout': 700 })
    try {
      const content = fileOf(300_000)
      const connection = await connectTo(server.url)
      connection.write(
        `POST /end/loop HTTP/1.1\r\nHost: a\r\nContent-Type: ${multipart}\r\nContent-Length: ${content.length}\r\n\r\n${content}`,
      )
      // the content, and the file that the worker has made of it
      await until(() => left().length === 2)
      connection.leave()
      await nothingLeft()
    } finally {
      await server.close()
    }
  })
  test('are deleted when the server shuts down', async () => {
    const server = await starting({ 'fw.shutdown.timeout': 300, 'fw.worker.timeout': 0 })
    const asking = ask(server, '/end/loop', fileOf(300_000), multipart).catch(() => undefined)
    await until(() => left().length === 2)
    await server.close()
    assert.equal(left(), [])
    await asking
  })
  test('only files that must be kept remain', async () => {
    const server = await starting({ 'fw.http.body.delete-uploaded-files-on-end': false })
    try {
      assert.is((await ask(server, '/form', fileOf(300_000), multipart))[0], 200)
      await until(() => left().length === 1)
      const [kept = ''] = left()
      assert.match(kept, /^[\da-f-]{36}$/)
      assert.is(statSync(`${directory}/${kept}`).size, 300_000)
    } finally {
      await server.close()
    }
  })
})
