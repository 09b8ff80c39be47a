/** Requests over HTTP/2: heads, limits, and properties of the connection. */
import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http2'
import { constants } from 'node:http2'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  accessLog,
  get,
  handle,
  method,
  path,
  preMatching,
  produces,
  rewrite,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'
import { createRecorder } from '../../support/recorder.ts'
import { closeCode, exchange, withSession } from './client.ts'
import { api } from './requests-api.ts'

const pseudo = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders => ({
  ':path': '/headers',
  ...headers,
})

/** Declares a method that is not in `http.METHODS`. A filter rewrites another one. */
const extended = pipe(
  routes({
    get: pipe(
      path('/cheese'),
      get(),
      produces(text),
      handle(() => 'GET'),
    ),
    cheese: pipe(
      path('/cheese'),
      method('CHEESE')(),
      produces(text),
      handle((_, { request }) => request.method),
    ),
  }),
  withFilter(
    preMatching(({ request }) =>
      request.method === 'RIND' ? rewrite({ method: 'GET' }) : undefined,
    ),
  ),
)

describe('HTTP/2 requests with methods that node:http does not support', (test) => {
  table(
    test,
    [
      ['CHEESE', 200, 'CHEESE'],
      ['RIND', 200, 'GET'],
      ['cheese', 501, undefined],
      ['BREW', 501, undefined],
      ['POST', 405, undefined],
    ] as const,
    (name, status, content) =>
      withSession(
        extended,
        async (session) => {
          const received = await exchange(session, { ':method': name, ':path': '/cheese' })
          assert.is(received.status, status)
          if (content !== undefined) assert.is(received.body, content)
        },
        { 'fw.http.connection': 'direct' },
      ),
  )
})

describe('HTTP/2 requests', (test) => {
  table(
    test,
    [
      ['a path that is not declared', { ':path': '/missing' }, 404],
      [
        'the absolute form of a target',
        { ':path': 'http://a.example/headers', ':scheme': 'ftp' },
        400,
      ],
      ['an invalid path', { ':path': '/a"b' }, 400],
      ['OPTIONS *', { ':method': 'OPTIONS', ':path': '*' }, 204],
      ['* with GET', { ':path': '*', ':scheme': 'ftp' }, 400],
      ['an unknown method', { ':method': 'BREW' }, 501],
      ['Host that differs from :authority', { ':authority': 'a.example', host: 'b.example' }, 400],
      ['Host that equals :authority', { ':authority': 'a.example', host: 'A.example' }, 200],
      ['an unknown expectation', { expect: 'magic' }, 417],
      ['a path that is too long', { ':path': `/headers?${'a'.repeat(8192)}` }, 414],
      ['a header that is too long', { 'x-long': 'a'.repeat(16 * 1024) }, 431],
      [
        'too many headers',
        Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`x-${i}`, ''])),
        431,
      ],
    ] as const,
    (_, headers, status) =>
      withSession(api, async (session) => {
        const received = await exchange(session, pseudo(headers))
        assert.is(received.status, status)
        // the connection stays open
        const next = await exchange(session, pseudo({}))
        assert.is(next.status, 200)
      }),
  )

  test('user information in :authority is rejected', () =>
    withSession(api, async (session) => {
      const headers = pseudo({ ':authority': 'user@a.example' })
      const result = await exchange(session, headers).then(({ status }) => status, String)
      // from Node.js 22 on, nghttp2 resets the stream (RFC 9113, 8.3.1)
      assert.ok(result === 400 || /PROTOCOL_ERROR/.test(String(result)), String(result))
      assert.is((await exchange(session, pseudo({}))).status, 200)
    }))

  test('CONNECT is rejected with 405', () =>
    withSession(api, async (session) => {
      const { status } = await exchange(session, { ':method': 'CONNECT', ':authority': 'a:443' })
      assert.is(status, 405)
    }))

  test('a header section above twice the limits resets the stream', () =>
    withSession(api, async (session) => {
      // the limit applies once the client has acknowledged it
      await exchange(session, pseudo({}))
      const stream = session.request({ ':path': '/headers', 'x-long': 'a'.repeat(62 * 1024) })
      assert.is(await closeCode(stream), constants.NGHTTP2_ENHANCE_YOUR_CALM)
      assert.is((await exchange(session, pseudo({}))).status, 200)
    }))

  test('handlers receive Host, one Cookie and repeated headers', () =>
    withSession(api, async (session) => {
      const { body: received } = await exchange(session, {
        ':path': '/headers',
        ':authority': 'a.example',
        cookie: ['a=1', 'b=2'],
        'x-list': ['1', '2'],
      })
      assert.is(received, 'host: a.example\ncookie: a=1; b=2\nx-list: 1 and 2')
    }))

  test('nodeRequest and nodeResponse are undefined', () =>
    withSession(api, async (session) => {
      const { body: received } = await exchange(session, { ':path': '/node' })
      assert.is(received, 'undefined undefined')
    }))

  test('headers of the connection are not sent', () =>
    withSession(api, async (session) => {
      const { headers } = await exchange(session, { ':path': '/connection' })
      assert.equal(Object.keys(headers).toSorted(), [
        ':status',
        'content-length',
        'content-type',
        'date',
        'x-kept',
      ])
    }))

  test('100 is sent when the body is read', () =>
    withSession(api, async (session) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/echo',
        'content-type': 'text/plain',
        expect: '100-continue',
      })
      await once(stream, 'continue')
      stream.end('sent')
      const [headers] = (await once(stream, 'response')) as [{ readonly ':status': number }]
      assert.is(headers[':status'], 200)
    }))

  test('100 is not sent if the request is rejected before its body', () =>
    withSession(api, async (session) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/echo',
        'content-type': 'application/x-unknown',
        expect: '100-continue',
      })
      let continues = 0
      stream.on('continue', () => continues++)
      const [headers] = (await once(stream, 'response')) as [{ readonly ':status': number }]
      assert.equal([headers[':status'], continues], [415, 0])
    }))

  test('forwarded headers of a trusted proxy are used', () =>
    withSession(
      api,
      async (session) => {
        const { body: received } = await exchange(session, {
          ':path': '/where',
          'x-forwarded-for': '203.0.113.9',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'public.example',
        })
        assert.is(received, 'https://public.example/where true 203.0.113.9 no certificate')
      },
      { 'fw.http.proxy.trusted': '127.0.0.1' },
    ))

  test('a host that is not allowed receives 421', () =>
    withSession(
      api,
      async (session) => {
        assert.is((await exchange(session, pseudo({ ':authority': 'b.example' }))).status, 421)
        assert.is((await exchange(session, pseudo({ ':authority': 'a.example' }))).status, 200)
      },
      { 'fw.http.allowed-hosts': 'a.example' },
    ))

  test('requests are written to the access log', async () => {
    const recorder = createRecorder()
    await withSession(
      pipe(api, withFilter(accessLog())),
      async (session) => void (await exchange(session, pseudo({}))),
      { logger: recorder.logger },
    )
    const [line, ...others] = recorder.lines.filter(({ members }) => 'status' in members)
    assert.equal([line?.members['status'], others.length], [200, 0])
  })
})
