/** Absolute URIs with `fw.http.public-url`, whatever the request says about its host. */
import * as assert from 'uvu/assert'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { describe } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'
import { linkedBooks } from '../support/linked-books.ts'
import { api, both, publicUrlModule } from '../support/public-url-api.ts'
import { connectTo } from '../support/raw-connection.ts'
import { fieldOf } from '../support/raw-response.ts'
import { to } from '../support/raw.ts'

const at = 'https://api.example.com/v1'
const settings = {
  'fw.http.public-url': `${at}/`,
  'fw.rest.path': '/books',
  'fw.rest.absolute-location': true,
}
const where = (below: string) => ({
  base: `${at}/books/`,
  absolute: `${at}/books${below}/where`,
  request: `${at}/books${below}/where?q=1`,
  resolved: `${at}/books/a`,
  relative: below === '' ? 'where/a' : '../where/a',
  path: `${below}/where`.slice(1),
  secure: false,
})

contract(
  'the public URL',
  api,
  (test, call) => {
    test('is the base of the URIs of a context, followed by the path of the request', async () => {
      const response = await call(new Request(`${base}/books/where?q=1`))
      assert.equal(await response.json(), where(''))
    })
    for (const [line, status, location] of [
      ['POST /created', 201, `${at}/books/new`],
      ['GET /other', 303, `${at}/books/there?a`],
      ['GET /thrown', 307, `${at}/books/there`],
    ] as const)
      test(`is the base of Location: ${line}`, async () => {
        const [method = '', target = ''] = line.split(' ')
        const response = await call(
          new Request(`${base}/books${target}`, { method, redirect: 'manual' }),
        )
        assert.equal([response.status, response.headers.get('location')], [status, location])
      })
    test('is the own origin of the service for CORS', async () => {
      const response = await call(
        new Request(`${base}/books/where`, { headers: { Origin: 'https://api.example.com' } }),
      )
      assert.is(response.status, 200)
    })
  },
  settings,
)

contract(
  'links with a public URL',
  linkedBooks,
  (test, call) => {
    test('begin with it in Link headers', async () => {
      const response = await call(new Request(`${base}/books`))
      assert.match(response.headers.get('link') ?? '', `<${at}/books>; rel="list"`)
    })
    test('begin with it in the headers of one entity', async () => {
      const response = await call(new Request(`${base}/books/1`))
      assert.match(response.headers.get('link') ?? '', `<${at}/books/1>; rel="self"`)
      assert.not.match(response.headers.get('link') ?? '', '<http:')
    })
    for (const target of ['/books', '/books/1'])
      test(`begin with it in HAL: ${target}`, async () => {
        const headers = { Accept: 'application/hal+json' }
        const text = await (await call(new Request(`${base}${target}`, { headers }))).text()
        assert.match(text, `"list":{"href":"${at}/books"}`)
        assert.not.match(text, '"http:')
      })
  },
  { 'fw.http.public-url': at },
)

describe('The public URL through a socket', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serve(both, {
      ...settings,
      logger: silentLogger,
      module: publicUrlModule,
      export: 'both',
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
  for (const [title, below, target, headers, secure] of [
    ['instead of Host', '', '/books/where?q=1', [], false],
    ['instead of an absolute target', '', 'http://evil.example/books/where?q=1', [], false],
    ['instead of forwarded headers', '', '/books/where?q=1', forwarded, true],
    ['on a worker', '/worker', '/books/worker/where?q=1', forwarded, true],
  ] as const)
    test(`is used ${title}, and does not tell whether the connection is secure`, async () => {
      const connection = await connectTo(server.url)
      connection.write(to(`GET ${target}`, ...headers))
      const { content } = await connection.next()
      assert.equal(JSON.parse(content), { ...where(below), secure })
      connection.leave()
    })
  test('is the base of Location on a worker', async () => {
    const connection = await connectTo(server.url)
    connection.write(to('POST /books/worker/created', ...forwarded))
    assert.is(fieldOf(await connection.next(), 'location'), `${at}/books/new`)
    connection.leave()
  })
})
