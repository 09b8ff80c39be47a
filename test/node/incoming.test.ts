/**
 * Contents that are taken in pieces, on the wire: whatever a handler does with them, the client gets its answer, and the
 * connection takes another request or is closed..
 */
import { pipe } from 'fp-ts/lib/function.js'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import {
  HttpError,
  Unauthorized,
  body,
  byteStream,
  get,
  handle,
  limits,
  path,
  post,
  produces,
  routes,
  text,
} from '../../src/index.ts'
import type { Logger, Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { describe, table } from '../support/describe.ts'
import type { RawConnection } from '../support/raw-connection.ts'
import { connectTo } from '../support/raw-connection.ts'
import { fieldOf } from '../support/raw-response.ts'
import { check, chunked, sending, to } from '../support/raw.ts'
import { kept } from '../support/workers.ts'

const most = 100_000

/** What handlers were told while they read. */
const told: unknown[] = []

const taking = (
  target: string,
  take: (content: AsyncIterable<Uint8Array>) => string | Promise<string>,
) =>
  pipe(
    path(target),
    post(),
    body(byteStream),
    produces(text),
    handle(({ body: b }) => take(b)),
  )

const sizeOf = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  let octets = 0
  for await (const piece of content) octets += piece.length
  return String(octets)
}

const api = routes({
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  all: taking('/all', sizeOf),
  none: taking('/none', () => 'none'),
  refuses: pipe(
    path('/refuses'),
    post(),
    body(byteStream),
    handle(() => new Unauthorized('Basic')),
  ),
  stops: taking('/stops', async (content) => {
    for await (const piece of content) return `at ${Math.min(1, piece.length)}`
    return 'at none'
  }),
  /** Asks for one piece and never says that it wants no more. */
  half: taking('/half', async (content) => {
    const { value } = await content[Symbol.asyncIterator]().next()
    return `half ${Math.min(1, value?.length ?? 0)}`
  }),
  /** Answers while it still waits for the next piece. */
  asking: taking('/asking', async (content) => {
    const pieces = content[Symbol.asyncIterator]()
    await pieces.next()
    const next = pieces.next()
    next.then(
      ({ done }) => told.push(done === true ? 'done' : 'a piece'),
      (error: unknown) => told.push(error instanceof Error ? error.message : error),
    )
    return 'asking'
  }),
  several: taking('/several', async (content) => {
    const pieces = content[Symbol.asyncIterator]()
    const results = await Promise.all(Array.from({ length: 50 }, () => pieces.next()))
    let octets = 0
    for (const { value } of results) octets += value?.length ?? 0
    return `${octets} ${String((await pieces.next()).done)}`
  }),
  catches: taking('/catches', async (content) => {
    const pieces = content[Symbol.asyncIterator]()
    for (;;) {
      try {
        if ((await pieces.next()).done === true) return 'whole'
      } catch {
        return `refused, then ${(await pieces.next()).done === true ? 'nothing' : 'more'}`
      }
    }
  }),
  tells: taking('/tells', async (content) => {
    try {
      return await sizeOf(content)
    } catch (error) {
      told.push(
        error instanceof HttpError
          ? error.status
          : error instanceof Error && 'code' in error
            ? error.code
            : error,
      )
      throw error
    }
  }),
  echo: pipe(
    path('/echo'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle(({ body: content }) => content),
  ),
  wide: pipe(taking('/wide', sizeOf), limits({ bodySize: 2 * most })),
})

type Departing = readonly [name: string, request: string, way: string, told: unknown]

const octets = (count: number): string => 'x'.repeat(count)
const continues = 'Expect: 100-continue'
const chunks = 'Transfer-Encoding: chunked'

/** A client of answers in chunks: everything that has come, as it is. */
interface Client {
  readonly write: (octets: string) => void
  /** Resolves once that has come. */
  readonly came: (awaited: string) => Promise<void>
  /** Everything, up to the end of the connection. */
  readonly all: () => Promise<string>
}

const clientOf = async (url: string): Promise<Client> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ''
  socket.on('data', (piece) => (received += piece.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(5000) })
  await once(socket, 'connect')
  return {
    write: (octets_) => socket.write(octets_, 'latin1'),
    came: async (awaited) => {
      for (let turn = 0; !received.includes(awaited); turn++) {
        assert.ok(turn < 400, `${awaited} did not come: ${received}`)
        await wait(5)
      }
    },
    all: async () => {
      await closed
      return received
    },
  }
}

