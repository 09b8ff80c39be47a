/** Multipart bodies that are cut at any byte. */
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { describe } from '../../support/describe.ts'
import { field, formOf, multipart } from '../../support/multipart.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { api, uploadingModule } from '../../support/uploading.ts'

const directory = mkdtempSync(join(tmpdir(), 'espalier-'))

const content = formOf(
  field('meta', '{"title":"Emma"}', { type: 'application/json' }),
  field('file', 'some text\r\n', { fileName: 'a.txt', type: 'text/plain' }),
  field('note', 'and another'),
)

const head = (length: number | string, more = ''): string =>
  `POST /loop HTTP/1.1\r\nHost: a\r\nContent-Type: ${multipart}\r\n${more}Content-Length: ${length}\r\n\r\n`

/** What may be left behind a request; connections close by themselves, and what has read a blob of a file is kept for the next. */
const held = (): ReadonlyArray<string> =>
  process
    .getActiveResourcesInfo()
    .filter((one) => /FS|File/.test(one) && one !== 'FileHandleReadWrap')

const settled = async (): Promise<void> => {
  const isSettled = (): boolean => readdirSync(directory).length + held().length === 0
  for (let tries = 0; tries < 200 && !isSettled(); tries++) await wait(10)
  assert.equal(readdirSync(directory), [])
  assert.equal(held(), [])
}

/** Does something for each number, some at a time. */
const each = async (count: number, act: (n: number) => Promise<void>): Promise<void> => {
  for (let at = 0; at < count; at += 32)
    await Promise.all(
      Array.from({ length: Math.min(32, count - at) }, (_, index) => act(at + index)),
    )
}

describe('multipart content through a socket', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serve(api, {
      module: uploadingModule,
      logger: silentLogger,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
      'fw.worker.threads': 1,
      'fw.http.body.uploads-directory': directory,
    })
  })
  after(() => server.close())

  test('a body cut at any byte gets one response, 400', async () => {
    const end = content.length - '\r\n'.length
    await each(content.length + 1, async (length) => {
      const { write, rest } = await connectTo(server.url)
      write(`${head(length, 'Connection: close\r\n')}${content.slice(0, length)}`)
      const answers = await rest()
      assert.equal(
        answers.map(({ status }) => status),
        [length < end ? 400 : 200],
        `cut at ${length}`,
      )
    })
    await settled()
  })
  test('a client that disconnects at any byte leaves no file', async () => {
    await each(content.length, async (length) => {
      const { write, socket, leave } = await connectTo(server.url)
      write(`${head(content.length)}${content.slice(0, length)}`)
      await new Promise((resolve) => socket.write('', resolve))
      if (length % 4 === 0) await wait(2)
      leave()
    })
    await settled()
  })
  test('a body in two chunks, cut at any byte', async () => {
    const { write, next, leave } = await connectTo(server.url)
    for (let length = 1; length < content.length; length++) {
      write(`${head(content.length)}${content.slice(0, length)}`)
      await new Promise((resolve) => setImmediate(resolve))
      write(content.slice(length))
      assert.is((await next()).status, 200, `cut at ${length}`)
    }
    leave()
    await settled()
  })
  test('the next request on the connection is answered, whatever became of the one before', async () => {
    const { write, next, leave } = await connectTo(server.url)
    const bad = formOf(field('x', 'x'.repeat(3000)), field('y', 'y'.repeat(500_000)))
    for (let i = 0; i < 3; i++) {
      write(`${head(bad.length)}${bad.slice(0, 4000)}`)
      assert.is((await next()).status, 413)
      write(bad.slice(4000))
      write(`${head(content.length)}${content}`)
      assert.is((await next()).status, 200)
    }
    leave()
    await settled()
  })
  test('a content that does not go on is waited for, and answered where it goes wrong', async () => {
    const { write, next, leave } = await connectTo(server.url)
    write(`${head(1000)}--XX\r\nwhat is this\r\n\r\nand`)
    assert.is((await next()).status, 400)
    leave()
  })
})
