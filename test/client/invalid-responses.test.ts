/** Invalid responses of other services, and connections that fail. */
import * as assert from 'uvu/assert'
import { client } from '../../src/client.ts'
import { errorIn, left, right } from '../support/clients.ts'
import type { Test } from '../support/describe.ts'
import { describe, table } from '../support/describe.ts'
import type { RequestHandler, BufferedCall } from './plain-services.ts'
import { withHttpService, contract, withSocketService, respondOk } from './plain-services.ts'
import { unusedUrl } from '../support/while-listening.ts'
import { waitUntil } from '../support/wait-until.ts'

type InvalidResponse = readonly [
  name: string,
  handler: RequestHandler,
  call: BufferedCall,
  tag: string,
  message: string,
]

const testInvalidResponses = (test: Test, rows: ReadonlyArray<InvalidResponse>): void =>
  table<InvalidResponse>(test, rows, (_, handler, call, tag, message) =>
    withHttpService(handler, async (library) => {
      const error = await errorIn(library[call]())
      assert.equal([error._tag, error.message], [tag, message])
    }),
  )

describe('invalid responses of other services', (test) => {
  testInvalidResponses(test, [
    [
      'a missing body',
      respondOk('', 'application/json'),
      'json',
      'DecodeError',
      'json: invalid body in a response with status 200: body: is required and must be { title: string }',
    ],
    [
      'malformed JSON',
      respondOk('{"title":', 'application/json'),
      'json',
      'DecodeError',
      'json: invalid body in a response with status 200: body: malformed JSON',
    ],
    [
      'another media type',
      respondOk('<p>Welcome</p>', 'text/html'),
      'json',
      'DecodeError',
      'json: invalid body in a response with status 200: body: must be application/json, got text/html',
    ],
    [
      'an unknown charset',
      respondOk('a', 'text/plain;charset=unknown'),
      'text',
      'DecodeError',
      'text: invalid body in a response with status 200: body: Unsupported charset. Send the body in UTF-8.',
    ],
    [
      'an undeclared status',
      (response) => {
        response.statusCode = 418
        response.end('short and stout')
      },
      'text',
      'UndeclaredStatus',
      'text: undeclared status 418 Client Error',
    ],
    [
      'an undeclared redirect',
      (response) => {
        response.writeHead(302, { Location: '/elsewhere' }).end()
      },
      'text',
      'UndeclaredStatus',
      'text: undeclared status 302 Found',
    ],
    [
      'a truncated body',
      (response) => {
        response.writeHead(200, { 'Content-Length': 100 }).write('{"title"')
        setTimeout(() => response.destroy(), 20)
      },
      'json',
      'NetworkError',
      'json: network error: other side closed',
    ],
  ])
  test('a declared failure with an undeclared media type results in a DecodeError', () =>
    withHttpService(
      (response) => {
        response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not Found</h1>')
      },
      async (library) => {
        const error = await errorIn(library.json())
        assert.is(error._tag, 'DecodeError')
        assert.is('status' in error && error.status, 404)
      },
    ))
  test('a declared failure is decoded', () =>
    withHttpService(
      (response) => {
        response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"why":"lost"}')
      },
      async (library) => {
        const failure = await left(library.json())
        assert.equal('body' in failure && failure.body, { why: 'lost' })
      },
    ))
  test('an undeclared problem document is parsed', () =>
    withHttpService(
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
  test('the message contains the detail of a problem document', () =>
    withHttpService(
      (response) => {
        response
          .writeHead(403, { 'Content-Type': 'application/problem+json' })
          .end('{"detail":"The card is of another library."}')
      },
      async (library) =>
        assert.is(
          (await errorIn(library.text())).message,
          'text: undeclared status 403 Forbidden: The card is of another library.',
        ),
    ))
  test('an undeclared response keeps 64 KiB and cancels the rest', async () => {
    const closed: string[] = []
    await withHttpService(
      (response) => {
        response.statusCode = 500
        response.on('close', () => closed.push('closed'))
        const write = (): void => {
          while (!response.destroyed && response.write('x'.repeat(16_384)));
        }
        response.on('drain', write)
        write()
      },
      async (library) => {
        const error = await errorIn(library.text())
        assert.is('text' in error && error.text.length, 65_536)
        await waitUntil(() => closed.length > 0)
      },
    )
    assert.is(closed.length, 1)
  })
  test('a body above maxBodySize results in ResponseTooLarge', () =>
    withHttpService(
      respondOk('x'.repeat(1001)),
      async (library) => {
        const error = await errorIn(library.text())
        assert.is(error._tag, 'ResponseTooLarge')
        assert.is(
          error.message,
          'text: the body of a response with status 200 exceeds 1000 bytes (maxBodySize)',
        )
      },
      { maxBodySize: 1000 },
    ))
  test('a body of exactly maxBodySize bytes is decoded', () =>
    withHttpService(
      respondOk('x'.repeat(1000)),
      async (library) => void (await right(library.text())),
      {
        maxBodySize: 1000,
      },
    ))
  test('an abort while the body is read results in Aborted', () =>
    withHttpService(
      (response) => void response.write('{"title"'),
      async (library) => {
        const controller = new AbortController()
        setTimeout(() => controller.abort('enough'), 30)
        const error = await errorIn(library.json({}, { signal: controller.signal }))
        assert.equal([error._tag, error.cause], ['Aborted', 'enough'])
      },
    ))
  test('an abort before the response results in Aborted', () =>
    withHttpService(
      () => undefined,
      async (library) => {
        const error = await errorIn(library.json({}, { signal: AbortSignal.timeout(30) }))
        assert.is(error._tag, 'Aborted')
      },
    ))
})

describe('broken connections', (test) => {
  type Broken = readonly [name: string, bytes: string]
  const testBrokenConnections = (rows: ReadonlyArray<Broken>): void =>
    table<Broken>(test, rows, (_, bytes) =>
      withSocketService(
        (socket) => socket.end(bytes),
        async (library) => {
          const error = await errorIn(library.json())
          assert.is(error._tag, 'NetworkError')
          assert.ok(error.message.startsWith('json: network error: '), error.message)
        },
      ),
    )
  testBrokenConnections([
    ['an empty response', ''],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a truncated head', 'HTTP/1.1 200 OK\r\nContent-Ty'],
    [
      'a body shorter than Content-Length',
      'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"title":"a"}',
    ],
    ['a truncated chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{"title":'],
    [
      'a missing last chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{"title":"a"}\r\n',
    ],
  ])
  test('a body delimited by the end of the connection is complete', () =>
    withSocketService(
      (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"title":"a"}'),
      async (library) => assert.equal((await right(library.json())).body, { title: 'a' }),
    ))
  test('a closed port results in a NetworkError', async () => {
    const error = await errorIn(client(contract, { baseUrl: await unusedUrl() }).json())
    assert.is(error._tag, 'NetworkError')
    assert.match(error.message, /ECONNREFUSED/)
  })
})
