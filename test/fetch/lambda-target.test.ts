/** Lambda functions take the host, the path and the query from the members of the event, so that none of them changes another. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { LambdaEvent } from '../../src/fetch.ts'
import { toLambdaHandler, toLambdaStreamHandler } from '../../src/fetch.ts'
import {
  get,
  handle,
  header,
  ok,
  optional,
  path,
  produces,
  routes,
  segments,
  string,
  text,
  withHeader,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'
import { inLambdaRuntime } from './lambda-runtime.ts'

const api = routes({
  headers: pipe(
    path('/headers'),
    get(),
    header({ proto: optional(string), constructor: optional(string) }),
    produces(text),
    handle(({ header: sent }) =>
      pipe(
        ok(`${String(sent.proto)} ${String(sent.constructor)}`),
        withHeader('__proto__', '1'),
        withHeader('constructor', '2'),
      ),
    ),
  ),
  echo: pipe(
    path('/echo/{rest}', { rest: segments(string) }),
    get(),
    produces(text),
    handle((_, { request, uri }) => `${uri.base.host} ${request.path} ${request.query ?? '-'}`),
  ),
})

const handler = toLambdaHandler(api)

interface Parts {
  readonly host?: string
  readonly domainName?: string
  readonly path?: string
  readonly query?: string
  readonly headers?: string
}

/** Events are parsed from JSON, so that `__proto__` can be the name of a member. */
const eventOf = (parts: Parts): LambdaEvent => ({
  version: '2.0',
  rawPath: parts.path ?? '/echo/a',
  rawQueryString: parts.query ?? '',
  headers: {
    ...(parts.domainName === undefined ? { host: parts.host ?? 'a.test' } : {}),
    ...JSON.parse(parts.headers ?? '{}'),
  } as Record<string, string>,
  requestContext: { domainName: parts.domainName ?? 'd.test', http: { method: 'GET' } },
})

type Row = readonly [title: string, parts: Parts, status: number, body: RegExp]

const rows: ReadonlyArray<Row> = [
  ['a host', { host: 'b.test:8443' }, 200, /^b.test:8443 \/echo\/a -$/],
  ['an IPv6 address', { host: '[::1]:80' }, 200, /^\[::1\]:80 \/echo\/a -$/],
  ['a domain name', { domainName: 'e.test' }, 200, /^e.test \/echo\/a -$/],
  ['a host with a path', { host: 'a/headers?' }, 400, /^$/],
  ['a host with a query', { host: 'a?x' }, 400, /^$/],
  ['a host with a fragment', { host: 'a#' }, 400, /^$/],
  ['a host with a backslash', { host: String.raw`a\headers` }, 400, /^$/],
  ['a host with user information', { host: 'user@b.test' }, 400, /^$/],
  ['a host with a space', { host: 'a b' }, 400, /^$/],
  ['an empty host', { host: '' }, 400, /^$/],
  ['a host with a tab', { host: 'a\t/headers' }, 400, /^$/],
  ['a port too large', { host: 'a:65536' }, 400, /^$/],
  ['a domain name with a path', { domainName: 'a/headers?' }, 400, /^$/],
  ['a path that begins like a host', { path: '.evil.test/echo/a' }, 400, /Invalid request target/],
  ['a path with user information', { path: '@evil.test/echo/a' }, 400, /Invalid request target/],
  ['a path with a port', { path: ':80/echo/a' }, 400, /Invalid request target/],
  ['an empty path', { path: '' }, 400, /Invalid request target/],
  ['two slashes', { path: '//evil.test/echo/a' }, 404, /about:blank|404/],
  ['dot segments', { path: '/x/../echo/a' }, 404, /404/],
  [
    'encoded dot segments',
    { path: '/echo/%2e%2e/headers' },
    200,
    /^a.test \/echo\/%2e%2e\/headers -$/,
  ],
  ['a backslash in the path', { path: String.raw`/echo\a` }, 404, /404/],
  ['a question mark in the path', { path: '/echo/a?x=1' }, 200, /^a.test \/echo\/a%3Fx=1 -$/],
  ['a fragment in the path', { path: '/echo/a#x' }, 200, /^a.test \/echo\/a%23x -$/],
  ['a decoded path', { path: '/echo/é b|"' }, 200, /^a.test \/echo\/%C3%A9%20b%7C%22 -$/],
  ['a line break in the path', { path: '/echo/a\n' }, 200, /^a.test \/echo\/a%0A -$/],
  ['a query', { query: 'a=b|c&d=%' }, 200, /^a.test \/echo\/a a=b\|c&d=%$/],
  ['a fragment in the query', { query: 'a=b#c' }, 400, /percent-encode U\+0023 at index 11/],
  ['a tab in the query', { query: 'a=\tb' }, 400, /percent-encode U\+0009 at index 10/],
  [
    'a header constructor',
    { path: '/headers', headers: '{"constructor":"a"}' },
    200,
    /^undefined a$/,
  ],
  [
    'a header __proto__',
    { path: '/headers', headers: '{"__proto__":"a"}' },
    200,
    /^undefined undefined$/,
  ],
]

describe('toLambdaHandler with an event whose members contain delimiters', (test) => {
  table<Row>(test, rows, async (_, parts, status, body) => {
    const result = await handler(eventOf(parts))
    assert.is(result.statusCode, status)
    assert.match(result.body, body)
  })
  test('response headers __proto__ and constructor are sent', async () => {
    const { headers } = await handler(eventOf({ path: '/headers' }))
    assert.is(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value, '1')
    assert.is(headers['constructor'], '2')
  })
})

describe('toLambdaStreamHandler with an event whose members contain delimiters', (test) => {
  table<Row>(test, rows, async (_, parts, status) => {
    await inLambdaRuntime(async (invoke) => {
      const { ended, response } = invoke(toLambdaStreamHandler(api), eventOf(parts), undefined)
      await ended
      assert.is(response().prelude.statusCode, status)
    })
  })
})
