/** Tests of `fw.http.allowed-hosts`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  health,
  path,
  post,
  preMatching,
  produces,
  rewrite,
  routes,
  body,
  text,
  critical,
  withFilter,
} from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { head } from '../../support/raw.ts'

/** The paths of the requests that pre-matching filters received. */
const filteredPaths: string[] = []

const api = pipe(
  routes({
    health: health(),
    own: pipe(
      path('/own'),
      get(),
      critical,
      produces(text),
      handle(() => 'critical'),
    ),
    rewritten: pipe(
      path('/rewritten'),
      get(),
      critical,
      produces(text),
      handle(() => 'critical'),
    ),
    plain: pipe(
      path('/plain'),
      get(),
      produces(text),
      handle(() => 'plain'),
    ),
    echo: pipe(
      path('/plain'),
      post(),
      body(text),
      produces(text),
      handle((input) => input.body),
    ),
  }),
  withFilter(
    preMatching(({ request }) => {
      filteredPaths.push(request.path)
      return request.path === '/rewritten' ? rewrite({ target: '/plain' }) : undefined
    }),
  ),
)

const hosts = 'example.com, *.example.org:8443, [::1]'
const start = (options: ServeOptions = {}): Promise<Server> =>
  serveLocally(api, { 'fw.http.allowed-hosts': hosts, ...options })

const request = (line: string, ...headers: ReadonlyArray<string>): string =>
  head(`${line} HTTP/1.1`, ...headers)

const evil = 'Host: evil.example'

