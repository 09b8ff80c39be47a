/** Malformed and incomplete responses. */
import { setTimeout as wait } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { timeout } from '../../src/client.ts'
import { errorIn } from '../support/clients.ts'
import { describe, table } from '../support/describe.ts'
import type { BufferedCall } from './plain-services.ts'
import { withSocketService } from './plain-services.ts'

const emma = '{"title":"a"}'

/** Returns the body of a success, the tag of an error, or a declared failure. */
const resultOf = async (call: () => Promise<E.Either<object, { readonly body: unknown }>>) => {
  const result = await call()
  if (E.isRight(result)) return result.right.body
  return '_tag' in result.left ? result.left._tag : result.left
}

describe('malformed responses', (test) => {
  const json = 'Content-Type: application/json\r\n'
  table<readonly [name: string, bytes: string, call: BufferedCall, expected: unknown]>(
    test,
    [
      ['HTTP/1.0', `HTTP/1.0 200 OK\r\n${json}\r\n${emma}`, 'json', { title: 'a' }],
      [
        'HTTP/1.0 with Content-Length',
        `HTTP/1.0 200 OK\r\nContent-Length: 13\r\n\r\n${emma}`,
        'json',
        { title: 'a' },
      ],
      ['a missing reason phrase', `HTTP/1.1 200\r\n${json}\r\n${emma}`, 'json', { title: 'a' }],
      [
        'a 204 with a body',
        'HTTP/1.1 204 No Content\r\nContent-Type: text/plain\r\n\r\nhello',
        'maybe',
        undefined,
      ],
      [
        'several informational responses',
        `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n${json}\r\n${emma}`,
        'json',
        { title: 'a' },
      ],
      [
        'a duplicate Content-Type',
        `HTTP/1.1 200 OK\r\n${json}${json}\r\n${emma}`,
        'json',
        { title: 'a' },
      ],
      [
        'a header value in ISO-8859-1',
        `HTTP/1.1 200 OK\r\n${json}X-Name: caf\xe9\r\n\r\n${emma}`,
        'json',
        { title: 'a' },
      ],
      [
        'an unknown Content-Encoding',
        `HTTP/1.1 200 OK\r\n${json}Content-Encoding: utf-8\r\n\r\n${emma}`,
        'json',
        { title: 'a' },
      ],
      [
        'conflicting Content-Length values',
        `HTTP/1.1 200 OK\r\n${json}Content-Length: 13\r\nContent-Length: 14\r\n\r\n${emma}`,
        'json',
        'NetworkError',
      ],
      [
        'Transfer-Encoding and Content-Length',
        `HTTP/1.1 200 OK\r\n${json}Content-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n${emma}\r\n0\r\n\r\n`,
        'json',
        'NetworkError',
      ],
      [
        'a huge head',
        `HTTP/1.1 200 OK\r\n${json}X-Large: ${'x'.repeat(1_000_000)}\r\n\r\n${emma}`,
        'json',
        'NetworkError',
      ],
      [
        'a thousand headers',
        `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(1000)}\r\n${emma}`,
        'json',
        { title: 'a' },
      ],
      [
        'an unregistered status',
        'HTTP/1.1 299 Unregistered\r\nContent-Length: 0\r\n\r\n',
        'json',
        'UndeclaredStatus',
      ],
      ['a missing status', 'HTTP/1.1 OK\r\n\r\n', 'json', 'NetworkError'],
    ],
    (_, bytes, call, expected) =>
      withSocketService(
        (socket) => socket.end(Buffer.from(bytes, 'latin1')),
        async (library) => assert.equal(await resultOf(library[call]()), expected),
      ),
  )
  test('bytes beyond Content-Length are not part of the body', () =>
    withSocketService(
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n${emma} and more`),
      async (library) => assert.equal(await resultOf(library.json()), { title: 'a' }),
    ))
  test('a connection reset before, within and after the head is a NetworkError', async () => {
    for (const bytes of [
      '',
      'HTTP/1.1 200 O',
      'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"tit',
    ])
      await withSocketService(
        (socket) => {
          if (bytes === '') socket.resetAndDestroy()
          else socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20))
        },
        async (library) => {
          const error = await errorIn(library.json())
          assert.is(error._tag, 'NetworkError', bytes)
          assert.match(error.message, /^json: network error: ./)
        },
      )
  })
  test('a connection reset while the request body is sent is a NetworkError', () =>
    withSocketService(
      (socket) => socket.resetAndDestroy(),
      async (library) =>
        assert.is(
          (await errorIn(library.send({ body: { title: 'x'.repeat(8_000_000) } })))._tag,
          'NetworkError',
        ),
    ))
  test('a response before the end of the request body is decoded', () =>
    withSocketService(
      (socket) =>
        socket.end(
          'HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        ),
      async (library) => {
        const error = await errorIn(library.send({ body: { title: 'x'.repeat(8_000_000) } }))
        // closing a connection with unread data resets it, and the response may be lost
        assert.ok(['UndeclaredStatus', 'NetworkError'].includes(error._tag), error._tag)
      },
    ))
  test('a wrong Content-Encoding results in an error', () =>
    withSocketService(
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n${emma}`),
      async (library) => {
        const error = await errorIn(library.json())
        assert.ok(['NetworkError', 'TimedOut'].includes(error._tag), error._tag)
      },
      { policies: [timeout('50ms', { covers: 'body' })] },
    ))
  test('a response in one-byte chunks is decoded, or times out', () =>
    withSocketService(
      async (socket) => {
        for (const character of `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 13\r\n\r\n${emma}`) {
          if (socket.destroyed) return
          socket.write(character)
          await wait(2)
        }
      },
      async (library) => {
        assert.equal(await resultOf(library.json()), { title: 'a' })
        const policies = [timeout('30ms', { covers: 'body' })]
        assert.is((await errorIn(library.json({}, { policies })))._tag, 'TimedOut')
      },
    ))
})
