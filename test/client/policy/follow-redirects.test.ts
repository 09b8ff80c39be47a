import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ClientBody, ClientRequest } from '../../../src/client/exchange.ts'
import { bearerToken, headers } from '../../../src/client/policy/headers.ts'
import type { FollowRedirectsOptions } from '../../../src/client/policy/follow-redirects.ts'
import { followRedirects } from '../../../src/client/policy/follow-redirects.ts'
import {
  fakeBody,
  requestTo,
  responseOf,
  expectResponse,
  fakeTransport,
  send,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'

const to = (location: string, status = 302) => responseOf(status, ['Location', location])

/** Returns the requests after the first one, which receives `redirect`; all others receive 200. */
const followed = async (
  redirect: ReturnType<typeof responseOf>,
  request: ClientRequest = requestTo(),
  options: FollowRedirectsOptions = {},
): Promise<ReadonlyArray<ClientRequest>> => {
  const network = fakeTransport((_, n) => (n === 0 ? redirect : responseOf(200)))
  const result = await send(followRedirects(options), network, request)
  assert.is(statusOrTag(result), network.sent.length > 1 ? 200 : statusOrTag(redirect))
  return network.sent.slice(1)
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

/** A title, a body, the options of the policy, and whether a redirect is returned as a response. */
type BodyRow = readonly [
  title: string,
  body: ClientBody | undefined,
  options: FollowRedirectsOptions,
  expected: boolean,
]
const post: FollowRedirectsOptions = { methods: ['POST'] }

describe('followRedirects: operations that declare no redirect', (test) => {
  table<BodyRow>(
    test,
    [
      ['a Blob', { _tag: 'Buffered', data: new Blob(['a']) }, post, true],
      ['a form', { _tag: 'Form', form: new FormData() }, post, true],
      ['no body', undefined, post, true],
      ['a stream', { _tag: 'Streamed', open: noChunks }, post, false],
      ['a Blob of another method', { _tag: 'Buffered', data: new Blob(['a']) }, {}, false],
    ],
    async (_, body, options, expected) => {
      const network = fakeTransport(() => responseOf(200))
      const request = requestTo(undefined, { method: 'POST', body, mayRedirect: false })
      await send(followRedirects(options), network, request)
      assert.is(network.sent[0]?.mayRedirect, expected)
    },
  )
})

describe('followRedirects: Location', (test) => {
  table<readonly [location: string, url: string | undefined]>(
    test,
    [
      ['/shelves', 'http://books.test/shelves'],
      ['2', 'http://books.test/books/2'],
      ['?page=2', 'http://books.test/books/1?page=2'],
      ['//other.test/a', 'http://other.test/a'],
      ['https://other.test/', 'https://other.test/'],
      ['/a#part', 'http://books.test/a'], // fragments are not sent (RFC 9110, 10.2.2)
      ['/ä b', 'http://books.test/%C3%A4%20b'],
      ['mailto:ann@books.test', undefined],
      ['file:///etc/passwd', undefined],
      ['data:text/plain,a', undefined],
      ['http://', undefined],
      ['http://ann:plum@books.test/', undefined],
    ],
    async (location, url) =>
      assert.equal(
        (await followed(to(location))).map((request) => request.url),
        url === undefined ? [] : [url],
      ),
  )
  test('a redirect from HTTPS to HTTP is not followed', async () => {
    const request = requestTo('https://books.test/')
    assert.is((await followed(to('http://books.test/a'), request)).length, 0)
    assert.is((await followed(to('https://other.test/a'), request)).length, 1)
  })
  test('a relative location is resolved against the URL of the request', async () => {
    const network = fakeTransport((_, n) => [to('/b/c'), to('d')][n] ?? responseOf(200))
    await send(followRedirects(), network)
    assert.equal(
      network.sent.map(({ url }) => url),
      ['http://books.test/books/1', 'http://books.test/b/c', 'http://books.test/b/d'],
    )
  })
  test('a relative location is resolved against the URL of the response if it differs', async () => {
    const answered = { ...expectResponse(to('c')), url: 'http://other.test/a/b' }
    assert.is((await followed(E.right(answered)))[0]?.url, 'http://other.test/a/c')
  })
  test('a redirect without Location is not followed', async () => {
    assert.is((await followed(responseOf(302))).length, 0)
  })
})

describe('followRedirects: method and body', (test) => {
  const all = { methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] }
  table<
    readonly [
      name: string,
      status: number,
      method: string,
      options: FollowRedirectsOptions,
      becomes: string,
    ]
  >(
    test,
    [
      // by default only GET, HEAD and QUERY are redirected
      ...[301, 302, 303, 307, 308].flatMap((status) => [
        [`GET ${status}`, status, 'GET', {}, 'GET'] as const,
        [`HEAD ${status}`, status, 'HEAD', {}, 'HEAD'] as const,
        // RFC 10008, 2.5: the exceptions for POST do not apply
        [`QUERY ${status}`, status, 'QUERY', {}, status === 303 ? 'GET' : 'QUERY content'] as const,
        [`POST ${status}`, status, 'POST', {}, ''] as const,
        [`PUT ${status}`, status, 'PUT', {}, ''] as const,
        [`DELETE ${status}`, status, 'DELETE', {}, ''] as const,
      ]),
      ...[200, 201, 300, 304, 305, 306, 400].map(
        (status) => [`GET ${status}`, status, 'GET', {}, ''] as const,
      ),
      // RFC 9110, 15.4.2 to 15.4.9
      ['POST 301 with methods', 301, 'POST', all, 'GET'],
      ['POST 302 with methods', 302, 'POST', all, 'GET'],
      ['POST 303 with methods', 303, 'POST', all, 'GET'],
      ['POST 307 with methods', 307, 'POST', all, 'POST content'],
      ['POST 308 with methods', 308, 'POST', all, 'POST content'],
      ['PUT 301 with methods', 301, 'PUT', all, 'PUT content'],
      ['PUT 302 with methods', 302, 'PUT', all, 'PUT content'],
      ['PUT 303 with methods', 303, 'PUT', all, 'GET'],
      ['PUT 307 with methods', 307, 'PUT', all, 'PUT content'],
      ['DELETE 303 with methods', 303, 'DELETE', all, 'GET'],
      ['DELETE 307 with methods', 307, 'DELETE', all, 'DELETE'],
    ],
    async (_, status, method, options, becomes) => {
      const hasContent = method === 'POST' || method === 'PUT' || method === 'QUERY'
      const body: ClientBody | undefined = hasContent
        ? { _tag: 'Buffered', data: 'content' }
        : undefined
      const sentHeaders = [
        'Accept',
        'text/plain',
        ...(hasContent ? ['Content-Type', 'text/plain'] : []),
      ]
      const request = requestTo(undefined, { method, body, headers: sentHeaders })
      const [next] = await followed(to('/next', status), request, options)
      if (becomes === '') return assert.is(next, undefined)
      const keeps = becomes.endsWith('content')
      assert.equal(
        [next?.method, next?.body, next?.headers],
        [
          becomes.split(' ')[0],
          keeps ? body : undefined,
          keeps ? sentHeaders : ['Accept', 'text/plain'],
        ],
      )
    },
  )
  test('headers that describe the body are removed with the body', async () => {
    const contentHeaders = [
      'Content-Encoding Content-Language Content-Length Content-Location',
      'Content-Type Content-Digest digest Last-Modified',
    ].flatMap((names) => names.split(' ').flatMap((field) => [field, 'x']))
    const sentHeaders = [...contentHeaders, 'Accept', '*/*']
    const request = requestTo(undefined, { method: 'POST', headers: sentHeaders })
    const led = async (status: number): Promise<unknown> =>
      (await followed(to('/next', status), request, all))[0]?.headers
    assert.equal(await led(303), ['Accept', '*/*'])
    assert.equal(await led(307), sentHeaders)
  })
  test('a streamed body is not sent again', async () => {
    const body: ClientBody = { _tag: 'Streamed', open: async function* () {} }
    const request = requestTo(undefined, { method: 'PUT', body })
    assert.is((await followed(to('/next', 307), request, all)).length, 0)
    assert.is((await followed(to('/next', 303), request, all)).length, 1)
  })
})

const hasKey = ({ url, headers: sent }: ClientRequest) => `${url} ${sent.includes('X-Key')}`

describe('followRedirects: credentials', (test) => {
  const sentHeaders = ['Authorization', 'Bearer a', 'cookie', 'b=c', 'X-Key', 'd', 'Accept', '*/*']
  const request = requestTo('http://books.test/1', { headers: sentHeaders })
  table(
    test,
    [
      ['are sent within the origin', '/2', {}, sentHeaders],
      ['are not sent to another host', 'http://other.test/', {}, sentHeaders.slice(4)],
      ['are not sent to another port', 'http://books.test:8080/', {}, sentHeaders.slice(4)],
      ['are not sent to another scheme', 'https://books.test/', {}, sentHeaders.slice(4)],
      [
        'include the headers of the credentials option',
        'http://other.test/',
        { credentials: ['x-key'] },
        sentHeaders.slice(6),
      ],
    ] as const,
    async (_, location, options, expected) =>
      assert.equal((await followed(to(location), request, options))[0]?.headers, expected),
  )
  table<readonly [name: string, isSent: boolean]>(
    test,
    [
      ['Proxy-Authorization', false],
      ['X-API-Key', false],
      ['X-Auth-Token', false],
      ['Client-Secret', false],
      ['X-Locale', true],
    ],
    async (name, isSent) => {
      const sent = requestTo('http://books.test/1', { headers: [name, 'a'] })
      const [next] = await followed(to('http://other.test/'), sent)
      assert.equal(next?.headers, isSent ? [name, 'a'] : [])
    },
  )
  test('API keys that the contract declares are not sent to another origin', async () => {
    const apiKeys = [
      { in: 'header', name: 'X-Key' },
      { in: 'query', name: 'a key' },
    ] as const
    const { operation } = request
    const declared = { ...request, operation: { ...operation, apiKeys } }
    const sentTo = async (url: string) => (await followed(to(url), declared)).map(hasKey).join()
    assert.is(await sentTo('/2?a+key=b'), 'http://books.test/2?a+key=b true')
    assert.is(await sentTo('//a.test/?c=d,e&a+key=b&%61%20key=f'), 'http://a.test/?c=d,e false')
    assert.is(await sentTo('//a.test/?a+key=b'), 'http://a.test/ false')
  })
  table<
    readonly [status: number, method: string, options: FollowRedirectsOptions, isFollowed: boolean]
  >(
    test,
    [
      [307, 'POST', {}, false],
      [308, 'PUT', {}, false],
      [302, 'PUT', {}, false],
      [303, 'POST', {}, true],
      [302, 'POST', {}, true],
      [307, 'POST', { crossOriginBodies: true }, true],
      [307, 'DELETE', {}, true], // without a body
    ],
    async (status, method, options, isFollowed) => {
      const body: ClientBody | undefined =
        method === 'DELETE' ? undefined : { _tag: 'Buffered', data: 'secret' }
      const sent = requestTo('http://books.test/1', { method, body })
      const all = { methods: [method], ...options }
      const next = await followed(to('http://other.test/', status), sent, all)
      assert.is(next.length, isFollowed ? 1 : 0)
      if (isFollowed)
        assert.is(next[0]?.body, options.crossOriginBodies === true ? body : undefined)
      assert.is((await followed(to('/2', status), sent, all)).length, 1)
    },
  )
  test('inner policies do not add credentials after a redirect to another origin', async () => {
    const network = fakeTransport(
      (_, n) => [to('http://other.test/'), to('http://books.test/back')][n] ?? responseOf(200),
    )
    const policies = [followRedirects(), bearerToken('secret'), headers({ 'X-Key': 'e' })]
    assert.is(statusOrTag(await send(policies, network)), 200)
    assert.equal(
      network.sent.map((sent) => sent.headers),
      [['Authorization', 'Bearer secret', 'X-Key', 'e'], [], []],
    )
  })
})

describe('followRedirects: limits', (test) => {
  for (const [max, sent] of [
    [0, 1],
    [1, 2],
    [5, 6],
  ] as const)
    test(`with max: ${max} the first redirect beyond it is the response`, async () => {
      const contents = Array.from({ length: 10 }, () => fakeBody('moved', '…'))
      const network = fakeTransport((_, n) =>
        responseOf(302, ['Location', `/${n}`], contents[n]?.body ?? null),
      )
      assert.is(statusOrTag(await send(followRedirects({ max }), network)), 302)
      assert.is(network.sent.length, sent)
      assert.equal(
        contents.map((content) => content.isCancelled()),
        contents.map((_, n) => n < sent - 1),
      )
    })
  test('redirects are not followed without the policy', async () => {
    assert.is(
      statusOrTag(
        await send(
          [],
          fakeTransport(() => to('/next')),
        ),
      ),
      302,
    )
  })
  test('a redirect loop is not followed', async () => {
    const network = fakeTransport(({ url }) => to(url.endsWith('a') ? '/b' : '/a'))
    assert.is(statusOrTag(await send(followRedirects({ max: 100 }), network)), 302)
    assert.is(network.sent.length, 3)
  })
  table(test, [[-1], [1.5], [NaN], [Infinity]] as const, (max) =>
    assert.throws(() => followRedirects({ max }), RangeError),
  )
})
