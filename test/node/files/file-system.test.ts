/** Files that are sent over sockets, and their descriptors, in case of errors and disconnects. */
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
import { openFileContent, fileChunks } from '../../../src/interpreter/response/file/file-content.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { createFileSystem } from '../../../src/node/files/file-system.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { fileWith, newFolder, octetsOf } from '../../support/folder.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { to } from '../../support/raw.ts'
import { api } from '../../support/sending-api.ts'

const folder = newFolder()
const mib = 1024 * 1024

/** How many descriptors of this process are those of a file; `undefined` where the system does not tell. */
const descriptorsOf = (path: string): number | undefined => {
  if (!existsSync('/proc/self/fd')) return undefined
  return readdirSync('/proc/self/fd').filter((one) => {
    try {
      return readlinkSync(`/proc/self/fd/${one}`) === path
    } catch {
      return false
    }
  }).length
}

const allClosed = async (path: string): Promise<void> => {
  for (let turn = 0; turn < 400 && descriptorsOf(path) !== 0; turn++) {
    if (descriptorsOf(path) === undefined) return
    await wait(5)
  }
  assert.is(descriptorsOf(path), 0)
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 2000 && !holds(); turn++) await wait(1)
  assert.ok(holds())
}

const starting = (options: ServeOptions = {}): Promise<Server> =>
  onLoopback(api, {
    module: new URL('../../support/sending-api.js', import.meta.url).href,
    'fw.worker.threads': 1,
    ...options,
  })

const request = (path: string, of = '/file'): string =>
  to(`GET ${of}?path=${encodeURIComponent(path)}`)

const download = async (server: Server, path: string, at: number): Promise<void> => {
  const response = await send(server.url, new Request(`http://a/file?path=${path}`))
  let octets = 0
  for await (const chunk of response.body ?? []) {
    if (at % 3 === 0) await wait(1)
    const own = Buffer.alloc(chunk.length, at + 1).equals(chunk)
    assert.ok(own, `octets of another file in ${at}`)
    octets += chunk.length
    if (at % 5 === 4 && octets > 300_000) return
  }
  assert.is(octets, 900_000 + 1000 * at)
}

describe('files through a socket', (test, { before, after }) => {
  let server: Server
  const told: string[] = []
  const error: Log = (_, message) => void told.push(message)
  before(async () => {
    server = await starting({ logger: { ...silentLogger, error } })
  })
  after(() => server.close())

  for (const of of ['/file', '/form'])
    test(`${of} that shrinks while it is sent cuts the connection`, async () => {
      const path = fileWith(folder, 'shrinking', '')
      truncateSync(path, 64 * mib)
      told.length = 0
      const { socket, write } = await connectTo(server.url)
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      write(request(path, of))
      await until(() => socket.bytesRead > mib)
      truncateSync(path, 2 * mib)
      await ended
      assert.ok(socket.bytesRead < 64 * mib, `${socket.bytesRead} octets`)
      assert.is(told.length, 1)
      assert.match(told[0] ?? '', /was interrupted, error id: /)
      await allClosed(path)
    })
  test('a growing file is sent with its original length, and the connection is kept', async () => {
    const path = fileWith(folder, 'growing', octetsOf(4 * mib))
    const connection = await connectTo(server.url)
    connection.write(request(path))
    await connection.stirred()
    appendFileSync(path, 'x'.repeat(mib))
    await until(() => connection.socket.bytesRead > 3 * mib)
    await wait(50)
    connection.write(request(fileWith(folder, 'next', 'next')))
    const first = await connection.next()
    assert.is(first.fields.find(([name]) => name === 'content-length')?.[1], String(4 * mib))
    assert.is((await connection.next()).content, 'next')
    connection.leave()
    await allClosed(path)
  })
  test('a file that is deleted while it is sent is sent completely', async () => {
    const path = fileWith(folder, 'vanishing', octetsOf(300_000))
    const response = await send(server.url, new Request(`http://a/file?path=${path}`))
    assert.is((await response.arrayBuffer()).byteLength, 300_000)
  })
  for (const [of, count] of [
    ['/file', 2000],
    ['/form', 300],
  ] as const)
    test(`${count} aborted downloads of ${of} leave no descriptor and no timer`, async () => {
      const path = fileWith(folder, 'aborted', octetsOf(2 * mib))
      const before_ = timers()
      const abort = async (index: number): Promise<void> => {
        const { socket, write } = await connectTo(server.url)
        socket.on('error', () => undefined)
        write(request(path, of))
        if (index % 3 === 1) await new Promise((resolve) => socket.once('data', resolve))
        if (index % 3 === 2) await wait(index % 7)
        socket.destroy()
      }
      for (let from = 0; from < count; from += 50)
        await Promise.all(Array.from({ length: 50 }, (_, at) => abort(from + at)))
      await allClosed(path)
      await until(() => timers() <= before_)
    })
  test('a read buffer is not reused before it was sent', async () => {
    const paths = Array.from({ length: 40 }, (_, at) =>
      fileWith(folder, `pooled-${at}`, new Uint8Array(900_000 + 1000 * at).fill(at + 1)),
    )
    for (let round = 0; round < 2; round++)
      await Promise.all(paths.map((path, at) => download(server, path, at)))
    for (const path of paths) await allClosed(path)
  })
  test('pipelined responses keep their bytes', async () => {
    const paths = ['a', 'b', 'c'].map((name, at) =>
      fileWith(folder, `pipelined-${name}`, name.repeat(400_000 + at)),
    )
    const connection = await connectTo(server.url)
    connection.write(paths.map((path) => request(path)).join(''))
    for (const [at, name] of ['a', 'b', 'c'].entries())
      assert.ok((await connection.next()).content === name.repeat(400_000 + at), name)
    connection.leave()
  })
})

