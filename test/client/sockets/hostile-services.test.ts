/** Services that never end a response: calls settle, memory is bounded, and connections are closed. */
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyDecodedResponse, ClientError, Policy } from '../../../src/client.ts'
import { client, followRedirects, retry } from '../../../src/client.ts'
import {
  bytes,
  fails,
  get,
  int,
  json,
  jsonStream,
  multipartOutput,
  path,
  produces,
  repeated,
  routes,
  sse,
  text,
} from '../../../src/index.ts'
import { left } from '../../support/clients.ts'
import { describe, table } from '../../support/describe.ts'
import { withServer } from '../../support/while-listening.ts'
import { readUntilFailure } from '../read-stream.ts'
import { transports, withService } from './scripted-service.ts'

const contract = routes({
  json: pipe(path('/json'), get(), produces(json(t.array(t.string))), fails(404)),
  text: pipe(path('/text'), get(), produces(text)),
  bytes: pipe(path('/bytes'), get(), produces(bytes)),
  events: pipe(path('/events'), get(), produces(sse(int))),
  lines: pipe(path('/lines'), get(), produces(jsonStream(int))),
  record: pipe(path('/record'), get(), produces(multipartOutput({ a: repeated(text) }))),
  parts: pipe(path('/parts'), get(), produces(multipartOutput)),
})
type Operation = 'json' | 'text' | 'bytes' | 'events' | 'lines' | 'record' | 'parts'

const maxBodySize = 100_000
const bomb = gzipSync(' '.repeat(64 * 1024 * 1024))

/** Writes a text again and again until the client closes the connection, or until `limit` bytes are written. */
const flood = async (socket: Socket, content: string, limit: number): Promise<number> => {
  const block = Buffer.from(content.repeat(Math.ceil(16_384 / content.length)), 'latin1')
  let written = 0
  while (!socket.destroyed && written < limit) {
    written += block.length
    await new Promise((resolve) => socket.write(block, resolve))
  }
  return written
}

interface Flood {
  /** The start of the response, and the text that is repeated. */
  readonly start: string
  readonly content: string
}

