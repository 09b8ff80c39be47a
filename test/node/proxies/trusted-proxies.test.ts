/** Headers of proxies. Each row is sent to a server that trusts its peer, and to a server that does not. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { created, get, handle, json, path, produces, responds, routes } from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { head, rawRequest } from '../../support/raw.ts'

const api = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(json(t.UnknownRecord)),
    handle((_, { request, uri, security }) => ({
      address: request.clientAddress,
      request: uri.request.href,
      base: uri.base.href,
      secure: security.secure,
    })),
  ),
  created: pipe(
    path('/created'),
    get(),
    responds(201),
    handle(() => created('new')),
  ),
})

interface RequestInfo {
  readonly address: string
  /** Scheme and authority. */
  readonly origin: string
  readonly prefix: string
  readonly secure: boolean
}

/** Resolves to the address and the URLs that a handler sees. */
const requestInfo = async (server: Server | undefined, text: string): Promise<RequestInfo> => {
  const connection = await connectTo(server?.url ?? '')
  connection.write(text)
  const { body, status } = await connection.next()
  connection.destroy()
  assert.is(status, 200, body)
  const { address, request, base, secure } = JSON.parse(body) as Record<string, string> & {
    secure: boolean
  }
  const [, origin = '', prefix = ''] = /^(\w+:\/\/[^/]+)(.*)\/api\/$/.exec(base ?? '') ?? []
  assert.is(request, `${origin}${prefix}/api/where?q`)
  return { address: address ?? '', origin, prefix, secure }
}

const direct: RequestInfo = {
  address: '127.0.0.1',
  origin: 'http://a.example',
  prefix: '',
  secure: false,
}

const client = '203.0.113.9'
const from = (address: string): RequestInfo => ({ ...direct, address })
const at = (origin: string): RequestInfo => ({
  ...direct,
  origin,
  secure: origin.startsWith('https'),
})
const below = (prefix: string): RequestInfo => ({ ...direct, prefix })

type Row = readonly [title: string, headers: ReadonlyArray<string>, expected: RequestInfo]

