/** Requests through proxies. Each row is sent to a server that trusts its peer, and to one that does not. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { created, get, handle, json, path, produces, responds, routes } from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { head, to } from '../../support/raw.ts'

const api = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(json(t.UnknownRecord)),
    handle((_, { request, uri, security }) => ({
      address: request.address,
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

interface Where {
  readonly address: string
  /** Scheme and authority. */
  readonly origin: string
  readonly prefix: string
  readonly secure: boolean
}

/** What a server tells of a request. */
const ask = async (server: Server | undefined, octets: string): Promise<Where> => {
  const connection = await connectTo(server?.url ?? '')
  connection.write(octets)
  const { content, status } = await connection.next()
  connection.leave()
  assert.is(status, 200, content)
  const { address, request, base, secure } = JSON.parse(content) as Record<string, string> & {
    secure: boolean
  }
  const [, origin = '', prefix = ''] = /^(\w+:\/\/[^/]+)(.*)\/api\/$/.exec(base ?? '') ?? []
  assert.is(request, `${origin}${prefix}/api/where?q`)
  return { address: address ?? '', origin, prefix, secure }
}

const direct: Where = {
  address: '127.0.0.1',
  origin: 'http://a.example',
  prefix: '',
  secure: false,
}

const client = '203.0.113.9'
const from = (address: string): Where => ({ ...direct, address })
const at = (origin: string): Where => ({ ...direct, origin, secure: origin.startsWith('https') })
const below = (prefix: string): Where => ({ ...direct, prefix })

type Row = readonly [title: string, fields: ReadonlyArray<string>, expected: Where]

