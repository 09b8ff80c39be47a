/** Services that espalier did not write: a plain `node:http` server with odd answers, and connections that do worse. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ClientOf } from '../../src/client.ts'
import { client, headerOf } from '../../src/client.ts'
import {
  as,
  body,
  bytes,
  fails,
  get,
  json,
  optional,
  path,
  post,
  produces,
  responds,
  routes,
  text,
} from '../../src/index.ts'
import { errorIn, left, right } from '../support/clients.ts'
import type { Test } from '../support/describe.ts'
import { describe, table } from '../support/describe.ts'

const Book = t.type({ title: t.string })

/** The one resource; the service answers what it likes. */
const contract = routes({
  json: pipe(path('/it'), get(), produces(json(Book)), fails(404, json(t.type({ why: t.string })))),
  maybe: pipe(path('/it'), get(), produces(json(optional(Book)))),
  text: pipe(path('/it'), get(), produces(text)),
  bytes: pipe(path('/it'), get(), produces(as('image/*')(bytes), bytes)),
  either: pipe(path('/it'), get(), produces(json(Book), text)),
  nothing: pipe(path('/it'), get(), responds(202)),
  send: pipe(path('/it'), post(), body(json(Book)), responds(204)),
  ping: pipe(path('/it'), post(), responds(204)),
})
type Library = typeof contract extends { readonly _T: infer T; readonly _E: infer E }
  ? ClientOf<T, E>
  : never

type Getting = Exclude<keyof Library, 'send' | 'ping'>

type Answering = (response: ServerResponse, request: IncomingMessage) => void

const closing = async (server: Server): Promise<void> => {
  server.close()
  await once(server, 'close')
}

/** Calls a service that answers each request in one way. */
const answering = async (
  answer: Answering,
  use: (library: Library) => Promise<void>,
  options: { readonly maxContentLength?: number } = {},
): Promise<void> => {
  const server = createHttp((request, response) => answer(response, request))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await use(client(contract, { baseUrl: `http://127.0.0.1:${port}`, ...options }))
  } finally {
    server.closeAllConnections()
    await closing(server)
  }
}

/** Calls something that speaks octets. */
const speaking = async (
  speak: (socket: Socket) => void,
  use: (library: Library) => Promise<void>,
): Promise<void> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => speak(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await use(client(contract, { baseUrl: `http://127.0.0.1:${port}` }))
  } finally {
    for (const socket of sockets) socket.destroy()
    await closing(server)
  }
}

const with200 =
  (content: string | Uint8Array, type?: string): Answering =>
  (response) => {
    if (type !== undefined) response.setHeader('Content-Type', type)
    response.end(content)
  }

const latin1 = Buffer.from('{"title":"é"}', 'latin1')

type Read = readonly [name: string, answer: Answering, call: Getting, expected: unknown]

const reads = (test: Test, rows: ReadonlyArray<Read>): void =>
  table<Read>(test, rows, (_, answer, call, expected) =>
    answering(answer, async (library) => {
      const { body: got } = await right<unknown, { readonly body: unknown }>(library[call]())
      assert.equal(got instanceof Uint8Array ? [...got] : got, expected)
    }),
  )

