/** Streams on connections: of clients that read slowly, leave, or speak HTTP/1.0, and of sources that break off. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../src/index.ts'
import {
  byteStream,
  get,
  handle,
  int,
  jsonStream,
  multi,
  ndjson,
  path,
  produces,
  routes,
  text,
  textStream,
} from '../../src/index.ts'
import { silent } from '../../src/interpreter/logger.ts'
import type { Server, ServeOptions } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { describe } from '../support/describe.ts'
import type { RawConnection } from '../support/raw-connection.ts'
import { connectTo } from '../support/raw-connection.ts'
import { to } from '../support/raw.ts'
import { until } from '../support/workers.ts'

/** What has happened to the sources. */
const seen = { asked: 0, ended: 0, aborted: 0 }

const forget = (): void => {
  seen.asked = seen.ended = seen.aborted = 0
}

const element = 'x'.repeat(1000)

function* endless() {
  try {
    for (;;) {
      seen.asked++
      yield element
    }
  } finally {
    seen.ended++
  }
}

async function* endlessLater() {
  try {
    for (;;) {
      seen.asked++
      if (seen.asked % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      yield element
    }
  } finally {
    seen.ended++
  }
}

/** Gives one element, and then waits in one of several ways. */
async function* waiting(how: string, { request: { signal } }: Context) {
  signal.addEventListener('abort', () => seen.aborted++, { once: true })
  try {
    yield 1
    if (how === 'signal') await once(signal, 'abort')
    else if (how === 'cut') await wait(60_000, undefined, { signal })
    else
      for (;;) {
        await wait(20)
        yield 2
      }
  } finally {
    seen.ended++
  }
}

async function* broken(after: number) {
  for (let n = 0; n < after; n++) {
    yield n
    await wait(5)
  }
  throw new Error('secret')
}

const api = routes({
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => 'x'.repeat(32 * 1024 * 1024)),
  ),
  endless: pipe(
    path('/endless/{how}'),
    get(),
    produces(textStream),
    handle(({ path: { how } }) =>
      how === 'sync'
        ? endless()
        : how === 'many'
          ? multi(endlessLater(), { demand: 10 })
          : endlessLater(),
    ),
  ),
  web: pipe(
    path('/web'),
    get(),
    produces(byteStream),
    handle(
      () =>
        new ReadableStream<Uint8Array>({
          pull: (controller) => {
            seen.asked++
            controller.enqueue(new Uint8Array(1000))
          },
          cancel: () => {
            seen.ended++
          },
        }),
    ),
  ),
  silentReadable: pipe(
    path('/silent/readable'),
    get(),
    produces(byteStream),
    handle(
      () =>
        new Readable({
          read: () => undefined,
          destroy: (_, then) => {
            seen.ended++
            then(null)
          },
        }),
    ),
  ),
  silentWeb: pipe(
    path('/silent/web'),
    get(),
    produces(byteStream),
    handle(() => new ReadableStream<Uint8Array>({ cancel: () => void seen.ended++ })),
  ),
  waiting: pipe(
    path('/waiting/{how}'),
    get(),
    produces(ndjson(int)),
    handle(({ path: { how } }, context) => waiting(how, context)),
  ),
  broken: pipe(
    path('/broken/{after}', { after: int }),
    get(),
    produces(jsonStream(int)),
    handle(({ path: { after } }) => broken(after)),
  ),
  numbers: pipe(
    path('/numbers'),
    get(),
    produces(jsonStream(int)),
    handle(() => [1, 2, 3]),
  ),
  slow: pipe(
    path('/slow'),
    get(),
    produces(jsonStream(int)),
    handle(async function* () {
      yield 1
      await wait(1500)
      yield 2
    }),
  ),
})

const begin = (options: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    logger: silent,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.shutdown.timeout': 0,
    ...options,
  })

/** What comes on a connection, as text. */
const listening = (connection: RawConnection) => {
  const { socket } = connection
  const heard = { text: '', octets: 0, isClosed: false }
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    heard.octets += chunk.length
    heard.text = (heard.text + chunk.toString('latin1')).slice(-1000)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => (heard.isClosed = true))
  return heard
}