describe('fw.http.allowed-hosts', (test, { before, after }) => {
  let server: Server
  let trusting: Server
  before(async () => {
    server = await start()
    trusting = await start({ 'fw.http.proxy.trusted': '127.0.0.1' })
  })
  after(async () => {
    await Promise.all([server.close(), trusting.close()])
  })

  const statusOf = async (message: string, target = server, method = 'GET'): Promise<number> => {
    const connection = await connectTo(target.url)
    connection.write(message)
    const { status } = await connection.next(method)
    connection.destroy()
    return status
  }

  table<readonly [string, string, number]>(
    test,
    [
      ['an allowed host', request('GET /plain', 'Host: example.com'), 200],
      ['another port', request('GET /plain', 'Host: Example.COM.:81'), 200],
      ['a host below a wildcard', request('GET /plain', 'Host: a.example.org:8443'), 200],
      [
        'a host below a wildcard without its port',
        request('GET /plain', 'Host: a.example.org'),
        421,
      ],
      ['an address', request('GET /plain', 'Host: [0::1]:80'), 200],
      ['another host', request('GET /plain', evil), 421],
      ['a missing path', request('GET /missing', evil), 421],
      ['a missing method', request('PUT /plain', evil), 421],
      ['OPTIONS', request('OPTIONS /plain', evil), 421],
      ['OPTIONS of an allowed host', request('OPTIONS /plain', 'Host: example.com'), 204],
      ['OPTIONS *', request('OPTIONS *', evil), 421],
      ['OPTIONS * of an allowed host', request('OPTIONS *', 'Host: example.com'), 204],
      ['an absolute target', request('GET http://evil.example/plain', 'Host: example.com'), 421],
      ['an allowed absolute target', request('GET http://example.com/plain', evil), 200],
      ['an empty host', request('GET /plain', 'Host:'), 421],
      ['HTTP/1.0 without a host', head('GET /plain HTTP/1.0'), 421],
      ['HTTP/1.0 with a host', head('GET /plain HTTP/1.0', 'Host: example.com'), 200],
      ['a malformed host', request('GET /plain', 'Host: a b'), 400],
      ['a missing host', request('GET /plain'), 400],
      [
        'a forwarded host of an untrusted proxy',
        request('GET /plain', evil, 'X-Forwarded-Host: example.com'),
        421,
      ],
      ['a health probe', request('GET /health/live', 'Host: 10.0.0.7:8080'), 200],
      ['a health probe of HTTP/1.0', head('GET /health HTTP/1.0'), 200],
      ['a critical operation', request('GET /own', evil), 200],
      ['another method of a critical operation', request('OPTIONS /own', evil), 421],
      ['a critical path that is rewritten', request('GET /rewritten', evil), 421],
    ],
    async (_, message, status) => assert.is(await statusOf(message), status),
  )
  table<readonly [string, ReadonlyArray<string>, number]>(
    test,
    [
      ['an allowed forwarded host', [evil, 'X-Forwarded-Host: example.com'], 200],
      ['another forwarded host', ['Host: example.com', 'X-Forwarded-Host: evil.example'], 421],
      ['Forwarded', ['Host: example.com', 'Forwarded: for=192.0.2.1;host=evil.example'], 421],
      [
        'a forwarded port',
        [evil, 'X-Forwarded-Host: a.example.org', 'X-Forwarded-Port: 8443'],
        200,
      ],
      ['no forwarded host', ['Host: example.com', 'X-Forwarded-For: 192.0.2.1'], 200],
    ],
    async (title, headers, status) =>
      assert.is(await statusOf(request('GET /plain', ...headers), trusting), status, title),
  )

  test('HEAD for another host returns 421 without a body', async () =>
    assert.is(await statusOf(request('HEAD /plain', evil), server, 'HEAD'), 421))
  test('HEAD for a critical operation returns 200', async () =>
    assert.is(await statusOf(request('HEAD /own', evil), server, 'HEAD'), 200))
  test('421 is a problem document that does not repeat the host', async () => {
    for (const accept of ['application/problem+json', 'text/html', 'text/plain']) {
      const connection = await connectTo(server.url)
      connection.write(request('GET /plain', evil, `Accept: ${accept}`))
      const response = await connection.next()
      assert.is(response.status, 421)
      assert.ok(headerOf(response, 'content-type')?.startsWith(accept))
      assert.is(headerOf(response, 'cache-control'), 'no-store')
      assert.is(headerOf(response, 'x-content-type-options'), 'nosniff')
      assert.match(response.body, 'Misdirected Request')
      assert.not.match(response.body, 'evil')
      connection.destroy()
    }
  })
  test('a connection serves further requests after a 421, also with a body', async () => {
    const connection = await connectTo(server.url)
    const rejected = request('POST /plain', evil, 'Content-Length: 3')
    connection.write(
      `${rejected}abc${request('GET /plain', evil)}${request('OPTIONS *', evil)}${request('GET /plain', 'Host: example.com')}`,
    )
    const statuses: number[] = []
    for (let count = 0; count < 4; count++) statuses.push((await connection.next()).status)
    assert.equal(statuses, [421, 421, 421, 200])
    connection.destroy()
  })
  test('a client that waits for 100 Continue gets 421 instead', async () =>
    assert.is(
      await statusOf(request('POST /plain', evil, 'Content-Length: 3', 'Expect: 100-continue')),
      421,
    ))
  test('pre-matching filters do not run for other hosts', async () => {
    filteredPaths.length = 0
    await statusOf(request('GET /plain', evil))
    await statusOf(request('GET /missing', evil))
    assert.equal(filteredPaths, [])
    await statusOf(request('GET /own', evil))
    assert.equal(filteredPaths, ['/own'])
  })
  test('a thousand different hosts are rejected', async () => {
    const connection = await connectTo(server.url)
    for (let at = 0; at < 1000; at++) {
      connection.write(request('GET /plain', `Host: h${at}.example`))
      assert.is((await connection.next()).status, 421)
    }
    connection.destroy()
  })
  test('in memory, the host of the URL is checked', async () => {
    const call = inMemory(api, { 'fw.http.allowed-hosts': hosts })
    const statuses = ['http://example.com/plain', 'http://evil.example/plain', 'http://a/own']
    assert.equal(
      await Promise.all(statuses.map(async (url) => (await call(url)).status)),
      [200, 421, 200],
    )
  })
  test('an invalid entry is a configuration error', async () => {
    for (const invalid of ['*', 'https://example.com', 'example.com:0']) {
      const error: unknown = await start({ 'fw.http.allowed-hosts': invalid }).catch(String)
      assert.match(String(error), /FW-CONF-002[^]*fw.http.allowed-hosts/)
    }
  })
})