describe('files during shutdown', (test) => {
  test('are closed with destroyed connections', async () => {
    const path = fileWith(folder, 'stopping', '')
    truncateSync(path, 64 * mib)
    const server = await starting({ 'fw.shutdown.timeout': 500 })
    const { socket, write } = await connectTo(server.url)
    socket.on('error', () => undefined)
    write(request(path))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    await server.close()
    await allClosed(path)
    socket.destroy()
  })
})

describe('files in memory', (test) => {
  test('are closed at the end of the body, and when it is cancelled', async () => {
    const path = fileWith(folder, 'in-memory', octetsOf(mib))
    const call = inMemory(api, { logger: silentLogger })
    const ask = () => call(new Request(`http://a/file?path=${path}`))
    assert.is((await (await ask()).arrayBuffer()).byteLength, mib)
    await allClosed(path)
    const reader = (await ask()).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await allClosed(path)
  })
})

describe('files in workers', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await starting()
  })
  after(() => server.close())
  const ask = (of: string, headers: Readonly<Record<string, string>> = {}) =>
    send(server.url, new Request(`http://a${of}`, { headers }))

  test('blocking operations send files and forms like others', async () => {
    const path = fileWith(folder, 'blocking.txt', 'x'.repeat(300_000))
    const response = await ask(`/blocking-file?path=${path}`)
    assert.is(response.headers.get('content-length'), '300000')
    assert.is(response.headers.get('accept-ranges'), 'bytes')
    assert.is((await response.text()).length, 300_000)
    const range = await ask(`/blocking-file?path=${path}`, { Range: 'bytes=0-4' })
    assert.equal([range.status, await range.text()], [206, 'xxxxx'])
    const form = await (await ask(`/blocking-form?path=${path}`)).formData()
    assert.equal([...form.keys()], ['title', 'content'])
    assert.is((await ask(`/blocking-file?path=${path}.not`)).status, 404)
    await allClosed(path)
  })
})

const failing = (code: string) => () =>
  Promise.reject(Object.assign(new Error(`${code}: /secret`), { code }))

describe('files that cannot be opened', (test) => {
  table(
    test,
    [
      ['ENOENT', 404],
      ['EACCES', 404],
      ['EPERM', 404],
      ['ELOOP', 404],
      ['ENXIO', 404],
      ['EMFILE', 503], // B7
      ['ENFILE', 503],
      ['EIO', undefined],
    ] as const,
    async (code, status) => {
      const files = { ...createFileSystem(defaultSettings), open: failing(code) }
      const error: unknown = await openFileContent('/a', files).catch((reason: unknown) => reason)
      assert.ok(error instanceof Error)
      assert.is('status' in error ? error.status : undefined, status)
      const retry = 'headers' in error ? error.headers : []
      assert.equal(retry, status === 503 ? ['Retry-After', '1'] : [])
    },
  )
  test('are an internal error if they are not files', async () => {
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
  test('are read from a position up to their end', async () => {
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
    const path = fileWith(folder, 'underway', octetsOf(200_000))
    for (let round = 0; round < 50; round++) {
      const file = await files.open(path)
      const reading = file.read(0, 200_000)
      const closing = file.close()
      const others = await Promise.all([open(path), open(path)])
      assert.is((await reading).length, 200_000)
      await Promise.all([closing, ...others.map((one) => one.close())])
    }
    await allClosed(path)
  })
  test('throw if they are truncated', async () => {
    const path = fileWith(folder, 'short', octetsOf(1000))
    const content = await openFileContent(path, files)
    truncateSync(path, 500)
    const pieces = fileChunks(content, { offset: 0, length: 1000 }, () => undefined)
    const first = await pieces.next()
    assert.is(first.done === true ? 0 : first.value.length, 500)
    const error: unknown = await pieces.next().catch((reason: unknown) => reason)
    assert.ok(error instanceof RangeError)
    await content.file.close()
  })
})