describe('answers of other services that are read', (test) => {
  reads(test, [
    ['no media type: the first that is declared', with200('{"title":"a"}'), 'json', { title: 'a' }],
    ['a media type that is none', with200('{"title":"a"}', 'json'), 'json', { title: 'a' }],
    [
      'a media type with parameters',
      with200('{"title":"a"}', 'Application/JSON ; v="1"'),
      'json',
      { title: 'a' },
    ],
    [
      'a charset that JSON does not have',
      with200(latin1, 'application/json;charset=ISO-8859-1'),
      'json',
      { title: 'é' },
    ],
    [
      'a charset in quotes',
      with200('{"title":"é"}', 'application/json; charset="UTF-8"'),
      'json',
      { title: 'é' },
    ],
    [
      'text in another charset',
      with200(Buffer.from('é', 'latin1'), 'text/plain;charset=latin1'),
      'text',
      'é',
    ],
    ['the second representation', with200('a', 'text/plain'), 'either', 'a'],
    ['octets of any image', with200(new Uint8Array([1, 2]), 'image/png'), 'bytes', [1, 2]],
    [
      'a byte order mark',
      with200('\uFEFF{"title":"a"}', 'application/json'),
      'json',
      { title: 'a' },
    ],
    [
      'members that are not declared',
      with200('{"title":"a","more":[{"x":1}]}', 'application/json'),
      'json',
      { title: 'a' },
    ],
    ['no content where there may be none', with200('', 'application/json'), 'maybe', undefined],
    ['no content and no media type', with200(''), 'text', ''],
    [
      'content where none is declared',
      (response) => {
        response.statusCode = 202
        response.end('queued')
      },
      'nothing',
      undefined,
    ],
    [
      '204 where something might have been',
      (response) => {
        response.statusCode = 204
        response.end()
      },
      'maybe',
      undefined,
    ],
    [
      'early hints before',
      (response) => {
        response.writeEarlyHints({ link: '</a.css>; rel=preload' })
        response.writeProcessing()
        response.end('{"title":"a"}')
      },
      'json',
      { title: 'a' },
    ],
    [
      'in many small pieces',
      (response) => {
        for (const piece of '{"title":"a"}') response.write(piece)
        response.end()
      },
      'json',
      { title: 'a' },
    ],
  ])
  test('a field that comes twice', () =>
    answering(
      (response) => {
        response.setHeader('X-It', ['1', '2'])
        response.setHeader('Set-Cookie', ['a=1, 2', 'b=3'])
        response.end('{"title":"a"}')
      },
      async (library) => {
        const answer = await right(library.json())
        assert.is(headerOf('X-It')(answer), '1, 2')
        assert.equal(
          answer.headers.flatMap((name, at) =>
            name === 'set-cookie' ? answer.headers[at + 1] : [],
          ),
          ['a=1, 2', 'b=3'],
        )
      },
    ))
  test('R-438: POST without a body says that it has none', async () => {
    const seen: unknown[] = []
    await answering(
      (response, { headers }) => {
        seen.push(headers['content-length'], headers['content-type'], headers['transfer-encoding'])
        response.statusCode = 204
        response.end()
      },
      async (library) => void (await right(library.ping())),
    )
    assert.equal(seen, ['0', undefined, undefined])
  })
})

type Refused = readonly [
  name: string,
  answer: Answering,
  call: Getting,
  tag: string,
  message: string,
]

const refused = (test: Test, rows: ReadonlyArray<Refused>): void =>
  table<Refused>(test, rows, (_, answer, call, tag, message) =>
    answering(answer, async (library) => {
      const error = await errorIn(library[call]())
      assert.equal([error._tag, error.message], [tag, message])
    }),
  )

