/** Absolute URIs with `fw.http.public-url`, which takes precedence over the host of the request. */
import * as assert from 'uvu/assert'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'
import { linkedBooks } from '../../support/linked-books.ts'
import { api, blockingAndNonBlocking, publicUrlModule } from '../../programs/public-url-api.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { rawRequest } from '../../support/raw.ts'

const publicUrl = 'https://api.example.com/v1'
const settings = {
  'fw.http.public-url': `${publicUrl}/`,
  'fw.rest.path': '/books',
  'fw.rest.absolute-location': true,
}
const expectedUris = (prefix: string) => ({
  base: `${publicUrl}/books/`,
  absolute: `${publicUrl}/books${prefix}/where`,
  request: `${publicUrl}/books${prefix}/where?q=1`,
  resolved: `${publicUrl}/books/a`,
  relative: prefix === '' ? 'where/a' : '../where/a',
  path: `${prefix}/where`.slice(1),
  secure: false,
})

contract(
  'fw.http.public-url',
  api,
  (test, call) => {
    test('URIs of the context start with the public URL', async () => {
      const response = await call(new Request(`${base}/books/where?q=1`))
      assert.equal(await response.json(), expectedUris(''))
    })
    for (const [line, status, location] of [
      ['POST /created', 201, `${publicUrl}/books/new`],
      ['GET /other', 303, `${publicUrl}/books/there?a`],
      ['GET /thrown', 307, `${publicUrl}/books/there`],
    ] as const)
      test(`Location contains the public URL: ${line}`, async () => {
        const [method = '', target = ''] = line.split(' ')
        const response = await call(
          new Request(`${base}/books${target}`, { method, redirect: 'manual' }),
        )
        assert.equal([response.status, response.headers.get('location')], [status, location])
      })
    test('the origin of the public URL is the same origin for CORS', async () => {
      const response = await call(
        new Request(`${base}/books/where`, { headers: { Origin: 'https://api.example.com' } }),
      )
      assert.is(response.status, 200)
    })
  },
  settings,
)

contract(
  'links with fw.http.public-url',
  linkedBooks,
  (test, call) => {
    test('Link headers of a list contain the public URL', async () => {
      const response = await call(new Request(`${base}/books`))
      assert.match(response.headers.get('link') ?? '', `<${publicUrl}/books>; rel="list"`)
    })
    test('Link headers of an entity contain the public URL', async () => {
      const response = await call(new Request(`${base}/books/1`))
      assert.match(response.headers.get('link') ?? '', `<${publicUrl}/books/1>; rel="self"`)
      assert.not.match(response.headers.get('link') ?? '', '<http:')
    })
    for (const target of ['/books', '/books/1'])
      test(`HAL links contain the public URL: ${target}`, async () => {
        const headers = { Accept: 'application/hal+json' }
        const text = await (await call(new Request(`${base}${target}`, { headers }))).text()
        assert.match(text, `"list":{"href":"${publicUrl}/books"}`)
        assert.not.match(text, '"http:')
      })
  },
  { 'fw.http.public-url': publicUrl },
)

describe('fw.http.public-url over a socket', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serve(blockingAndNonBlocking, {
      ...settings,
      logger: silentLogger,
      module: publicUrlModule,
      export: 'blockingAndNonBlocking',
      'fw.http.host': '127.0.0.1',
      'fw.http.port': 0,
      'fw.http.proxy.trusted': '127.0.0.1',
      'fw.shutdown.grace': 0,
      'fw.worker.threads': 1,
    })
  })
  after(() => server.close())
  const forwarded = [
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Prefix: /evil',
  ]
  for (const [title, prefix, target, headers, secure] of [
    ['instead of Host', '', '/books/where?q=1', [], false],
    ['instead of an absolute target', '', 'http://evil.example/books/where?q=1', [], false],
    ['instead of forwarded headers', '', '/books/where?q=1', forwarded, true],
    ['on a worker', '/worker', '/books/worker/where?q=1', forwarded, true],
  ] as const)
    test(`the public URL is used ${title}, and does not affect security.secure`, async () => {
      const connection = await connectTo(server.url)
      connection.write(rawRequest(`GET ${target}`, ...headers))
      const { body: received } = await connection.next()
      assert.equal(JSON.parse(received), { ...expectedUris(prefix), secure })
      connection.destroy()
    })
  test('Location on a worker contains the public URL', async () => {
    const connection = await connectTo(server.url)
    connection.write(rawRequest('POST /books/worker/created', ...forwarded))
    assert.is(headerOf(await connection.next(), 'location'), `${publicUrl}/books/new`)
    connection.destroy()
  })
})
