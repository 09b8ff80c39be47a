/** Files sent over sockets, in memory and from workers, and the release of their descriptors after errors and disconnects. */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { FileSource } from '../../../src/index.ts'
import type { Log, Server, ServeOptions } from '../../../src/node.ts'
import { openFileContent, fileChunks } from '../../../src/interpreter/response/file-response.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { createFileSystem } from '../../../src/node/files/file-system.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { createFile, newFolder, patternBytes } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { api } from '../../programs/sending-api.ts'
import { waitUntil } from '../../support/wait-until.ts'

const folder = newFolder()
const mib = 1024 * 1024

/** Returns the number of open descriptors of a file; `undefined` if the system has no `/proc/self/fd`. */
const descriptorsOf = (path: string): number | undefined => {
  if (!existsSync('/proc/self/fd')) return undefined
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path
    } catch {
      return false
    }
  }).length
}

const assertClosed = async (path: string): Promise<void> => {
  await waitUntil(() => (descriptorsOf(path) ?? 0) === 0)
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

const startServer = (options: ServeOptions = {}): Promise<Server> =>
  serveLocally(api, {
    module: new URL('../../programs/sending-api.js', import.meta.url).href,
    'fw.worker.threads': 1,
    ...options,
  })

const fileRequest = (path: string, target = '/file'): string =>
  rawRequest(`GET ${target}?path=${encodeURIComponent(path)}`)

/** Downloads the file with an index, and checks its bytes. Some downloads are slow or end early. */
const download = async (server: Server, path: string, index: number): Promise<void> => {
  const response = await send(server.url, new Request(`http://a/file?path=${path}`))
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    if (index % 3 === 0) await wait(1)
    const isExpected = Buffer.alloc(chunk.length, index + 1).equals(chunk)
    assert.ok(isExpected, `bytes of another file in ${index}`)
    bytes += chunk.length
    if (index % 5 === 4 && bytes > 300_000) return
  }
  assert.is(bytes, 900_000 + 1000 * index)
}

describe('files over a socket', (test, { before, after }) => {
  let server: Server
  const errors: string[] = []
  const error: Log = (_, message) => void errors.push(message)
  before(async () => {
    server = await startServer({ logger: { ...silentLogger, error } })
  })
  after(() => server.close())

  for (const target of ['/file', '/form'])
    test(`${target}: a file that shrinks while it is sent cuts the connection`, async () => {
      const path = createFile(folder, 'shrinking', '')
      truncateSync(path, 64 * mib)
      errors.length = 0
      const { socket, write } = await connectTo(server.url)
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      write(fileRequest(path, target))
      await waitUntil(() => socket.bytesRead > mib)
      truncateSync(path, 2 * mib)
      await ended
      assert.ok(socket.bytesRead < 64 * mib, `${socket.bytesRead} bytes`)
      assert.is(errors.length, 1)
      assert.match(errors[0] ?? '', /was interrupted, error ID: /)
      await assertClosed(path)
    })
  test('a growing file is sent with its original length and keeps the connection open', async () => {
    const path = createFile(folder, 'growing', patternBytes(4 * mib))
    const connection = await connectTo(server.url)
    connection.write(fileRequest(path))
    await connection.readable()
    appendFileSync(path, 'x'.repeat(mib))
    const first = await connection.next()
    connection.write(fileRequest(createFile(folder, 'next', 'next')))
    assert.is(first.headers.find(([name]) => name === 'content-length')?.[1], String(4 * mib))
    assert.is((await connection.next()).body, 'next')
    connection.destroy()
    await assertClosed(path)
  })
  test('a file that is deleted while it is sent is sent completely', async () => {
    const path = createFile(folder, 'vanishing', patternBytes(300_000))
    const response = await send(server.url, new Request(`http://a/file?path=${path}`))
    assert.is((await response.arrayBuffer()).byteLength, 300_000)
  })
  for (const [target, count] of [
    ['/file', repetitions(40, 2000)],
    ['/form', repetitions(20, 300)],
  ] as const)
    test(`${count} aborted downloads of ${target} leave no descriptor and no timer`, async () => {
      const path = createFile(folder, 'aborted', patternBytes(2 * mib))
      const timersBefore = timers()
      const abort = async (index: number): Promise<void> => {
        const { socket, write } = await connectTo(server.url)
        socket.on('error', () => undefined)
        write(fileRequest(path, target))
        if (index % 3 === 1) await new Promise((resolve) => socket.once('data', resolve))
        if (index % 3 === 2) await wait(index % 7)
        socket.destroy()
      }
      for (let from = 0; from < count; from += 50)
        await Promise.all(Array.from({ length: 50 }, (_, at) => abort(from + at)))
      await assertClosed(path)
      await waitUntil(() => timers() <= timersBefore)
    })
  test('a read buffer is not reused before it is sent', async () => {
    const paths = Array.from({ length: 40 }, (_, at) =>
      createFile(folder, `pooled-${at}`, new Uint8Array(900_000 + 1000 * at).fill(at + 1)),
    )
    for (let round = 0; round < 2; round++)
      await Promise.all(paths.map((path, at) => download(server, path, at)))
    for (const path of paths) await assertClosed(path)
  })
  test('pipelined responses keep their bytes', async () => {
    const paths = ['a', 'b', 'c'].map((name, at) =>
      createFile(folder, `pipelined-${name}`, name.repeat(400_000 + at)),
    )
    const connection = await connectTo(server.url)
    connection.write(paths.map((path) => fileRequest(path)).join(''))
    for (const [at, name] of ['a', 'b', 'c'].entries())
      assert.ok((await connection.next()).body === name.repeat(400_000 + at), name)
    connection.destroy()
  })
})

