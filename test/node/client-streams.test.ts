/** What streams of clients hold: no sockets, timers or listeners of those that were left, and little memory of those that are large. */
import { getEventListeners, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyAnswer, ClientError } from '../../src/client.ts'
import { client, discard } from '../../src/client.ts'
import {
  body,
  byteStream,
  file,
  fileBody,
  form,
  get,
  handle,
  int,
  limits,
  multipartOutput,
  ndjson,
  path,
  post,
  produces,
  routes,
  sse,
  text,
  upload,
} from '../../src/index.ts'
import { silent } from '../../src/interpreter/logger.ts'
import { serve } from '../../src/node.ts'
import { right } from '../support/clients.ts'
import { describe } from '../support/describe.ts'

const MiB = 2 ** 20

const contract = routes({
  octets: pipe(path('/octets'), get(), produces(byteStream)),
  lines: pipe(path('/lines'), get(), produces(ndjson(t.number))),
  events: pipe(path('/events'), get(), produces(sse(int))),
  file: pipe(path('/file'), get(), produces(file)),
  parts: pipe(path('/parts'), get(), produces(multipartOutput)),
})

const contents: Readonly<Record<string, readonly [type: string, piece: string]>> = {
  '/octets': ['application/octet-stream', 'x'.repeat(10_000)],
  '/lines': ['application/x-ndjson', '1\n'.repeat(5000)],
  '/events': ['text/event-stream', 'data: 1\n\n'.repeat(1000)],
  '/file': ['text/plain', 'x'.repeat(10_000)],
  '/parts': [
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name=a\r\n\r\n${'x'.repeat(10_000)}\r\n`,
  ],
}

/** Timers that keep the process alive. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

describe('R-457: streams that were left', (test) => {
  test('hold neither sockets nor timers nor listeners', async () => {
    const sockets = new Set<Socket>()
    // it never ends, and goes on as soon as it can
    const server = createServer((request, response) => {
      const [type, piece] = contents[request.url ?? ''] ?? ['', '']
      response.writeHead(200, { 'Content-Type': type })
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', more)
      more()
    })
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => undefined)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { signal } = new AbortController()
    const library = client(contract, {
      baseUrl: `http://127.0.0.1:${port}`,
      reconnect: { delay: 60_000 },
    })
    const calls = Object.values(library)
    const before = timers()
    const beginnings = Array.from({ length: 100 }, async (_, index) => {
      const answer = await right(
        (calls[index % calls.length] ?? library.octets)({}, { signal }) as TaskEither<
          ClientError,
          AnyAnswer
        >,
      )
      const values: AsyncIterator<unknown> = (answer.body as AsyncIterable<unknown>)[
        Symbol.asyncIterator
      ]()
      // a quarter each: unread, between two values, while one is awaited, and in a loop
      if (index % 4 === 0) return discard(answer)
      await values.next()
      if (index % 4 === 1) return values.return?.()
      if (index % 4 === 2) {
        const waiting = values.next()
        await values.return?.()
        return waiting
      }
      for await (const one of answer.body as AsyncIterable<unknown>) {
        assert.ok(one !== undefined)
        break
      }
    })
    await Promise.all(beginnings)
    for (let turn = 0; turn < 200 && sockets.size > 0; turn++) await wait(10)
    assert.is(sockets.size, 0)
    assert.is(getEventListeners(signal, 'abort').length, 0)
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    assert.ok(timers() <= before + 1, `${timers()} timers, ${before} before`)
  })
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Octets in use that nothing can be collected of. */
const inUse = (): number => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** So many octets, and how much is in use while they pass. */
class Watch {
  most = 0
  octets = 0
  readonly #before = inUse()

  pass(piece: Uint8Array): Uint8Array {
    const before = Math.floor(this.octets / (8 * MiB))
    this.octets += piece.length
    if (Math.floor(this.octets / (8 * MiB)) > before)
      this.most = Math.max(this.most, inUse() - this.#before)
    return piece
  }

  async *source(count: number): AsyncGenerator<Uint8Array> {
    for (let n = 0; n < count; n++) yield this.pass(new Uint8Array(MiB / 4))
  }

  async drain(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces) this.pass(piece)
  }
}

const large = 64
const counted = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
  let octets = 0
  for await (const piece of pieces) octets += piece.length
  return String(octets)
}

describe('R-454: large contents are not in memory', (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const at = join(folder, 'large')
  let watch = new Watch()
  const api = pipe(
    routes({
      take: pipe(
        path('/take'),
        post(),
        body(byteStream),
        produces(text),
        handle((input) => counted(input.body)),
      ),
      give: pipe(
        path('/give'),
        get(),
        produces(byteStream),
        handle(async function* () {
          for (let n = 0; n < 4 * large; n++) yield new Uint8Array(MiB / 4)
        }),
      ),
      file: pipe(
        path('/file'),
        get(),
        produces(file),
        handle(() => at),
      ),
      body: pipe(
        path('/body'),
        post(),
        body(fileBody),
        produces(int),
        handle((input) => input.body.size),
      ),
      form: pipe(
        path('/form'),
        post(),
        form({ file: upload }),
        produces(int),
        handle((input) => input.form.file.size),
      ),
    }),
    limits({ bodySize: '1G' }),
  )
  const made = (baseUrl: string) => client(api, { baseUrl })
  type Library = ReturnType<typeof made>
  type Sent = ReturnType<Library['body']>
  const within = async (run: (library: Library) => Promise<unknown>): Promise<void> => {
    const handle = await open(at, 'w')
    await handle.truncate(large * MiB)
    await handle.close()
    const server = await serve(api, {
      logger: silent,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
      'fw.http.limits.max-multipart-file-size': '1G',
      'fw.http.body.uploads-directory': folder,
    })
    try {
      const library = made(server.url)
      watch = new Watch()
      await run(library)
      assert.ok(watch.most < 24 * MiB, `${watch.most / MiB} MiB were in use`)
    } finally {
      await server.close()
    }
  }
  test('sent from a source', () =>
    within(async (library) => {
      const { body: told } = await right(library.take({ body: watch.source(4 * large) }))
      assert.is(told, String(large * MiB))
      assert.ok(watch.octets === large * MiB && watch.most > 0)
    }))
  test('received in pieces', () =>
    within(async (library) => {
      await watch.drain((await right(library.give())).body)
      assert.is(watch.octets, large * MiB)
    }))
  test('received from a file', () =>
    within(async (library) => {
      const { body: one } = await right(library.file())
      assert.is(one.size, large * MiB)
      await watch.drain(one)
      assert.is(watch.octets, large * MiB)
    }))
  const sending: ReadonlyArray<readonly [name: string, send: (library: Library) => Sent]> = [
    ['body', (library) => library.body({ body: { path: at } })],
    ['form', (library) => library.form({ form: { file: { path: at } } })],
  ]
  for (const [name, send] of sending)
    test(`sent from a file, as a ${name}`, () =>
      within(async (library) => {
        let isOver = false
        const before = inUse()
        const watching = (async () => {
          while (!isOver) {
            watch.most = Math.max(watch.most, inUse() - before)
            await wait(10)
          }
        })()
        const { body: size } = await right(send(library))
        isOver = true
        await watching
        assert.is(size, large * MiB)
      }))
})
