/** Mount paths: the tree matches the rest of the path, and URIs contain the mount path. */
import type { IncomingMessage } from 'node:http'
import * as assert from 'uvu/assert'
import { nodeListener } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { mountedApi, withMounted } from './mounting.ts'

type Mount = (request: IncomingMessage) => unknown

/** Removes `/v2`, as Express does. */
const express: Mount = (request) => {
  const originalUrl = request.url ?? ''
  Object.assign(request, {
    originalUrl,
    baseUrl: '/v2',
    url: originalUrl.replace(/^\/v2\/?/, '/'),
  })
}

/** Removes `/v2`, as Connect does. */
const connect: Mount = (request) => {
  const originalUrl = request.url ?? ''
  Object.assign(request, { originalUrl, url: originalUrl.replace(/^\/v2\/?/, '/') })
}

const none: Mount = () => undefined

/** Status and text of the response to a path. */
type Row = readonly [
  title: string,
  mount: Mount,
  prefix: string,
  path: string,
  status: number,
  text: string,
]

const expected: ReadonlyArray<Row> = [
  ['no prefix', none, '', '/where', 200, '/ where'],
  ['prefix option', none, '/v2', '/v2/where?a', 200, '/v2/ where'],
  ['prefix option with a trailing slash', none, '/v2/', '/v2/where', 200, '/v2/ where'],
  ['prefix option /', none, '/', '/where', 200, '/ where'],
  ['prefix option, a path outside', none, '/v2', '/where', 404, ''],
  ['prefix option, a path with the prefix as text', none, '/v2', '/v2where', 404, ''],
  ['prefix option, an unknown path', none, '/v2', '/v2/unknown', 404, ''],
  ['baseUrl', express, '', '/v2/where?a', 200, '/v2/ where'],
  ['baseUrl and prefix option', express, '/a', '/v2/a/where', 200, '/v2/a/ where'],
  [
    'a baseUrl with characters of the URL Standard',
    (request) => Object.assign(request, { baseUrl: '/a|b,c^%', url: '/where' }),
    '',
    '/a|b,c^%/where',
    200,
    '/a|b,c^%/ where',
  ],
  ['originalUrl', connect, '', '/v2/where?a', 200, '/v2/ where'],
  ['originalUrl, a query with a path', connect, '', '/v2/where?/where', 200, '/v2/ where'],
  [
    'originalUrl without a removed path',
    (request) => Object.assign(request, { originalUrl: request.url }),
    '',
    '/where',
    200,
    '/ where',
  ],
  [
    'originalUrl of a rewritten path',
    (request) => Object.assign(request, { originalUrl: '/old', url: '/where' }),
    '',
    '/old',
    200,
    '/ where',
  ],
  [
    'an invalid baseUrl',
    (request) => Object.assign(request, { baseUrl: '//evil.example', url: '/where' }),
    '',
    '/where',
    400,
    '',
  ],
]

describe('mount path of nodeListener', (test) => {
  table<Row>(test, expected, (_, mount, prefix, path, status, text) =>
    withMounted(
      { prefix },
      (listener, request, response) => {
        mount(request)
        listener(request, response)
      },
      async ({ url }) => {
        const response = await fetch(`${url}${path}`)
        assert.is(response.status, status)
        if (status === 200) assert.is((await response.text()).replace(url, ''), text)
      },
    ),
  )
  test('a relative Location is resolved below the mount path', () =>
    withMounted(
      { prefix: '/v2', 'fw.rest.absolute-location': true },
      (listener, request, response) => listener(request, response),
      async ({ url }) => {
        const response = await fetch(`${url}/v2/created`, { method: 'POST' })
        assert.is(response.headers.get('location'), `${url}/v2/hello`)
      },
    ))
  test('the prefix of a trusted proxy precedes the mount path', () =>
    withMounted(
      { prefix: '/v2', 'fw.http.proxy.trusted': '127.0.0.0/8' },
      (listener, request, response) => listener(request, response),
      async ({ url }) => {
        const response = await fetch(`${url}/v2/where`, {
          headers: {
            'X-Forwarded-For': '192.0.2.1',
            'X-Forwarded-Proto': 'https',
            'X-Forwarded-Host': 'a.example',
            'X-Forwarded-Prefix': '/proxy',
          },
        })
        assert.is(await response.text(), 'https://a.example/proxy/v2/ where')
      },
    ))
  test('a TLS socket has the scheme https', () =>
    withMounted(
      {},
      (listener, request, response) => {
        Object.assign(request.socket, { encrypted: true })
        listener(request, response)
      },
      async ({ url }) => {
        const response = await fetch(`${url}/where`)
        assert.is(await response.text(), `${url.replace('http:', 'https:')}/ where`)
      },
    ))
  for (const prefix of ['v2', '/v2?a', '/a/../b', '//a'])
    test(`prefix option ${prefix} throws`, () =>
      assert.throws(() => nodeListener(mountedApi(), { prefix }), /invalid prefix/))
})