describe('files during shutdown', (test) => {
  test('are closed with destroyed connections', async () => {
    const path = createFile(folder, 'stopping', '')
    truncateSync(path, 64 * mib)
    const server = await startServer({ 'fw.shutdown.timeout': 500 })
    const { socket, write } = await connectTo(server.url)
    socket.on('error', () => undefined)
    write(fileRequest(path))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    await server.close()
    await assertClosed(path)
    socket.destroy()
  })
})

describe('files in memory', (test) => {
  test('are closed when the body ends or is cancelled', async () => {
    const path = createFile(folder, 'in-memory', patternBytes(mib))
    const call = inMemory(api, { logger: silentLogger })
    const get = () => call(new Request(`http://a/file?path=${path}`))
    assert.is((await (await get()).arrayBuffer()).byteLength, mib)
    await assertClosed(path)
    const reader = (await get()).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await assertClosed(path)
  })
})

describe('files in workers', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await startServer()
  })
  after(() => server.close())
  const requestFile = (of: string, headers: Readonly<Record<string, string>> = {}) =>
    send(server.url, new Request(`http://a${of}`, { headers }))

  test('are sent by blocking operations, also in ranges and forms', async () => {
    const path = createFile(folder, 'blocking.txt', 'x'.repeat(300_000))
    const response = await requestFile(`/blocking-file?path=${path}`)
    assert.is(response.headers.get('content-length'), '300000')
    assert.is(response.headers.get('accept-ranges'), 'bytes')
    assert.is((await response.text()).length, 300_000)
    const range = await requestFile(`/blocking-file?path=${path}`, { Range: 'bytes=0-4' })
    assert.equal([range.status, await range.text()], [206, 'xxxxx'])
    const form = await (await requestFile(`/blocking-form?path=${path}`)).formData()
    assert.equal([...form.keys()], ['title', 'content'])
    assert.is((await requestFile(`/blocking-file?path=${path}.not`)).status, 404)
    await assertClosed(path)
  })
})

const rejectWith = (code: string) => () =>
  Promise.reject(Object.assign(new Error(`${code}: /secret`), { code }))

describe('files that cannot be opened', (test) => {
  for (const [code, status] of [
    ['ENOENT', 404],
    ['EACCES', 404],
    ['EPERM', 404],
    ['ELOOP', 404],
    ['ENXIO', 404],
    ['EMFILE', 503],
    ['ENFILE', 503],
    ['EIO', undefined],
  ] as const)
    test(`${code} results in ${status ?? 'an internal error'}`, async () => {
      const files = { ...createFileSystem(defaultSettings), open: rejectWith(code) }
      const error: unknown = await openFileContent('/a', files).catch((reason: unknown) => reason)
      assert.ok(error instanceof Error)
      assert.is('status' in error ? error.status : undefined, status)
      const headers = 'headers' in error ? error.headers : []
      assert.equal(headers, status === 503 ? ['Retry-After', '1'] : [])
    })
  test('reject with a TypeError for a value that is not a file', async () => {
    for (const value of [undefined, 5, {}, new Uint8Array(1)])
      assert.is(
        await openFileContent(value as FileSource, createFileSystem(defaultSettings)).catch(
          (error: unknown) => error instanceof TypeError,
        ),
        true,
      )
  })
})

describe('open files', (test) => {
  const files = createFileSystem(defaultSettings)
  test('are read from a position up to the end', async () => {
    const path = join(folder, 'read')
    writeFileSync(path, '0123456789')
    const file = await files.open(path)
    const read = async (position: number, length: number) =>
      Buffer.from(await file.read(position, length)).toString()
    assert.is(await read(0, 4), '0123')
    assert.is(await read(8, 4), '89')
    assert.is(await read(10, 4), '')
    await Promise.all([file.close(), file.close()])
    assert.is(await file.read(0, 1).catch((error: NodeJS.ErrnoException) => error.code), 'EBADF')
  })
  test('are closed after the pending read', async () => {
    const path = createFile(folder, 'pending', patternBytes(200_000))
    for (let round = 0; round < 50; round++) {
      const file = await files.open(path)
      const reading = file.read(0, 200_000)
      const closing = file.close()
      const others = await Promise.all([open(path), open(path)])
      assert.is((await reading).length, 200_000)
      await Promise.all([closing, ...others.map((handle) => handle.close())])
    }
    await assertClosed(path)
  })
  test('reject a read with a RangeError after a truncation', async () => {
    const path = createFile(folder, 'short', patternBytes(1000))
    const content = await openFileContent(path, files)
    truncateSync(path, 500)
    const chunks = fileChunks(content, { offset: 0, length: 1000 }, () => undefined)
    const first = await chunks.next()
    assert.is(first.done === true ? 0 : first.value.length, 500)
    const error: unknown = await chunks.next().catch((reason: unknown) => reason)
    assert.ok(error instanceof RangeError)
    await content.file.close()
  })
})
