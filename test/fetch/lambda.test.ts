/** Lambda functions: conversion of events to requests, and of responses to results. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { LambdaEvent, LambdaInvocation } from '../../src/fetch.ts'
import { toLambdaHandler } from '../../src/fetch.ts'
import {
  body,
  bytes,
  cookie,
  get,
  handle,
  header,
  json,
  list,
  needs,
  ok,
  path,
  post,
  produces,
  query,
  responds,
  routes,
  slot,
  string,
  text,
  withCookie,
  withHeader,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const Invocation = slot<LambdaInvocation>()('invocation')

const api = routes({
  echo: pipe(
    path('/echo/{id}', { id: string }),
    get(),
    query({ q: list(string) }),
    header({ names: list(string) }),
    cookie({ a: string, b: string }),
    produces(json(t.unknown)),
    handle(({ path: { id }, query: { q }, header: { names }, cookie: cookies }, context) => [
      id,
      q,
      names,
      cookies,
      context.request.clientAddress,
      context.uri.request.href,
    ]),
  ),
  bytes: pipe(
    path('/bytes'),
    post(),
    body(bytes),
    produces(bytes),
    handle((input) => input.body),
  ),
  text: pipe(
    path('/text'),
    get(),
    produces(text),
    handle(() =>
      pipe(
        ok('é'),
        withCookie({ name: 'a', value: '1' }),
        withCookie({ name: 'b', value: '2' }),
        withHeader('X-A', '1'),
        withHeader('X-A', '2'),
      ),
    ),
  ),
  context: pipe(
    path('/context'),
    get(),
    needs({ invocation: Invocation }),
    produces(json(t.unknown)),
    handle(({ needs: { invocation } }) => [invocation.event.version, invocation.context]),
  ),
  nothing: pipe(
    path('/nothing'),
    post(),
    responds(204),
    handle(() => {}),
  ),
})

const handler = toLambdaHandler(api, { platform: Invocation })

const event = (method: string, rawPath: string, rest: Partial<LambdaEvent> = {}): LambdaEvent => ({
  version: '2.0',
  rawPath,
  rawQueryString: '',
  headers: { host: 'api.example.com' },
  requestContext: { domainName: 'd.example.com', http: { method, sourceIp: '203.0.113.9' } },
  ...rest,
})

describe('toLambdaHandler', (test) => {
  test('converts headers whose names plain objects inherit', async () => {
    const named = pipe(
      path('/named'),
      get(),
      produces(text),
      handle(() => pipe(ok('a'), withHeader('__proto__', 'p'), withHeader('Constructor', 'c'))),
    )
    const { headers } = await toLambdaHandler(routes({ named }))(event('GET', '/named'))
    assert.equal(
      Object.entries(headers).filter(([, value]) => value.length === 1 && /[a-z]/.test(value)),
      [
        ['__proto__', 'p'],
        ['constructor', 'c'],
      ],
    )
  })
  test('converts the path, the query, headers, cookies and the client address', async () => {
    const {
      statusCode,
      body: sent,
      isBase64Encoded,
    } = await handler(
      event('GET', '/echo/a%2Fb', {
        rawQueryString: 'q=1&q=%C3%A9',
        headers: { host: 'api.example.com', names: 'x,y' },
        cookies: ['a=1', 'b=2'],
      }),
    )
    assert.equal([statusCode, isBase64Encoded], [200, false])
    assert.equal(JSON.parse(sent), [
      'a/b',
      ['1', 'é'],
      ['x,y'],
      { a: '1', b: '2' },
      '203.0.113.9',
      'https://api.example.com/echo/a%2Fb?q=1&q=%C3%A9',
    ])
  })
  test('converts bytes from and to base64', async () => {
    const content = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 256))
    const result = await handler(
      event('POST', '/bytes', {
        headers: { host: 'a.test', 'content-type': 'application/octet-stream' },
        body: content.toString('base64'),
        isBase64Encoded: true,
      }),
    )
    assert.is(result.isBase64Encoded, true)
    assert.ok(Buffer.from(result.body, 'base64').equals(content))
  })
  test('sends text as it is, cookies separately and repeated headers as a list', async () => {
    const { headers, ...result } = await handler(event('GET', '/text'))
    assert.equal(
      [result.statusCode, result.body, result.isBase64Encoded, headers['x-a']],
      [200, 'é', false, '1, 2'],
    )
    assert.equal(
      result.cookies.map((value) => value.split(';')[0]),
      ['a=1', 'b=2'],
    )
    assert.not.ok('set-cookie' in headers)
  })
  test('sends a compressed body in base64', async () => {
    const compressing = toLambdaHandler(api, {
      platform: Invocation,
      'fw.http.enable-compression': true,
      'fw.http.compression-threshold': 0,
    })
    const result = await compressing(
      event('GET', '/text', { headers: { host: 'a.test', 'accept-encoding': 'gzip' } }),
    )
    assert.equal([result.headers['content-encoding'], result.isBase64Encoded], ['gzip', true])
  })
  test('passes the event and the context to the slot', async () => {
    const { body: sent } = await handler(event('GET', '/context'), { awsRequestId: 'r1' })
    assert.equal(JSON.parse(sent), ['2.0', { awsRequestId: 'r1' }])
  })
  test('responds without a body', async () => {
    const { statusCode, body: sent } = await handler(event('POST', '/nothing'))
    assert.equal([statusCode, sent], [204, ''])
  })
  table(
    test,
    [
      ['an invalid host', event('GET', '/text', { headers: { host: 'a b' } }), 400],
      ['a forbidden method', event('TRACE', '/text'), 400],
      ['an invalid header name', event('GET', '/text', { headers: { 'a b': '' } }), 400],
      ['a question mark in the path', event('GET', '/text?'), 404],
      ['a GET request with a body', event('GET', '/text', { body: 'a' }), 200],
    ] as const,
    async (_, received, status) => assert.is((await handler(received)).statusCode, status),
  )
  test('rejects events of another version', async () => {
    const failure = await handler(event('GET', '/', { version: '1.0' })).then(
      () => 'resolved',
      String,
    )
    assert.match(failure, /TypeError: unsupported event version "1.0"/)
  })
})