const xForwarded: ReadonlyArray<Row> = [
  ['no headers', [], direct],
  ['a client', [`X-Forwarded-For: ${client}`], from(client)],
  ['a client with a port', [`X-Forwarded-For: ${client}:4711`], from(client)],
  ['an IPv6 address', ['X-Forwarded-For: 2001:db8::7'], from('2001:db8::7')],
  ['an IPv6 address in brackets', ['X-Forwarded-For: [2001:db8::7]:80'], from('2001:db8::7')],
  ['an IPv4-mapped address', [`X-Forwarded-For: ::ffff:${client}`], from(client)],
  ['several addresses', [`X-Forwarded-For: 6.6.6.6, ${client}`], from(client)],
  ['several headers', ['X-Forwarded-For: 6.6.6.6', `X-Forwarded-For: ${client}`], from(client)],
  [
    'an address before trusted proxies',
    [`X-Forwarded-For: 6.6.6.6, ${client}, 10.0.0.2, 10.9.9.9`],
    from(client),
  ],
  [
    'an address before an IPv4-mapped trusted proxy',
    [`X-Forwarded-For: 6.6.6.6, ${client}, ::ffff:10.0.0.2`],
    from(client),
  ],
  [
    'an address before a trusted IPv6 proxy',
    [`X-Forwarded-For: 6.6.6.6, ${client}, fd00::1`],
    from(client),
  ],
  ['trusted addresses only', ['X-Forwarded-For: 10.0.0.3, 10.0.0.2'], from('10.0.0.3')],
  ['an invalid address', ['X-Forwarded-For: what'], direct],
  ['an address before an invalid one', [`X-Forwarded-For: ${client}, what`], direct],
  [
    'an address before an unknown one',
    [`X-Forwarded-For: ${client}, unknown, 10.0.0.2`],
    from('10.0.0.2'),
  ],
  ['empty list members', [`X-Forwarded-For: , ${client},,`], from(client)],
  ['a quotation mark', [`X-Forwarded-For: ", ${client}`], from(client)],
  ['a scheme', ['X-Forwarded-Proto: https'], at('https://a.example')],
  ['a scheme in upper case', ['X-Forwarded-Proto: HTTPS'], at('https://a.example')],
  ['an unsupported scheme', ['X-Forwarded-Proto: javascript'], direct],
  ['the scheme of the nearest proxy', ['X-Forwarded-Proto: https, http'], direct],
  [
    'the scheme of the furthest trusted proxy',
    [`X-Forwarded-For: ${client}, 10.0.0.2`, 'X-Forwarded-Proto: http, https, http'],
    { ...at('https://a.example'), address: client },
  ],
  [
    'one scheme for two proxies',
    [`X-Forwarded-For: ${client}, 10.0.0.2`, 'X-Forwarded-Proto: https'],
    { ...at('https://a.example'), address: client },
  ],
  ['a host', ['X-Forwarded-Host: b.example'], at('http://b.example')],
  ['a host with a port', ['X-Forwarded-Host: b.example:8080'], at('http://b.example:8080')],
  [
    'the host of the nearest proxy',
    ['X-Forwarded-Host: evil.example, b.example'],
    at('http://b.example'),
  ],
  ['a malformed host', ['X-Forwarded-Host: b example'], direct],
  ['a host with user information', ['X-Forwarded-Host: u@b.example'], direct],
  ['a host that is not valid in a URL', ['X-Forwarded-Host: 999.0.0.1'], direct],
  ['a port', ['X-Forwarded-Port: 8443'], at('http://a.example:8443')],
  ['a port above 65535', ['X-Forwarded-Port: 65536'], direct],
  ['port 0', ['X-Forwarded-Port: 0'], direct],
  [
    'the default port',
    ['X-Forwarded-Proto: https', 'X-Forwarded-Port: 443'],
    at('https://a.example'),
  ],
  [
    'a port that overrides the port of the host',
    ['X-Forwarded-Host: b.example:1', 'X-Forwarded-Port: 2'],
    at('http://b.example:2'),
  ],
  ['a prefix', ['X-Forwarded-Prefix: /shop'], below('/shop')],
  ['a prefix with a trailing slash', ['X-Forwarded-Prefix: /shop/'], below('/shop')],
  ['a root prefix', ['X-Forwarded-Prefix: /'], direct],
  ['the prefix of the nearest proxy', ['X-Forwarded-Prefix: /evil, /shop'], below('/shop')],
  [
    'prefixes of two proxies',
    [`X-Forwarded-For: ${client}, 10.0.0.2`, 'X-Forwarded-Prefix: /outer, /inner'],
    { ...below('/outer/inner'), address: client },
  ],
  ...['shop', '//evil.example', '/a/../b', '/a/%2e%2E/b', '/a?b', '/a#b', '/a%zz', '/a b'].map(
    (text): Row => [`the invalid prefix ${text}`, [`X-Forwarded-Prefix: ${text}`], direct],
  ),
  [
    'all headers',
    [
      `X-Forwarded-For: ${client}`,
      'X-Forwarded-Proto: https',
      'X-Forwarded-Host: b.example',
      'X-Forwarded-Port: 8443',
      'X-Forwarded-Prefix: /shop',
    ],
    { address: client, origin: 'https://b.example:8443', prefix: '/shop', secure: true },
  ],
]

const forwarded: ReadonlyArray<Row> = [
  [
    'the example of RFC 7239, 4',
    ['Forwarded: for=192.0.2.60;proto=http;by=203.0.113.43'],
    from('192.0.2.60'),
  ],
  ['an IPv6 address', ['Forwarded: For="[2001:db8:cafe::17]:4711"'], from('2001:db8:cafe::17')],
  ['several addresses', [`Forwarded: for=6.6.6.6, for=${client}`], from(client)],
  [
    'an address before trusted proxies',
    [`Forwarded: for=6.6.6.6, for=${client}, for=10.0.0.2`],
    from(client),
  ],
  ['several headers', ['Forwarded: for="', `Forwarded: for=${client}`], from(client)],
  ['an unknown address', ['Forwarded: for=unknown;proto=https'], at('https://a.example')],
  [
    'an obfuscated identifier',
    [`Forwarded: for=${client}, for=_x, for=10.0.0.2`],
    from('10.0.0.2'),
  ],
  ['a malformed element', [`Forwarded: for=${client}, for=10.0.0.2;for=6.6.6.6`], direct],
  [
    'scheme and host of the furthest trusted proxy',
    [
      `Forwarded: for=6.6.6.6;host=evil.example;proto=http, for=${client};host=b.example;proto=https, for=10.0.0.2;host=inside;proto=http`,
    ],
    { ...at('https://b.example'), address: client },
  ],
  [
    'the scheme of the nearest proxy if the furthest omits it',
    [`Forwarded: for=${client}, for=10.0.0.2;proto=https`],
    { ...at('https://a.example'), address: client },
  ],
]