describe('answers of other services that are none', (test) => {
  refused(test, [
    [
      'no content where there has to be one',
      with200('', 'application/json'),
      'json',
      'DecodeError',
      'json: answered 200 with another content than declared: body # is required: { title: string }',
    ],
    [
      'R-464: what is no JSON',
      with200('{"title":', 'application/json'),
      'json',
      'DecodeError',
      'json: answered 200 with another content than declared: body # it is not JSON',
    ],
    [
      'another media type',
      with200('<p>Welcome</p>', 'text/html'),
      'json',
      'DecodeError',
      'json: answered 200 with another content than declared: body # is text/html, which is not declared',
    ],
    [
      'a charset that nobody knows',
      with200('a', 'text/plain;charset=klingon'),
      'text',
      'DecodeError',
      'text: answered 200 with another content than declared: body # The charset of the content is not supported.',
    ],
    [
      'another status',
      (response) => {
        response.statusCode = 418
        response.end('short and stout')
      },
      'text',
      'UndeclaredStatus',
      'text: answered 418 Client Error, which is not declared',
    ],
    [
      'R-447: a redirection that is not declared',
      (response) => {
        response.writeHead(302, { Location: '/elsewhere' }).end()
      },
      'text',
      'UndeclaredStatus',
      'text: answered 302 Found, which is not declared',
    ],
    [
      'a content that breaks off',
      (response) => {
        response.writeHead(200, { 'Content-Length': 100 }).write('{"title"')
        setTimeout(() => response.destroy(), 20)
      },
      'json',
      'NetworkError',
      'json: no whole response came: other side closed',
    ],
  ])
  test('a declared failure with the content of another', () =>
    answering(
      (response) => {
        response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not Found</h1>')
      },
      async (library) => {
        const error = await errorIn(library.json())
        assert.is(error._tag, 'DecodeError')
        assert.is('status' in error && error.status, 404)
      },
    ))
  test('a declared failure', () =>
    answering(
      (response) => {
        response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"why":"lost"}')
      },
      async (library) => {
        const failure = await left(library.json())
        assert.equal('body' in failure && failure.body, { why: 'lost' })
      },
    ))
  test('a problem document of another service', () =>
    answering(
      (response) => {
        response
          .writeHead(422, { 'Content-Type': 'application/problem+json; charset=utf-8' })
          .end('{"type":"https://e.test/t","title":7,"status":422,"balance":30}')
      },
      async (library) => {
        const error = await errorIn(library.text())
        assert.equal('problem' in error && error.problem, {
          type: 'https://e.test/t',
          status: 422,
          balance: 30,
        })
      },
    ))
  test('no more than 64 KiB of what nobody declared is kept, and the rest is let go', async () => {
    let closed = false
    await answering(
      (response) => {
        response.statusCode = 500
        response.on('close', () => (closed = true))
        const write = (): void => {
          while (!response.destroyed && response.write('x'.repeat(16_384)));
        }
        response.on('drain', write)
        write()
      },
      async (library) => {
        const error = await errorIn(library.text())
        assert.is('content' in error && error.content.length, 65_536)
        for (let tries = 0; !closed && tries < 100; tries++)
          await new Promise((resolve) => setTimeout(resolve, 10))
      },
    )
    assert.ok(closed)
  })
  test('R-454: a content larger than the client takes', () =>
    answering(
      with200('x'.repeat(1001)),
      async (library) => {
        const error = await errorIn(library.text())
        assert.is(error._tag, 'ContentTooLarge')
        assert.is(error.message, 'text: the content of the answer has more than 1000 octets')
      },
      { maxContentLength: 1000 },
    ))
  test('a content as large as the client takes', () =>
    answering(with200('x'.repeat(1000)), async (library) => void (await right(library.text())), {
      maxContentLength: 1000,
    }))
  test('R-457: a call that is aborted while its content is read', () =>
    answering(
      (response) => void response.write('{"title"'),
      async (library) => {
        const controller = new AbortController()
        setTimeout(() => controller.abort('enough'), 30)
        const error = await errorIn(library.json({}, { signal: controller.signal }))
        assert.equal([error._tag, error.cause], ['Aborted', 'enough'])
      },
    ))
  test('R-457: a call that is aborted before an answer', () =>
    answering(
      () => undefined,
      async (library) => {
        const error = await errorIn(library.json({}, { signal: AbortSignal.timeout(30) }))
        assert.is(error._tag, 'Aborted')
      },
    ))
})

describe('connections that do worse', (test) => {
  type Broken = readonly [name: string, octets: string]
  const breaking = (rows: ReadonlyArray<Broken>): void =>
    table<Broken>(test, rows, (_, octets) =>
      speaking(
        (socket) => socket.end(octets),
        async (library) => {
          const error = await errorIn(library.json())
          assert.is(error._tag, 'NetworkError')
          assert.ok(error.message.startsWith('json: no whole response came: '), error.message)
        },
      ),
    )
  breaking([
    ['nothing at all', ''],
    ['what is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-Ty'],
    ['fewer octets than said', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"title":"a"}'],
    ['a chunk that is cut', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{"title":'],
    [
      'a last chunk that is missing',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{"title":"a"}\r\n',
    ],
  ])
  test('a content that ends with the connection is whole', () =>
    speaking(
      (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"title":"a"}'),
      async (library) => assert.equal((await right(library.json())).body, { title: 'a' }),
    ))
  test('nobody is there', async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await closing(server)
    const error = await errorIn(client(contract, { baseUrl: `http://127.0.0.1:${port}` }).json())
    assert.is(error._tag, 'NetworkError')
    assert.match(error.message, /ECONNREFUSED/)
  })
})