describe('Streams on connections', (test, { before, after }) => {
  let server: Server | undefined
  const connect = () => connectTo(server?.url ?? '')
  before(async () => {
    server = await begin()
  })
  after(() => server?.close())

  for (const target of ['/endless/sync', '/endless/async', '/endless/many', '/web'])
    test(`B3, R20, R-224: of a reader that stops, the source is not asked for more: ${target}`, async () => {
      forget()
      const connection = await connect()
      connection.socket.pause()
      connection.write(to(`GET ${target}`))
      let before = -1
      await until(async () => {
        const isStill = seen.asked > 0 && seen.asked === before
        before = seen.asked
        if (!isStill) await wait(50)
        return isStill
      })
      const asked = seen.asked
      await wait(100)
      assert.is(seen.asked, asked)
      const heard = listening(connection)
      connection.socket.resume()
      await until(() => heard.octets > asked * 1000)
      connection.leave()
      await until(() => seen.ended === 1)
    })

  test('keep the connection for the next request, and others their turn', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.write(to('GET /numbers') + to('GET /alive'))
    await until(() => /\r\n7\r\n\[1,2,3\]\r\n0\r\n\r\nHTTP[^]*alive$/.test(heard.text))
    connection.leave()
    const endlessOne = await connect()
    endlessOne.socket.removeAllListeners('data').resume()
    endlessOne.write(to('GET /endless/sync'))
    for (let time = 0; time < 20; time++) {
      const other = await connect()
      other.write(to('GET /alive'))
      assert.is((await other.next()).status, 200)
      other.leave()
    }
    endlessOne.leave()
  })

  test('to HTTP/1.0 have no chunks, and end with the connection', async () => {
    for (const fields of ['', 'Connection: keep-alive\r\n']) {
      const connection = await connect()
      connection.write(`GET /numbers HTTP/1.0\r\nHost: a\r\n${fields}\r\n`)
      const heard = listening(connection)
      await until(() => heard.isClosed)
      assert.match(heard.text, /\r\n\r\n\[1,2,3\]$/)
      assert.not.match(heard.text, /chunked|keep-alive/i)
    }
  })

  test('R-226, G6: that break off have no last chunk', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.write(to('GET /broken/2'))
    await until(() => heard.isClosed)
    assert.match(heard.text, /200 OK/)
    assert.match(heard.text, /\r\n2\r\n,1\r\n$/)
  })

  test('that break off behind another response leave that one whole', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.write(to('GET /numbers') + to('GET /broken/1'))
    await until(() => heard.isClosed)
    assert.match(heard.text, /\[1,2,3\]\r\n0\r\n\r\nHTTP\/1.1 200[^]*\r\n2\r\n\[0\r\n$/)
  })

  for (const target of ['/silent/readable', '/silent/web'])
    test(`R-227: are left while they wait: ${target}`, async () => {
      forget()
      const connection = await connect()
      connection.write(to(`GET ${target}`))
      await wait(20)
      connection.leave()
      await until(() => seen.ended === 1)
    })

  for (const how of ['signal', 'cut', 'timer'])
    test(`R-227, G8: 1,000 clients that leave, of generators that wait for: ${how}`, async () => {
      forget()
      for (let round = 0; round < 10; round++) {
        const connections = await Promise.all(Array.from({ length: 100 }, connect))
        for (const connection of connections) connection.write(to(`GET /waiting/${how}`))
        await Promise.all(connections.map((connection) => connection.stirred()))
        for (const connection of connections) connection.leave()
      }
      const left = performance.now()
      await until(() => seen.ended === 1000)
      assert.ok(performance.now() - left < 1000)
      assert.is(seen.aborted, 1000)
    })

  test('R-227: of clients that leave one behind the other on a connection', async () => {
    forget()
    const connection = await connect()
    connection.write(to('GET /waiting/signal').repeat(3))
    await connection.stirred()
    connection.leave()
    await until(() => seen.ended === 3)
  })
})

describe('B3: fw.http.write-timeout', (test, { before, after }) => {
  const limit = 300
  let server: Server | undefined
  const connect = () => connectTo(server?.url ?? '')
  before(async () => {
    server = await begin({ 'fw.http.write-timeout': limit })
  })
  after(() => server?.close())

  for (const target of ['/endless/sync', '/endless/async', '/large'])
    test(`cuts what is not taken: ${target}`, async () => {
      forget()
      const connection = await connect()
      const { socket } = connection
      const heard = listening(connection)
      socket.pause()
      connection.write(to(`GET ${target}`))
      await wait(limit - 100)
      // it is there until then
      const some = (): void => {
        if (heard.octets < 4e6) return
        socket.off('data', some).pause()
      }
      socket.on('data', some).resume()
      await until(() => heard.octets > 4e6)
      await wait(2 * limit + 200)
      socket.resume()
      await until(() => heard.isClosed)
      assert.ok(heard.octets < 32e6)
      if (target !== '/large') await until(() => seen.ended === 1)
    })

  test('cuts a client that only talks', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.socket.pause()
    connection.write(`${to('GET /large')}GET /alive HTTP/1.1\r\nX: `)
    const talking = setInterval(() => connection.write('x'), 20)
    await wait(2 * limit + 300)
    clearInterval(talking)
    connection.socket.resume()
    await until(() => heard.isClosed)
    assert.ok(heard.octets < 32e6)
  })

  test('leaves alone a client that waits for a source', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.write(to('GET /slow'))
    await until(() => /,2\]\r\n0\r\n\r\n$/.test(heard.text))
    connection.leave()
  })

  test('leaves alone a client that takes its time', async () => {
    const connection = await connect()
    const { socket } = connection
    const heard = listening(connection)
    socket.on('data', () => {
      socket.pause()
      setTimeout(() => socket.resume(), 2)
    })
    const begun = performance.now()
    connection.write(to('GET /large', 'Connection: close'))
    await until(() => heard.isClosed)
    assert.ok(heard.octets > 32 * 1024 * 1024)
    assert.ok(performance.now() - begun > limit)
  })
})
