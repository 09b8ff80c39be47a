/** Request bodies of a mounted tree: bodies that middleware has read before, `Expect`, limits and slow bodies. */
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { describe, describeConcurrently, table } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { withServer } from '../../support/while-listening.ts'
import { createServer } from 'node:http'
import { direct, withMounted } from './mounting.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** What middleware does before the listener. */
type Middleware = (request: IncomingMessage) => unknown

const readJson: Middleware = async (request) =>
  Object.assign(request, { body: JSON.parse(String(await buffer(request))) })

const keepRawBody: Middleware = async (request) => {
  const rawBody = await buffer(request)
  Object.assign(request, { rawBody, body: JSON.parse(String(rawBody)) })
}

const readBytes: Middleware = async (request) =>
  Object.assign(request, { body: await buffer(request) })

const json = '{"name":"Ann"}'

const post = (url: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    body: json,
    headers: {
      'Content-Type': path === '/copy' ? 'application/octet-stream' : 'application/json',
      ...headers,
    },
  })

type ReadRow = readonly [title: string, before: Middleware, path: string, text: string]

const read: ReadonlyArray<ReadRow> = [
  ['an unread body', () => undefined, '/name', 'Ann'],
  ['a paused request', (request) => request.pause(), '/name', 'Ann'],
  ['rawBody', keepRawBody, '/name', 'Ann'],
  ['a body of bytes', readBytes, '/name', 'Ann'],
  ['rawBody as a stream', keepRawBody, '/copy', json],
  ['an unread body as a stream', () => undefined, '/copy', json],
  ['a paused request as a stream', (request) => request.pause(), '/copy', json],
]

describe('request bodies of nodeListener', (test) => {
  table<ReadRow>(test, read, (_, before, path, text) =>
    withMounted(
      {},
      async (listener, request, response) => {
        await before(request)
        listener(request, response)
      },
      async ({ url }) => assert.is(await (await post(url, path)).text(), text),
    ),
  )
  type LostRow = readonly [title: string, before: Middleware, path: string]
  const lost: ReadonlyArray<LostRow> = [
    ['a parsed body', readJson, '/name'],
    ['a parsed body, read as a stream', readJson, '/copy'],
    ['an encoding', (request) => request.setEncoding('utf8'), '/name'],
    ['a listener for data', (request) => request.on('data', () => undefined), '/name'],
  ]
  table<LostRow>(test, lost, (_, before, path) =>
    withMounted(
      {},
      async (listener, request, response) => {
        await before(request)
        listener(request, response)
      },
      async ({ url, lines }) => {
        const response = await post(url, path)
        assert.is(response.status, 500)
        assert.not.match(await response.text(), 'express')
        const errors = lines.filter(({ level }) => level === 'error')
        assert.is(errors.length, 1)
        assert.match(
          String(errors[0]?.members['err']),
          'mount nodeListener before body parsers such as express.json()',
        )
      },
    ),
  )
  test('decompressed bytes of a request with a content coding are not used', () =>
    withMounted(
      { 'fw.http.enable-decompression': true },
      async (listener, request, response) => {
        await readBytes(request)
        listener(request, response)
      },
      async ({ url }) =>
        assert.is((await post(url, '/name', { 'Content-Encoding': 'gzip' })).status, 500),
    ))
  test('an operation without a body ignores a body that has been read', () =>
    withMounted(
      {},
      async (listener, request, response) => {
        await readJson(request)
        listener(request, response)
      },
      async ({ url }) => assert.is((await post(url, '/created')).status, 201),
    ))
  for (const before of [readBytes, () => undefined])
    for (const path of ['/name', '/copy'])
      test(`a body above the limit gets 413, ${path}, ${before.name}`, () =>
        withMounted(
          { 'fw.http.limits.max-body-size': '10', 'fw.http.limits.max-parsed-body-size': '10' },
          async (listener, request, response) => {
            await before(request)
            listener(request, response)
          },
          async ({ url }) => assert.is((await post(url, path)).status, 413),
        ))
})

const head = (path: string, length = 3): string =>
  rawRequest(`POST ${path}`, 'Expect: 100-continue', `Content-Length: ${length}`)

describe('Expect: 100-continue to nodeListener', (test) => {
  test('100 is sent once if the server has sent it', () =>
    withMounted({}, direct, async ({ url }) => {
      const connection = await connectTo(url)
      connection.write(head('/echo'))
      assert.is((await connection.next()).status, 100)
      connection.write('abc')
      assert.equal((await connection.next()).body, 'abc')
      connection.write(rawRequest('GET /hello'))
      assert.is((await connection.next()).status, 200)
      connection.destroy()
    }))
  test('100 is sent when the body is read if the server has a checkContinue listener', () =>
    withMounted({}, direct, async ({ listener }) => {
      const server = createServer()
      server.on('checkContinue', (request, response) => listener(request, response))
      await withServer(server, async ({ url }) => {
        const rejected = await connectTo(url)
        rejected.write(head('/unknown'))
        assert.is((await rejected.next()).status, 404)
        await rejected.closed()
        const connection = await connectTo(url)
        connection.write(head('/echo'))
        assert.is((await connection.next()).status, 100)
        connection.write('abc')
        assert.equal((await connection.next()).body, 'abc')
        connection.destroy()
      })
    }))
})

describeConcurrently('slow bodies and disconnects of nodeListener', (test) => {
  test('a body below the minimum rate gets 408', () =>
    withMounted({ 'fw.http.limits.min-body-rate': '1000' }, direct, async ({ url }) => {
      const connection = await connectTo(url)
      connection.write(
        `${rawRequest('POST /name', 'Content-Type: application/json', 'Content-Length: 100')}{`,
      )
      assert.is((await connection.next()).status, 408)
      connection.destroy()
    }))
  test('the rest of a rejected body is discarded, and the connection closes', () =>
    withMounted({ 'fw.http.limits.max-body-size': '10' }, direct, async ({ url }) => {
      const connection = await connectTo(url)
      connection.write(rawRequest('POST /copy', 'Content-Length: 100000'))
      assert.is((await connection.next()).status, 413)
      connection.write('a'.repeat(100_000))
      await connection.closed()
    }))
  test('a disconnect ends a body stream, and the server stays usable', () => {
    let closed = 0
    return withMounted(
      {},
      (listener, request, response) => {
        response.on('close', () => closed++)
        listener(request, response)
      },
      async ({ url }) => {
        const connection = await connectTo(url)
        connection.write(`${rawRequest('POST /copy', 'Content-Length: 100')}abc`)
        await connection.readable()
        connection.destroy()
        await waitUntil(() => closed === 1)
        assert.is((await fetch(`${url}/hello`)).status, 200)
      },
    )
  })
})
