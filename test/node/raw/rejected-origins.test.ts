/** CORS headers of requests that a server rejects before routing, so that pages can read the responses. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { cors, get, handle, path, produces, routes, text, withFilter } from '../../../src/index.ts'
import { describe } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { inMemory } from '../../../src/testing.ts'
import { http2Caller, serveHttp2 } from '../../support/through-http2.ts'

const origin = 'https://app.example'

const hello = pipe(
  path('/hello'),
  get(),
  produces(text),
  handle(() => 'hello'),
)
const treeWith = (origins: '*' | ReadonlyArray<string>) =>
  pipe(
    routes({ hello }),
    withFilter(
      cors(
        origins === '*' ? { origins } : { origins, credentials: true, exposedHeaders: ['X-Total'] },
      ),
    ),
  )

const limits = {
  'fw.http.limits.max-initial-line-length': 200,
  'fw.http.limits.max-header-size': 400,
  'fw.http.limits.max-header-fields': 5,
} as const

/** A message for each kind of rejection. `lines` are additional headers. */
const messages: ReadonlyArray<readonly [title: string, status: number, line: string, ...string[]]> =
  [
    ['an invalid target', 400, 'GET /a%zz<> HTTP/1.1'],
    ['a target above the limit', 414, `GET /${'a'.repeat(250)} HTTP/1.1`],
    ['a header section above the limit', 431, 'GET /hello HTTP/1.1', `X-A: ${'a'.repeat(400)}`],
    ['too many headers', 431, 'GET /hello HTTP/1.1', ...Array<string>(6).fill('A: b')],
    ['an unknown method', 501, 'BREW /hello HTTP/1.1'],
    ['an unknown expectation', 417, 'GET /hello HTTP/1.1', 'Expect: coffee'],
    ['an unsupported version', 505, 'GET /hello HTTP/3.0'],
  ]

const request = (line: string, lines: ReadonlyArray<string>): string =>
  [line, 'Host: a.example', ...lines].join('\r\n').concat('\r\n\r\n')

/** Sends a message on a connection of its own, and returns the first response. */
const respond = async ({ url }: Server, message: string) => {
  const client = await connectTo(url)
  client.write(message)
  try {
    return await client.next()
  } finally {
    client.destroy()
  }
}

for (const connection of ['node', 'direct'] as const) {
  describe(`rejections before routing, with fw.http.connection=${connection}`, (test, hooks) => {
    const options: ServeOptions = { 'fw.http.connection': connection, ...limits }
    let server: Server
    let open: Server
    let plain: Server
    hooks.before(async () => {
      server = await serveLocally(treeWith([origin]), options)
      open = await serveLocally(treeWith('*'), options)
      plain = await serveLocally(routes({ hello }), options)
    })
    hooks.after(async () => {
      for (const one of [server, open, plain]) await one.close()
    })
    for (const [title, status, line, ...lines] of messages) {
      test(`${title} from a listed origin is readable`, async () => {
        const response = await respond(server, request(line, [`Origin: ${origin}`, ...lines]))
        assert.is(response.status, status)
        assert.equal(
          [
            'access-control-allow-origin',
            'access-control-allow-credentials',
            'access-control-expose-headers',
            'vary',
          ].map((name) => headerOf(response, name)),
          [origin, 'true', 'X-Total', 'Origin'],
        )
      })
      test(`${title} from an unlisted origin is not readable`, async () => {
        const foreign = request(line, ['origin: https://other.example', ...lines])
        const response = await respond(server, foreign)
        // `direct` accepts all methods, so that the filter runs
        assert.is(response.status, connection === 'direct' && status === 501 ? 403 : status)
        assert.is(headerOf(response, 'access-control-allow-origin'), undefined)
        assert.is(headerOf(response, 'vary'), 'Origin')
      })
      test(`${title} is readable from all origins`, async () => {
        const response = await respond(
          open,
          request(line, ['oRIGIN:  https://other.example ', ...lines]),
        )
        assert.is(response.status, status)
        assert.is(headerOf(response, 'access-control-allow-origin'), '*')
      })
      test(`${title} without the filter has no CORS headers`, async () => {
        const response = await respond(plain, request(line, [`Origin: ${origin}`, ...lines]))
        assert.is(response.status, status)
        assert.is(headerOf(response, 'access-control-allow-origin'), undefined)
        assert.is(headerOf(response, 'vary'), undefined)
      })
    }
    test('a preflight request is unchanged', async () => {
      const preflight = request('OPTIONS /hello HTTP/1.1', [
        `Origin: ${origin}`,
        'Access-Control-Request-Method: GET',
      ])
      assert.is((await respond(server, preflight)).status, 204)
    })
  })
}

const rejected: ReadonlyArray<readonly [string, number, string, Record<string, string>]> = [
  ['a target above the limit', 414, `/${'a'.repeat(250)}`, {}],
  ['a header section above the limit', 431, '/hello', { 'X-A': 'a'.repeat(400) }],
]

describe('rejections before routing, in memory and over HTTP/2', (test, hooks) => {
  let server: Server
  hooks.before(async () => {
    server = await serveHttp2(treeWith([origin]), limits)
  })
  hooks.after(() => server.close())
  for (const [title, status, target, headers] of rejected) {
    const check = (response: Response): void => {
      assert.is(response.status, status)
      assert.is(response.headers.get('access-control-allow-origin'), origin)
      assert.is(response.headers.get('vary'), 'Origin')
    }
    const init = { headers: { Origin: origin, ...headers } }
    test(`${title}, in memory`, async () => {
      const call = inMemory(treeWith([origin]), limits)
      check(await call(`http://a.example${target}`, init))
    })
    test(`${title}, over HTTP/2`, async () => {
      const client = http2Caller(server.url)
      try {
        check(await client.call(new Request(`http://a.example${target}`, init)))
      } finally {
        client.close()
      }
    })
  }
})
