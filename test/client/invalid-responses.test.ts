/** Services whose answers are none of those that were declared, and connections that do worse. */
import * as assert from 'uvu/assert'
import { client } from '../../src/client.ts'
import { errorIn, left, right } from '../support/clients.ts'
import type { Test } from '../support/describe.ts'
import { describe, table } from '../support/describe.ts'
import type { Answering, Getting } from '../support/services.ts'
import { answering, contract, speaking, with200 } from '../support/services.ts'
import { abandoned } from '../support/while-listening.ts'

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

describe('invalid responses of other services', (test) => {
  refused(test, [
    [
      'no content where there has to be one',
      with200('', 'application/json'),
      'json',
      'DecodeError',
      'json: invalid body in a response with status 200: body: is required: { title: string }',
    ],
    [
      'what is no JSON',
      with200('{"title":', 'application/json'),
      'json',
      'DecodeError',
      'json: invalid body in a response with status 200: body: malformed JSON',
    ],
    [
      'another media type',
      with200('<p>Welcome</p>', 'text/html'),
      'json',
      'DecodeError',
      'json: invalid body in a response with status 200: body: must be application/json, got text/html',
    ],
    [
      'a charset that nobody knows',
      with200('a', 'text/plain;charset=klingon'),
      'text',
      'DecodeError',
      'text: invalid body in a response with status 200: body: Unsupported charset. Send the body in UTF-8.',
    ],
    [
      'another status',
      (response) => {
        response.statusCode = 418
        response.end('short and stout')
      },
      'text',
      'UndeclaredStatus',
      'text: undeclared status 418 Client Error',
    ],
    [
      'a redirection that is not declared',
      (response) => {
        response.writeHead(302, { Location: '/elsewhere' }).end()
      },
      'text',
      'UndeclaredStatus',
      'text: undeclared status 302 Found',
    ],
    [
      'a content that breaks off',
      (response) => {
        response.writeHead(200, { 'Content-Length': 100 }).write('{"title"')
        setTimeout(() => response.destroy(), 20)
      },
      'json',
      'NetworkError',
      'json: network error: other side closed',
    ],
  ])
  test('a declared failure with the body of another one is a DecodeError', () =>
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
  test('a declared failure of another service is decoded', () =>
    answering(
      (response) => {
        response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"why":"lost"}')
      },
      async (library) => {
        const failure = await left(library.json())
        assert.equal('body' in failure && failure.body, { why: 'lost' })
      },
    ))
  test('an undeclared problem document is parsed', () =>
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
  test('the message contains title and detail of a problem document', () =>
    answering(
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
    await answering(
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
        assert.is('content' in error && error.content.length, 65_536)
        for (let tries = 0; closed.length === 0 && tries < 100; tries++)
          await new Promise((resolve) => setTimeout(resolve, 10))
      },
    )
    assert.is(closed.length, 1)
  })
  test('a body above maxContentLength is a ContentTooLarge', () =>
    answering(
      with200('x'.repeat(1001)),
      async (library) => {
        const error = await errorIn(library.text())
        assert.is(error._tag, 'ContentTooLarge')
        assert.is(
          error.message,
          'text: the body of a response with status 200 exceeds 1000 bytes (maxContentLength)',
        )
      },
      { maxContentLength: 1000 },
    ))
  test('a body of exactly maxContentLength bytes is decoded', () =>
    answering(with200('x'.repeat(1000)), async (library) => void (await right(library.text())), {
      maxContentLength: 1000,
    }))
  test('an abort while the body is read is an Aborted', () =>
    answering(
      (response) => void response.write('{"title"'),
      async (library) => {
        const controller = new AbortController()
        setTimeout(() => controller.abort('enough'), 30)
        const error = await errorIn(library.json({}, { signal: controller.signal }))
        assert.equal([error._tag, error.cause], ['Aborted', 'enough'])
      },
    ))
  test('an abort before the response is an Aborted', () =>
    answering(
      () => undefined,
      async (library) => {
        const error = await errorIn(library.json({}, { signal: AbortSignal.timeout(30) }))
        assert.is(error._tag, 'Aborted')
      },
    ))
})

describe('broken connections', (test) => {
  type Broken = readonly [name: string, octets: string]
  const breaking = (rows: ReadonlyArray<Broken>): void =>
    table<Broken>(test, rows, (_, octets) =>
      speaking(
        (socket) => socket.end(octets),
        async (library) => {
          const error = await errorIn(library.json())
          assert.is(error._tag, 'NetworkError')
          assert.ok(error.message.startsWith('json: network error: '), error.message)
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
  test('a body delimited by the end of the connection is complete', () =>
    speaking(
      (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"title":"a"}'),
      async (library) => assert.equal((await right(library.json())).body, { title: 'a' }),
    ))
  test('a refused connection is a NetworkError', async () => {
    const error = await errorIn(client(contract, { baseUrl: await abandoned() }).json())
    assert.is(error._tag, 'NetworkError')
    assert.match(error.message, /ECONNREFUSED/)
  })
})
