/** Requests for hosts outside of `fw.http.allowed-hosts`. */
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
  vital,
  withFilter,
} from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { head } from '../../support/raw.ts'

/** The paths that pre-matching filters have seen. */
const seen: string[] = []

const api = pipe(
  routes({
    health: health(),
    own: pipe(
      path('/own'),
      get(),
      vital,
      produces(text),
      handle(() => 'vital'),
    ),
    rewritten: pipe(
      path('/rewritten'),
      get(),
      vital,
      produces(text),
      handle(() => 'vital'),
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
      seen.push(request.path)
      return request.path === '/rewritten' ? rewrite({ target: '/plain' }) : undefined
    }),
  ),
)

const hosts = 'example.com, *.example.org:8443, [::1]'
const starting = (options: ServeOptions = {}): Promise<Server> =>
  onLoopback(api, { 'fw.http.allowed-hosts': hosts, ...options })

const request = (line: string, ...headers: ReadonlyArray<string>): string =>
  head(`${line} HTTP/1.1`, ...headers)

const evil = 'Host: evil.example'

describe('fw.http.allowed-hosts', (test, { before, after }) => {
  let server: Server
  let trusting: Server
  before(async () => {
    server = await starting()
    trusting = await starting({ 'fw.http.proxy.trusted': '127.0.0.1' })
  })
  after(async () => {
    await Promise.all([server.close(), trusting.close()])
  })

  const statusOf = async (octets: string, of = server, method = 'GET'): Promise<number> => {
    const connection = await connectTo(of.url)
    connection.write(octets)
    const { status } = await connection.next(method)
    connection.leave()
    return status
  }

  table<readonly [string, string, number]>(
    test,
    [
      ['an allowed host', request('GET /plain', 'Host: example.com'), 200],
      ['another port', request('GET /plain', 'Host: Example.COM.:81'), 200],
      ['a host below a wildcard', request('GET /plain', 'Host: a.example.org:8443'), 200],
      ['its other port', request('GET /plain', 'Host: a.example.org'), 421],
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
      ['a vital operation', request('GET /own', evil), 200],
      ['another method of a vital operation', request('OPTIONS /own', evil), 421],
      ['a vital path that is rewritten', request('GET /rewritten', evil), 421],
    ],
    async (_, octets, status) => assert.is(await statusOf(octets), status),
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

  test('HEAD for another host has the headers of 421 alone', async () =>
    assert.is(await statusOf(request('HEAD /plain', evil), server, 'HEAD'), 421))
  test('HEAD for a critical operation returns 200', async () =>
    assert.is(await statusOf(request('HEAD /own', evil), server, 'HEAD'), 200))
  test('421 is a problem document that does not repeat the host', async () => {
    for (const accept of ['application/problem+json', 'text/html', 'text/plain']) {
      const connection = await connectTo(server.url)
      connection.write(request('GET /plain', evil, `Accept: ${accept}`))
      const response = await connection.next()
      assert.is(response.status, 421)
      assert.ok(fieldOf(response, 'content-type')?.startsWith(accept))
      assert.is(fieldOf(response, 'cache-control'), 'no-store')
      assert.is(fieldOf(response, 'x-content-type-options'), 'nosniff')
      assert.match(response.content, 'Misdirected Request')
      assert.not.match(response.content, 'evil')
      connection.leave()
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
    connection.leave()
  })
  test('a client that waits for 100 Continue gets 421 instead', async () =>
    assert.is(
      await statusOf(request('POST /plain', evil, 'Content-Length: 3', 'Expect: 100-continue')),
      421,
    ))
  test('pre-matching filters do not see requests for other hosts', async () => {
    seen.length = 0
    await statusOf(request('GET /plain', evil))
    await statusOf(request('GET /missing', evil))
    assert.equal(seen, [])
    await statusOf(request('GET /own', evil))
    assert.equal(seen, ['/own'])
  })
  test('a thousand different hosts are rejected', async () => {
    const connection = await connectTo(server.url)
    for (let at = 0; at < 1000; at++) {
      connection.write(request('GET /plain', `Host: h${at}.example`))
      assert.is((await connection.next()).status, 421)
    }
    connection.leave()
  })
  test('the host of a URL counts in memory', async () => {
    const call = inMemory(api, { 'fw.http.allowed-hosts': hosts })
    const statuses = ['http://example.com/plain', 'http://evil.example/plain', 'http://a/own']
    assert.equal(
      await Promise.all(statuses.map(async (url) => (await call(url)).status)),
      [200, 421, 200],
    )
  })
  test('an invalid entry is a configuration error', async () => {
    for (const invalid of ['*', 'https://example.com', 'example.com:0']) {
      const error: unknown = await starting({ 'fw.http.allowed-hosts': invalid }).catch(String)
      assert.match(String(error), /FW-CONF-002[^]*fw.http.allowed-hosts/)
    }
  })
})