const head = (status: string, type: string): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`
const multipart = head('200 OK', 'multipart/form-data; boundary=b')
const emptyPart = '--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n'

/** Number of bytes after which a test fails, because the client still reads. A fast machine sends more than 200 MiB until a timeout. */
const limitOf = (expected: string | number): number =>
  (expected === 'TimedOut' ? 20_000 : 200) * 1024 * 1024

type Failure = ClientError | AnyDecodedResponse

describe('responses without end', (test) => {
  for (const [transport, open] of transports)
    table<readonly [title: string, operation: Operation, flood: Flood, expected: string | number]>(
      test,
      (
        [
          [
            'a JSON body',
            'json',
            [head('200 OK', 'application/json'), '["a",'],
            'ResponseTooLarge',
          ],
          [
            'white space in JSON',
            'json',
            [head('200 OK', 'application/json'), ' '],
            'ResponseTooLarge',
          ],
          ['a text', 'text', [head('200 OK', 'text/plain'), 'a'], 'ResponseTooLarge'],
          ['bytes', 'bytes', [head('200 OK', 'application/octet-stream'), 'a'], 'ResponseTooLarge'],
          ['an undeclared status', 'json', [head('500 No', 'text/plain'), 'a'], 'UndeclaredStatus'],
          ['an undeclared type', 'json', [head('200 OK', 'text/html'), 'a'], 'DecodeError'],
          ['a problem', 'json', [head('404 No', 'application/problem+json'), '{"a":'], 404],
          ['a failure without a body', 'json', [head('404 No', 'text/plain'), 'a'], 404],
          [
            'a line of events',
            'events',
            [head('200 OK', 'text/event-stream'), 'data: 1'],
            'ResponseTooLarge',
          ],
          [
            'an event',
            'events',
            [head('200 OK', 'text/event-stream'), 'data: 1\n'],
            'ResponseTooLarge',
          ],
          [
            'a comment',
            'events',
            [head('200 OK', 'text/event-stream'), ': a\n'],
            'ResponseTooLarge',
          ],
          ['an id', 'events', [head('200 OK', 'text/event-stream'), 'id: a\n'], 'ResponseTooLarge'],
          [
            'an element',
            'lines',
            [`${head('200 OK', 'application/json')}[`, '1'],
            'ResponseTooLarge',
          ],
          ['a line', 'lines', [head('200 OK', 'application/json'), '1'], 'ResponseTooLarge'],
          ['empty parts of a record', 'record', [multipart, emptyPart], 'ResponseTooLarge'],
          [
            'a part of a record',
            'record',
            [multipart + emptyPart.slice(0, -2), 'a'],
            'ResponseTooLarge',
          ],
          [
            'parts of a record with other names',
            'record',
            [multipart, emptyPart.replace('=a', '=b')],
            'ResponseTooLarge',
          ],
          ['a preamble of a record', 'record', [multipart, 'a'], 'ResponseTooLarge'],
          ['spaces after a delimiter', 'record', [`${multipart}--b`, ' '], 'ResponseTooLarge'],
          ['headers of a part', 'parts', [`${multipart}--b\r\n`, 'A: b\r\n'], 'DecodeError'],
          ['headers', 'json', ['HTTP/1.1 200 OK\r\n', 'A: b\r\n'], 'NetworkError'],
          ['a header', 'json', ['HTTP/1.1 200 OK\r\nA: ', 'b'], 'NetworkError'],
          ['a status line', 'json', ['HTTP/1.1 200 ', 'b'], 'TimedOut'],
          ['interim responses', 'json', ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'], 'TimedOut'],
          [
            'a chunk extension',
            'json',
            ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'b'],
            'TimedOut',
          ],
        ] as const
      ).map(([title, operation, [start, content], expected]) => [
        `${title} over ${transport}`,
        operation,
        { start, content },
        expected,
      ]),
      async (_, operation, { start, content }, expected) => {
        let written = Promise.resolve(0)
        const server = createServer((socket) => {
          socket
            .on('error', () => undefined)
            .once('data', () => {
              socket.write(start)
              written = flood(socket, content, limitOf(expected))
            })
        })
        await withServer(server, async ({ url }) => {
          const { passage, close } = open()
          const timeout = expected === 'TimedOut' ? 100 : '30s'
          const options = { baseUrl: url, transport: passage, maxBodySize, timeout } as const
          const calls = client(contract, options)
          const call: () => Promise<unknown> = calls[operation as 'json']()
          const result = (await call()) as Awaited<ReturnType<ReturnType<typeof calls.events>>>
          const failure: Failure =
            result._tag === 'Left'
              ? result.left
              : (await readUntilFailure(result.right.body as AsyncIterable<unknown>))[1]
          assert.is('_tag' in failure ? failure._tag : failure.status, expected)
          assert.ok((await written) < limitOf(expected), 'the connection remains open')
          await close()
        })
      },
    )
})

describe('responses that demand many requests', (test) => {
  table<
    readonly [
      title: string,
      policy: Policy,
      headers: Readonly<Record<string, string>>,
      requests: number,
    ]
  >(
    test,
    [
      ['redirects', followRedirects(), { Location: '' }, 6],
      ['redirects to the same resource', followRedirects(), { Location: '/text' }, 1],
      ['Retry-After: 0', retry({ times: 3, budget: 'unlimited' }), { 'Retry-After': '0' }, 4],
      ['Retry-After: -1', retry({ times: 3, budget: 'unlimited' }), { 'Retry-After': '-1' }, 4],
      [
        'a Retry-After in the past',
        retry({ times: 3, budget: 'unlimited' }),
        { 'Retry-After': 'Thu, 01 Jan 1970 00:00:00 GMT' },
        4,
      ],
      [
        'a large Retry-After',
        retry({ times: 3, budget: 'unlimited' }),
        { 'Retry-After': '9'.repeat(400) },
        1,
      ],
    ],
    (_, policy, headers, requests) =>
      withService(
        (response, __, number) => {
          const location = headers['Location'] === '' ? { Location: `/text?${number}` } : {}
          const status = 'Location' in headers ? 302 : 503
          response.writeHead(status, { ...headers, ...location }).end()
        },
        async ({ url, seen }) => {
          const started = performance.now()
          const failure = await left(client(contract, { baseUrl: url, policies: [policy] }).text())
          assert.ok('_tag' in failure && failure._tag === 'UndeclaredStatus')
          assert.is(seen.length, requests)
          // the backoff is at least 50, 100 and 200 ms
          if (requests === 4) assert.ok(performance.now() - started > 300)
        },
      ),
  )
})

describe('compressed responses', (test) => {
  table<readonly [title: string, type: string, operation: 'json' | 'record', expected: string]>(
    test,
    [
      ['a body', 'application/json', 'json', 'ResponseTooLarge'],
      ['an undeclared type', 'text/html', 'json', 'DecodeError'],
      ['a record', 'multipart/form-data; boundary=b', 'record', 'ResponseTooLarge'],
    ],
    (_, type, operation, expected) =>
      withService(
        (response) =>
          response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' }).end(bomb),
        async ({ url }) => {
          const failure = await left<Failure, unknown>(
            client(contract, { baseUrl: url, maxBodySize })[operation](),
          )
          assert.is('_tag' in failure && failure._tag, expected)
        },
      ),
  )
})