const both: ReadonlyArray<Row> = [
  [
    'equal values',
    [`Forwarded: for=${client};proto=https`, `X-Forwarded-For: ${client}`],
    { ...at('https://a.example'), address: client },
  ],
  [
    'complementary values',
    [
      `Forwarded: for=${client};proto=https;host="b.example:443"`,
      `X-Forwarded-For: ${client}`,
      'X-Forwarded-Host: B.example',
      'X-Forwarded-Prefix: /shop',
    ],
    { address: client, origin: 'https://b.example', prefix: '/shop', secure: true },
  ],
  ['another client', ['Forwarded: for=6.6.6.6', `X-Forwarded-For: ${client}`], direct],
  ['Forwarded without a client', ['Forwarded: proto=https', `X-Forwarded-For: ${client}`], direct],
  [
    'another scheme',
    [
      `Forwarded: for=${client};proto=https`,
      `X-Forwarded-For: ${client}`,
      'X-Forwarded-Proto: http',
    ],
    direct,
  ],
  [
    'another host',
    [`Forwarded: for=${client};host=evil`, `X-Forwarded-For: ${client}`, 'X-Forwarded-Host: good'],
    direct,
  ],
]

const start = (trusted: string): Promise<Server> =>
  serveLocally(api, {
    'fw.rest.path': '/api',
    'fw.rest.absolute-location': true,
    'fw.http.proxy.trusted': trusted,
  })

const port = (server: Server | undefined) => new URL(server?.url ?? '').port

describe('trustedProxies', (test, { before, after }) => {
  let trusting: Server | undefined
  let untrusting: Server | undefined
  before(async () => {
    trusting = await start('10.0.0.0/8, 127.0.0.0/8, fd00::/8')
    untrusting = await start('10.0.0.0/8, ::1, 127.0.0.2')
  })
  after(async () => {
    await trusting?.close()
    await untrusting?.close()
  })

  const groups = { 'X-Forwarded-*': xForwarded, Forwarded: forwarded, 'both kinds': both }
  for (const [group, rows] of Object.entries(groups))
    table<Row>(
      test,
      rows.map(([title, ...rest]): Row => [`${group}: ${title}`, ...rest]),
      async (_, headers, expected) => {
        const request = rawRequest('GET /api/where?q', ...headers)
        assert.equal(await requestInfo(trusting, request), expected)
        assert.equal(await requestInfo(untrusting, request), direct)
      },
    )

  test('a Location header has the origin and prefix that the client uses', async () => {
    const connection = await connectTo(trusting?.url ?? '')
    const headers = ['X-Forwarded-Proto: https', 'X-Forwarded-Prefix: /shop']
    connection.write(rawRequest('GET /api/created', ...headers))
    assert.is(headerOf(await connection.next(), 'location'), 'https://a.example/shop/api/new')
    connection.destroy()
  })

  table(
    test,
    [
      [
        'the origin of HTTP/1.0 without Host is the local address',
        head('GET /api/where?q HTTP/1.0'),
      ],
      [
        'the origin with an empty Host is the local address',
        head('GET /api/where?q HTTP/1.1', 'Host:'),
      ],
      [
        'the origin with an invalid IPv4 address in Host is the local address',
        head('GET /api/where?q HTTP/1.1', 'Host: 999.0.0.1'),
      ],
      [
        'the origin with an escape in Host is the local address',
        head('GET /api/where?q HTTP/1.1', 'Host: a%20b'),
      ],
    ],
    async (_, request) => {
      for (const server of [trusting, untrusting])
        assert.is((await requestInfo(server, request)).origin, `http://127.0.0.1:${port(server)}`)
    },
  )
  test('the authority of an absolute request target takes precedence over Host', async () => {
    const request = head('GET http://b.example:8080/api/where?q HTTP/1.1', 'Host: a.example')
    assert.is((await requestInfo(untrusting, request)).origin, 'http://b.example:8080')
  })
})
