import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ClientBody, ClientRequest } from '../../../src/client/exchange.ts'
import { bearerToken } from '../../../src/client/policy/credentials.ts'
import type { FollowRedirectsOptions } from '../../../src/client/policy/follow-redirects.ts'
import { followRedirects } from '../../../src/client/policy/follow-redirects.ts'
import { headers } from '../../../src/client/policy/headers.ts'
import {
  fakeBody,
  requestTo,
  responseOutcome,
  expectResponse,
  fakeTransport,
  send,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'

const to = (location: string, status = 302) => responseOutcome(status, ['Location', location])

/** The requests that follow when the first is redirected so, and everything else is answered with 200. */
const followed = async (
  redirect: ReturnType<typeof responseOutcome>,
  request: ClientRequest = requestTo(),
  options: FollowRedirectsOptions = {},
): Promise<ReadonlyArray<ClientRequest>> => {
  const network = fakeTransport((_, n) => (n === 0 ? redirect : responseOutcome(200)))
  const outcome = await send(followRedirects(options), network, request)
  assert.is(outcomeName(outcome), network.sent.length > 1 ? 200 : outcomeName(redirect))
  return network.sent.slice(1)
}

describe('followRedirects: where', (test) => {
  table<readonly [location: string, url: string | undefined]>(
    test,
    [
      ['/shelves', 'http://books.test/shelves'],
      ['2', 'http://books.test/books/2'],
      ['?page=2', 'http://books.test/books/1?page=2'],
      ['//other.test/a', 'http://other.test/a'],
      ['https://other.test/', 'https://other.test/'],
      ['/a#part', 'http://books.test/a'], // RFC 9110, 10.2.2: for whoever shows it
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
  test('R-447: never from HTTPS to HTTP', async () => {
    const request = requestTo('https://books.test/')
    assert.is((await followed(to('http://books.test/a'), request)).length, 0)
    assert.is((await followed(to('https://other.test/a'), request)).length, 1)
  })
  test('R-447: relative to the URL that answered', async () => {
    const network = fakeTransport((_, n) => [to('/b/c'), to('d')][n] ?? responseOutcome(200))
    await send(followRedirects(), network)
    assert.equal(
      network.sent.map(({ url }) => url),
      ['http://books.test/books/1', 'http://books.test/b/c', 'http://books.test/b/d'],
    )
  })
  test('R-447: and not to the one that was asked, where that is another', async () => {
    const answered = { ...expectResponse(to('c')), url: 'http://other.test/a/b' }
    assert.is((await followed(E.right(answered)))[0]?.url, 'http://other.test/a/c')
  })
  test('R-447: nowhere without a location', async () => {
    assert.is((await followed(responseOutcome(302))).length, 0)
  })
})

describe('followRedirects: what becomes of the request', (test) => {
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
      // GET and HEAD alone
      ...[301, 302, 303, 307, 308].flatMap((status) => [
        [`R-447: GET ${status}`, status, 'GET', {}, 'GET'] as const,
        [`R-447: HEAD ${status}`, status, 'HEAD', {}, 'HEAD'] as const,
        [`R-447: POST ${status}`, status, 'POST', {}, ''] as const,
        [`R-447: PUT ${status}`, status, 'PUT', {}, ''] as const,
        [`R-447: DELETE ${status}`, status, 'DELETE', {}, ''] as const,
      ]),
      ...[200, 201, 300, 304, 305, 306, 400].map(
        (status) => [`R-447: GET ${status}`, status, 'GET', {}, ''] as const,
      ),
      // RFC 9110, 15.4.2 to 15.4.9
      ['POST 301 where it may', 301, 'POST', all, 'GET'],
      ['POST 302 where it may', 302, 'POST', all, 'GET'],
      ['POST 303 where it may', 303, 'POST', all, 'GET'],
      ['POST 307 where it may', 307, 'POST', all, 'POST content'],
      ['POST 308 where it may', 308, 'POST', all, 'POST content'],
      ['PUT 301 where it may', 301, 'PUT', all, 'PUT content'],
      ['PUT 302 where it may', 302, 'PUT', all, 'PUT content'],
      ['PUT 303 where it may', 303, 'PUT', all, 'GET'],
      ['PUT 307 where it may', 307, 'PUT', all, 'PUT content'],
      ['DELETE 303 where it may', 303, 'DELETE', all, 'GET'],
      ['DELETE 307 where it may', 307, 'DELETE', all, 'DELETE'],
    ],
    async (_, status, method, options, becomes) => {
      const hasContent = method === 'POST' || method === 'PUT'
      const body: ClientBody | undefined = hasContent
        ? { _tag: 'Whole', content: 'content' }
        : undefined
      const fields = ['Accept', 'text/plain', ...(hasContent ? ['Content-Type', 'text/plain'] : [])]
      const request = requestTo(undefined, { method, body, headers: fields })
      const [next] = await followed(to('/next', status), request, options)
      if (becomes === '') return assert.is(next, undefined)
      const keeps = becomes.endsWith('content')
      assert.equal(
        [next?.method, next?.body, next?.headers],
        [
          becomes.split(' ')[0],
          keeps ? body : undefined,
          keeps ? fields : ['Accept', 'text/plain'],
        ],
      )
    },
  )
  test('what is said of a content goes with it', async () => {
    const said = [
      'Content-Encoding Content-Language Content-Length Content-Location',
      'Content-Type Content-Digest digest Last-Modified',
    ].flatMap((names) => names.split(' ').flatMap((field) => [field, 'x']))
    const fields = [...said, 'Accept', '*/*']
    const request = requestTo(undefined, { method: 'POST', headers: fields })
    const led = async (status: number): Promise<unknown> =>
      (await followed(to('/next', status), request, all))[0]?.headers
    assert.equal(await led(303), ['Accept', '*/*'])
    assert.equal(await led(307), fields)
  })
  test('content in pieces is not sent twice', async () => {
    const body: ClientBody = { _tag: 'Pieces', open: async function* () {} }
    const request = requestTo(undefined, { method: 'PUT', body })
    assert.is((await followed(to('/next', 307), request, all)).length, 0)
    assert.is((await followed(to('/next', 303), request, all)).length, 1)
  })
})

describe('followRedirects: credentials', (test) => {
  const fields = ['Authorization', 'Bearer a', 'cookie', 'b=c', 'X-Key', 'd', 'Accept', '*/*']
  const request = requestTo('http://books.test/1', { headers: fields })
  table(
    test,
    [
      ['R-447: stay on their way within an origin', '/2', {}, fields],
      ['R-447: do not cross to another host', 'http://other.test/', {}, fields.slice(4)],
      ['R-447: do not cross to another port', 'http://books.test:8080/', {}, fields.slice(4)],
      ['R-447: do not cross to another scheme', 'https://books.test/', {}, fields.slice(4)],
      [
        'R-447: nor do those that are named',
        'http://other.test/',
        { credentials: ['x-key'] },
        fields.slice(6),
      ],
    ] as const,
    async (_, location, options, expected) =>
      assert.equal((await followed(to(location), request, options))[0]?.headers, expected),
  )
  test('R-447: nobody adds them there, nor on the way back', async () => {
    const network = fakeTransport(
      (_, n) => [to('http://other.test/'), to('http://books.test/back')][n] ?? responseOutcome(200),
    )
    const policies = [followRedirects(), bearerToken('secret'), headers({ 'X-Key': 'e' })]
    assert.is(outcomeName(await send(policies, network)), 200)
    assert.equal(
      network.sent.map((one) => one.headers),
      [['Authorization', 'Bearer secret', 'X-Key', 'e'], [], []],
    )
  })
})

describe('followRedirects: how often', (test) => {
  for (const [max, sent] of [
    [0, 1],
    [1, 2],
    [5, 6],
  ] as const)
    test(`R-447: over the max of ${max} the last redirect is the response`, async () => {
      const contents = Array.from({ length: 10 }, () => fakeBody('moved', '…'))
      const network = fakeTransport((_, n) =>
        responseOutcome(302, ['Location', `/${n}`], contents[n]?.body ?? null),
      )
      assert.is(outcomeName(await send(followRedirects({ max }), network)), 302)
      assert.is(network.sent.length, sent)
      assert.equal(
        contents.map((one) => one.isCancelled()),
        contents.map((_, n) => n < sent - 1),
      )
    })
  test('R-447: off, unless there is a policy for it', async () => {
    const network = fakeTransport(() => to('/next'))
    assert.is(outcomeName(await send([], network)), 302)
    assert.is(network.sent.length, 1)
  })
  test('R-447: no circle is gone twice', async () => {
    const network = fakeTransport(({ url }) => to(url.endsWith('a') ? '/b' : '/a'))
    assert.is(outcomeName(await send(followRedirects({ max: 100 }), network)), 302)
    assert.is(network.sent.length, 3)
  })
  table(test, [[-1], [1.5], [NaN], [Infinity]] as const, (max) =>
    assert.throws(() => followRedirects({ max }), RangeError),
  )
})
