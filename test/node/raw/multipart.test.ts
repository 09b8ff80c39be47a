/** Tests of multipart bodies that are truncated or split at any byte. */
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { api, uploadingModule } from '../../programs/uploading.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const directory = mkdtempSync(join(tmpdir(), 'espalier-'))

const body = encodeMultipart(
  encodePart('meta', '{"title":"Emma"}', { type: 'application/json' }),
  encodePart('file', 'some text\r\n', { fileName: 'a.txt', type: 'text/plain' }),
  encodePart('note', 'and another'),
)

const head = (length: number | string, more = ''): string =>
  `POST /loop HTTP/1.1\r\nHost: a\r\nContent-Type: ${multipartType}\r\n${more}Content-Length: ${length}\r\n\r\n`

/** Open file operations. Blobs of files keep their `FileHandleReadWrap`, which does not count. */
const openFiles = (): ReadonlyArray<string> =>
  process
    .getActiveResourcesInfo()
    .filter((resource) => /FS|File/.test(resource) && resource !== 'FileHandleReadWrap')

const assertReleased = async (): Promise<void> => {
  await waitUntil(() => readdirSync(directory).length + openFiles().length === 0)
}

/** The distance of the tested lengths, in bytes. `node/multipart/` splits bodies at each byte without a socket. */
const step = repetitions(3, 1)

/** Calls `run` for each tested length below `count`, 32 at a time. */
const forEach = async (count: number, run: (n: number) => Promise<void>): Promise<void> => {
  const lengths = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step)
  while (lengths.length > 0) await Promise.all(lengths.splice(0, 32).map(run))
}

describe('multipart bodies over a socket', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serveLocally(api, {
      module: uploadingModule,
      'fw.worker.threads': 1,
      'fw.http.body.uploads-directory': directory,
    })
  })
  after(() => server.close())

  test('a truncated body returns 400', async () => {
    const end = body.length - '\r\n'.length
    await forEach(body.length + 1, async (length) => {
      const { write, rest } = await connectTo(server.url)
      write(`${head(length, 'Connection: close\r\n')}${body.slice(0, length)}`)
      const responses = await rest()
      assert.equal(
        responses.map(({ status }) => status),
        [length < end ? 400 : 200],
        `length ${length}`,
      )
    })
    await assertReleased()
  })
  test('a client that disconnects at any byte leaves no file', async () => {
    await forEach(body.length, async (length) => {
      const { write, socket, destroy } = await connectTo(server.url)
      write(`${head(body.length)}${body.slice(0, length)}`)
      await new Promise((resolve) => socket.write('', resolve))
      if (length % 4 === 0) await turns()
      destroy()
    })
    await assertReleased()
  })
  test('a body received in two parts returns 200', async () => {
    const { write, next, destroy } = await connectTo(server.url)
    for (let length = 1; length < body.length; length += step) {
      write(`${head(body.length)}${body.slice(0, length)}`)
      await new Promise((resolve) => setImmediate(resolve))
      write(body.slice(length))
      assert.is((await next()).status, 200, `length ${length}`)
    }
    destroy()
    await assertReleased()
  })
  test('a keep-alive connection serves the next request after a 413', async () => {
    const { write, next, destroy } = await connectTo(server.url)
    const tooLarge = encodeMultipart(
      encodePart('x', 'x'.repeat(3000)),
      encodePart('y', 'y'.repeat(500_000)),
    )
    for (let i = 0; i < 3; i++) {
      write(`${head(tooLarge.length)}${tooLarge.slice(0, 4000)}`)
      assert.is((await next()).status, 413)
      write(tooLarge.slice(4000))
      write(`${head(body.length)}${body}`)
      assert.is((await next()).status, 200)
    }
    destroy()
    await assertReleased()
  })
  test('an incomplete body with a malformed part returns 400 without waiting for the rest', async () => {
    const { write, next, destroy } = await connectTo(server.url)
    write(`${head(1000)}--XX\r\nnot a header\r\n\r\nand`)
    assert.is((await next()).status, 400)
    destroy()
  })
})