/** The content of a first response that is in chunks. */
const unchunked = (response: string): string => {
  let content = ''
  for (let at = response.indexOf('\r\n\r\n') + 4; ;) {
    const line = response.indexOf('\r\n', at)
    const size = Number.parseInt(response.slice(at, line), 16)
    if (!(size > 0)) return size === 0 ? content : `${content}, cut`
    content += response.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}

const probe = async (connection: RawConnection): Promise<void> => {
  connection.write(to('GET /alive'))
  check(await connection.next(), [200, 'alive'])
}

describe('Contents in pieces, on the wire', (test, { before, after }) => {
  let server: Server
  const { lines, logger } = kept()
  before(async () => {
    server = await serve(api, {
      logger: logger satisfies Logger,
      'fw.http.host': '127.0.0.1',
      'fw.http.port': 0,
      'fw.http.limits.max-body-size': most,
      'fw.shutdown.grace': 0,
    })
  })
  after(() => server.close())

  const connected = async (use: (connection: RawConnection) => Promise<void>): Promise<void> => {
    lines.length = 0
    told.length = 0
    const connection = await connectTo(server.url)
    try {
      await use(connection)
    } finally {
      connection.leave()
    }
    assert.equal(
      lines.filter((line) => line.startsWith('error')),
      [],
    )
  }

  type Row = readonly [name: string, octets: string, status: number, content: string | RegExp]

  table<Row>(
    test,
    [
      ['none of it is read', sending('POST /none', octets(most)), 200, 'none'],
      ['there is none', sending('POST /all', ''), 200, '0'],
      ['there is none, and no length', to('POST /all'), 200, '0'],
      ['there is none, and it stops', to('POST /stops'), 200, 'at none'],
      ['there are no chunks', chunked('POST /all', []), 200, '0'],
      ['R-196: one less than the limit', sending('POST /all', octets(most - 1)), 200, '99999'],
      ['R-196: as many as the limit', sending('POST /all', octets(most)), 200, '100000'],
      [
        'R-196: as many as the limit, in chunks',
        chunked('POST /all', [octets(most - 1), 'x']),
        200,
        '100000',
      ],
      ['its own limit', sending('POST /wide', octets(2 * most)), 200, '200000'],
      ['R-030: no Content-Type', sending('POST /all', 'abc'), 200, '3'],
      ['reading stops', sending('POST /stops', octets(most)), 200, 'at 1'],
      ['reading stops without a word', sending('POST /half', octets(most)), 200, 'half 1'],
      ['many are asked for at once', sending('POST /several', octets(most)), 200, `${most} true`],
    ],
    (_, request, status, content) =>
      connected(async (connection) => {
        connection.write(request)
        check(await connection.next(), [status, content])
        await probe(connection)
        // the next request may be there already
        connection.write(request + to('GET /alive'))
        check(await connection.next(), [status, content])
        check(await connection.next(), [200, 'alive'])
      }),
  )

  table<Row>(
    test,
    [
      ['R-195: announced, one more', sending('POST /all', octets(most + 1)), 413, /100000 octets/],
      ['R01: in chunks, one more', chunked('POST /all', [octets(most), 'x']), 413, /100000 octets/],
      ['its own limit, one more', sending('POST /wide', octets(2 * most + 1)), 413, /200000/],
      [
        'in chunks, one more, which the handler sees',
        chunked('POST /catches', [octets(most + 1)]),
        200,
        'refused, then nothing',
      ],
      ['R33: 5 MB', sending('POST /all', octets(5_000_000)), 413, /octets/],
      ['R33: 5 MB in a chunk', chunked('POST /all', [octets(5_000_000)]), 413, /octets/],
      [
        'R33: 5 MB in a chunk for one that reads none',
        chunked('POST /none', [octets(5_000_000)]),
        200,
        'none',
      ],
      [
        'R33: 5 MB in a chunk for one that stops',
        chunked('POST /half', [octets(5_000_000)]),
        200,
        'half 1',
      ],
      [
        'R33: 5 MB in a chunk for one that asks on',
        chunked('POST /asking', [octets(5_000_000)]),
        200,
        'asking',
      ],
    ],
    (_, request, status, content) =>
      connected(async (connection) => {
        connection.write(request)
        const response = await connection.next()
        check(response, [status, content])
        assert.is(fieldOf(response, 'connection'), 'close')
        connection.socket.end()
        await connection.closed()
      }),
  )

  test('R02: more than was announced belongs to the next request', () =>
    connected(async (connection) => {
      connection.write(`${to('POST /all', 'Content-Length: 3')}abc${to('GET /alive')}`)
      check(await connection.next(), [200, '3'])
      check(await connection.next(), [200, 'alive'])
      connection.write(`${to('POST /all', 'Content-Length: 3')}abc\0\r\n\r\n`)
      check(await connection.next(), [200, '3'])
      check(await connection.next(), 400)
      await connection.closed()
    }))

  const clean = async (use: (client: Client) => Promise<void>): Promise<void> => {
    lines.length = 0
    await use(await clientOf(server.url))
    assert.equal(
      lines.filter((line) => line.startsWith('error')),
      [],
    )
  }

  table(
    test,
    [
      ['a content is echoed', sending('POST /echo', octets(most)), octets(most), 'keep-alive'],
      ['an octet is echoed', sending('POST /echo', 'a'), 'a', 'keep-alive'],
      ['chunks are echoed', chunked('POST /echo', ['abc', 'def']), 'abcdef', 'close'],
    ] as const,
    (_, request, content, connects) =>
      clean(async ({ write, all }) => {
        write(request + to('GET /alive', 'Connection: close'))
        const response = await all()
        assert.ok(response.startsWith('HTTP/1.1 200 OK\r\n'), response.slice(0, 200))
        assert.is(unchunked(response), content)
        assert.is(/connection: (\S+)/i.exec(response)?.[1], connects)
        assert.is(response.endsWith('alive'), connects === 'keep-alive')
      }),
  )

  test('chunks are echoed while they come, and the answer ends when they do', () =>
    clean(async ({ write, came, all }) => {
      write(`${to('POST /echo', chunks)}3\r\nabc\r\n`)
      await came('abc')
      write('3\r\ndef\r\n')
      await came('def')
      const start = performance.now()
      write('0\r\n\r\n')
      assert.is(unchunked(await all()), 'abcdef')
      // nothing is left to wait for
      assert.ok(performance.now() - start < 1000)
    }))

  test('100 is said to a client whose content is echoed', () =>
    clean(async ({ write, came, all }) => {
      write(to('POST /echo', continues, 'Content-Length: 3', 'Connection: close'))
      await came('HTTP/1.1 100 Continue\r\n\r\n')
      write('abc')
      const response = await all()
      assert.is(unchunked(response.replace('HTTP/1.1 100 Continue\r\n\r\n', '')), 'abc')
    }))

  test('a broken chunk in the middle of an answer cuts it', async () => {
    const { write, came, all } = await clientOf(server.url)
    write(`${to('POST /echo', chunks)}3\r\nabc\r\n`)
    await came('abc')
    write('z\r\n')
    assert.is(unchunked(await all()), 'abc, cut')
  })

  test('who waits for a piece when the answer is made is told so', () =>
    connected(async (connection) => {
      connection.write(`${to('POST /asking', 'Content-Length: 6')}abc`)
      check(await connection.next(), [200, 'asking'])
      connection.write(`def${to('GET /alive')}`)
      check(await connection.next(), [200, 'alive'])
      assert.equal(told, ['the request was answered'])
    }))

  table<Departing>(
    test,
    [
      ['a length', `${to('POST /tells', 'Content-Length: 6')}abc`],
      ['chunks', `${to('POST /tells', chunks)}3\r\nabc\r\n`],
      ['a chunk', `${to('POST /tells', chunks)}6\r\nabc`],
      ['a length, before any octet', to('POST /tells', 'Content-Length: 6')],
    ].flatMap(([name = '', request = '']): ReadonlyArray<Departing> => [
      [`${name}: the client stops half way`, request, 'stops', 400],
      [`${name}: the client is gone half way`, request, 'is gone', 'ERR_STREAM_PREMATURE_CLOSE'],
    ]),
    (_, request, way, expected) =>
      connected(async ({ write, socket }) => {
        write(request)
        await wait(20)
        if (way === 'stops') socket.end()
        else socket.resetAndDestroy()
        for (let turn = 0; told.length === 0 && turn < 400; turn++) await wait(5)
        assert.equal(told, [expected])
      }),
  )

  test('a broken chunk is refused', () =>
    connected(async (connection) => {
      connection.write(`${to('POST /tells', chunks)}3\r\nabc\r\nz\r\n`)
      check(await connection.next(), 400)
      await connection.closed()
      await wait(5)
      assert.is(told.length, 1)
    }))

  test('R-197: 100 is said when the content is asked for', () =>
    connected(async (connection) => {
      connection.write(to('POST /all', continues, 'Content-Length: 3'))
      check(await connection.next(), 100)
      connection.write('abc')
      check(await connection.next(), [200, '3'])
      await probe(connection)
    }))

  table<Row>(
    test,
    [
      ['one that reads none', to('POST /none', continues, 'Content-Length: 3'), 200, 'none'],
      ['one that refuses', to('POST /refuses', continues, 'Content-Length: 3'), 401, /./],
      [
        'one more than the limit',
        to('POST /all', continues, `Content-Length: ${most + 1}`),
        413,
        /./,
      ],
      [
        'a coded content',
        to('POST /all', continues, 'Content-Length: 3', 'Content-Encoding: gzip'),
        415,
        /./,
      ],
      [
        'another media type',
        to('POST /all', continues, 'Content-Length: 3', 'Content-Type: text/plain'),
        415,
        /./,
      ],
    ].map(
      ([name, ...row]) => [`R-197: 100 is not said for ${String(name)}`, ...row] as unknown as Row,
    ),
    (_, request, status, content) =>
      connected(async (connection) => {
        connection.write(request)
        const response = await connection.next()
        check(response, [status, content])
        assert.is(fieldOf(response, 'connection'), 'close')
      }),
  )
})

describe('Contents in pieces: a client that is too slow', (test) => {
  test('is refused while it is read, and cut in the middle of an answer', async () => {
    const { logger } = kept()
    const server = await serve(api, {
      logger,
      'fw.http.host': '127.0.0.1',
      'fw.http.port': 0,
      'fw.http.read-timeout': 200,
      'fw.shutdown.grace': 0,
    })
    try {
      const [reading, echoing] = await Promise.all([connectTo(server.url), clientOf(server.url)])
      reading.write(`${to('POST /all', 'Content-Length: 6')}abc`)
      echoing.write(`${to('POST /echo', 'Content-Length: 6')}abc`)
      check(await reading.next(), 408)
      assert.is(unchunked(await echoing.all()), 'abc, cut')
    } finally {
      await server.close()
    }
  })
})