const customary: ReadonlyArray<Row> = [
  ['nothing', [], direct],
  ['a client', [`X-Forwarded-For: ${client}`], from(client)],
  ['a client with a port', [`X-Forwarded-For: ${client}:4711`], from(client)],
  ['version 6', ['X-Forwarded-For: 2001:db8::7'], from('2001:db8::7')],
  ['version 6 in brackets', ['X-Forwarded-For: [2001:db8::7]:80'], from('2001:db8::7')],
  ['mapped to version 6', [`X-Forwarded-For: ::ffff:${client}`], from(client)],
  ['the last one of several', [`X-Forwarded-For: 6.6.6.6, ${client}`], from(client)],
  ['in several lines', ['X-Forwarded-For: 6.6.6.6', `X-Forwarded-For: ${client}`], from(client)],
  ['past trusted ones', [`X-Forwarded-For: 6.6.6.6, ${client}, 10.0.0.2, 10.9.9.9`], from(client)],
  [
    'past those mapped to version 6',
    [`X-Forwarded-For: 6.6.6.6, ${client}, ::ffff:10.0.0.2`],
    from(client),
  ],
  ['past those of version 6', [`X-Forwarded-For: 6.6.6.6, ${client}, fd00::1`], from(client)],
  ['all trusted', ['X-Forwarded-For: 10.0.0.3, 10.0.0.2'], from('10.0.0.3')],
  ['what is no address', ['X-Forwarded-For: what'], direct],
  ['nothing past what is no address', [`X-Forwarded-For: ${client}, what`], direct],
  ['nothing past what hides', [`X-Forwarded-For: ${client}, unknown, 10.0.0.2`], from('10.0.0.2')],
  ['empty members', [`X-Forwarded-For: , ${client},,`], from(client)],
  ['a quotation', [`X-Forwarded-For: ", ${client}`], from(client)],
  ['a scheme', ['X-Forwarded-Proto: https'], at('https://a.example')],
  ['a scheme in capitals', ['X-Forwarded-Proto: HTTPS'], at('https://a.example')],
  ['another scheme', ['X-Forwarded-Proto: javascript'], direct],
  ['of two schemes the nearest', ['X-Forwarded-Proto: https, http'], direct],
  [
    'of two schemes that of the proxy furthest away',
    [`X-Forwarded-For: ${client}, 10.0.0.2`, 'X-Forwarded-Proto: http, https, http'],
    { ...at('https://a.example'), address: client },
  ],
  [
    'one scheme of two proxies',
    [`X-Forwarded-For: ${client}, 10.0.0.2`, 'X-Forwarded-Proto: https'],
    { ...at('https://a.example'), address: client },
  ],
  ['a host', ['X-Forwarded-Host: b.example'], at('http://b.example')],
  ['a host with a port', ['X-Forwarded-Host: b.example:8080'], at('http://b.example:8080')],
  [
    'of two hosts the nearest',
    ['X-Forwarded-Host: evil.example, b.example'],
    at('http://b.example'),
  ],
  ['no host', ['X-Forwarded-Host: b example'], direct],
  ['no host either', ['X-Forwarded-Host: u@b.example'], direct],
  ['a host that no URL has', ['X-Forwarded-Host: 999.0.0.1'], direct],
  ['a port', ['X-Forwarded-Port: 8443'], at('http://a.example:8443')],
  ['no port', ['X-Forwarded-Port: 65536'], direct],
  ['no port either', ['X-Forwarded-Port: 0'], direct],
  [
    'the usual port',
    ['X-Forwarded-Proto: https', 'X-Forwarded-Port: 443'],
    at('https://a.example'),
  ],
  [
    'a port in place of that of the host',
    ['X-Forwarded-Host: b.example:1', 'X-Forwarded-Port: 2'],
    at('http://b.example:2'),
  ],
  ['a prefix', ['X-Forwarded-Prefix: /shop'], below('/shop')],
  ['a prefix with a slash at the end', ['X-Forwarded-Prefix: /shop/'], below('/shop')],
  ['the root as prefix', ['X-Forwarded-Prefix: /'], direct],
  ['of two prefixes the nearest', ['X-Forwarded-Prefix: /evil, /shop'], below('/shop')],
  [
    'prefixes of two proxies',
    [`X-Forwarded-For: ${client}, 10.0.0.2`, 'X-Forwarded-Prefix: /outer, /inner'],
    { ...below('/outer/inner'), address: client },
  ],
  ...['shop', '//evil.example', '/a/../b', '/a/%2e%2E/b', '/a?b', '/a#b', '/a%zz', '/a b'].map(
    (text): Row => [`no prefix: ${text}`, [`X-Forwarded-Prefix: ${text}`], direct],
  ),
  [
    'everything',
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

const standard: ReadonlyArray<Row> = [
  ['RFC 7239, 4', ['Forwarded: for=192.0.2.60;proto=http;by=203.0.113.43'], from('192.0.2.60')],
  ['version 6', ['Forwarded: For="[2001:db8:cafe::17]:4711"'], from('2001:db8:cafe::17')],
  ['the last one', [`Forwarded: for=6.6.6.6, for=${client}`], from(client)],
  ['past trusted ones', [`Forwarded: for=6.6.6.6, for=${client}, for=10.0.0.2`], from(client)],
  ['in several lines', ['Forwarded: for="', `Forwarded: for=${client}`], from(client)],
  ['one that is not known', ['Forwarded: for=unknown;proto=https'], at('https://a.example')],
  ['one that hides', [`Forwarded: for=${client}, for=_x, for=10.0.0.2`], from('10.0.0.2')],
  ['what is malformed', [`Forwarded: for=${client}, for=10.0.0.2;for=6.6.6.6`], direct],
  [
    'scheme and host of the proxy furthest away',
    [
      `Forwarded: for=6.6.6.6;host=evil.example;proto=http, for=${client};host=b.example;proto=https, for=10.0.0.2;host=inside;proto=http`,
    ],
    { ...at('https://b.example'), address: client },
  ],
  [
    'what that one does not tell, of the next',
    [`Forwarded: for=${client}, for=10.0.0.2;proto=https`],
    { ...at('https://a.example'), address: client },
  ],
]

const both: ReadonlyArray<Row> = [
  [
    'that agree',
    [`Forwarded: for=${client};proto=https`, `X-Forwarded-For: ${client}`],
    { ...at('https://a.example'), address: client },
  ],
  [
    'that complete each other',
    [
      `Forwarded: for=${client};proto=https;host="b.example:443"`,
      `X-Forwarded-For: ${client}`,
      'X-Forwarded-Host: B.example',
      'X-Forwarded-Prefix: /shop',
    ],
    { address: client, origin: 'https://b.example', prefix: '/shop', secure: true },
  ],
  ['with another client', ['Forwarded: for=6.6.6.6', `X-Forwarded-For: ${client}`], direct],
  ['one without a client', ['Forwarded: proto=https', `X-Forwarded-For: ${client}`], direct],
  [
    'with another scheme',
    [
      `Forwarded: for=${client};proto=https`,
      `X-Forwarded-For: ${client}`,
      'X-Forwarded-Proto: http',
    ],
    direct,
  ],
  [
    'with another host',
    [`Forwarded: for=${client};host=evil`, `X-Forwarded-For: ${client}`, 'X-Forwarded-Host: good'],
    direct,
  ],
]

const start = (trusted: string): Promise<Server> =>
  onLoopback(api, {
    'fw.rest.path': '/api',
    'fw.rest.absolute-location': true,
    'fw.http.proxy.trusted': trusted,
  })

const port = (server: Server | undefined) => new URL(server?.url ?? '').port

describe('Proxies', (test, { before, after }) => {
  let trusting: Server | undefined
  let wary: Server | undefined
  before(async () => {
    trusting = await start('10.0.0.0/8, 127.0.0.0/8, fd00::/8')
    wary = await start('10.0.0.0/8, ::1, 127.0.0.2')
  })
  after(async () => {
    await trusting?.close()
    await wary?.close()
  })

  for (const [family, rows] of Object.entries({ customary, standard, both }))
    table<Row>(
      test,
      rows.map(([title, ...rest]): Row => [`${family}: ${title}`, ...rest]),
      async (_, fields, expected) => {
        const request = to('GET /api/where?q', ...fields)
        assert.equal(await ask(trusting, request), expected)
        assert.equal(await ask(wary, request), direct)
      },
    )

  test('a Location header has the origin that the client uses', async () => {
    const connection = await connectTo(trusting?.url ?? '')
    const fields = ['X-Forwarded-Proto: https', 'X-Forwarded-Prefix: /shop']
    connection.write(to('GET /api/created', ...fields))
    assert.is(fieldOf(await connection.next(), 'location'), 'https://a.example/shop/api/new')
    connection.leave()
  })

  table(
    test,
    [
      ['HTTP/1.0 without a host', head('GET /api/where?q HTTP/1.0')],
      ['an empty host', head('GET /api/where?q HTTP/1.1', 'Host:')],
      ['a host that no URL has', head('GET /api/where?q HTTP/1.1', 'Host: 999.0.0.1')],
      ['another one', head('GET /api/where?q HTTP/1.1', 'Host: a%20b')],
    ],
    async (_, request) => {
      for (const server of [trusting, wary])
        assert.is((await ask(server, request)).origin, `http://127.0.0.1:${port(server)}`)
    },
  )
  test('the authority of an absolute request target takes precedence over Host', async () => {
    const request = head('GET http://b.example:8080/api/where?q HTTP/1.1', 'Host: a.example')
    assert.is((await ask(wary, request)).origin, 'http://b.example:8080')
  })
})
