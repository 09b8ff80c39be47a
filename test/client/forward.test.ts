/** Replies made from decoded responses of another service. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { AnyDecodedResponse, ForwardOptions } from '../../src/client.ts'
import { client, forward } from '../../src/client.ts'
import {
  as,
  bytes,
  created,
  fails,
  get,
  handle,
  json,
  path,
  produces,
  responds,
  routes,
  withCookie,
  withHeader,
} from '../../src/index.ts'
import { isReply } from '../../src/endpoint/reply.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

const Book = t.type({ title: t.string })
const Missing = t.type({ missing: t.string })
const Taken = t.type({ taken: t.string })

/** The service whose responses are forwarded. */
const upstream = routes({
  find: pipe(
    path('/books/{isbn}'),
    get(),
    produces(json(Book)),
    fails(404, json(Missing)),
    handle(({ path: { isbn } }) =>
      isbn === 'none' ? E.left({ missing: isbn }) : E.right({ title: 'Emma' }),
    ),
  ),
  create: pipe(
    path('/books'),
    get(),
    responds(201, json(Book)),
    handle(() =>
      pipe(
        created('/books/1', { title: 'Emma' }),
        withHeader('ETag', '"1"'),
        withHeader('X-Shelf', '7'),
        withCookie({ name: 'sid', value: '1' }),
      ),
    ),
  ),
  image: pipe(
    path('/image'),
    get(),
    produces(as('image/png')(bytes)),
    handle(() => new Uint8Array([1, 2])),
  ),
})
const library = client(upstream, { baseUrl: 'http://upstream.test', fetch: inMemory(upstream) })

const sendRequest = inMemory(
  routes({
    unconverted: pipe(
      path('/unconverted/{isbn}'),
      get(),
      produces(json(Book)),
      fails(404, json(Missing)),
      fails(409, json(Taken)),
      // what JavaScript code may return by accident
      handle(({ path: { isbn } }) => library.find({ path: { isbn } }) as never),
    ),
    unreachable: pipe(
      path('/unreachable'),
      get(),
      produces(json(Book)),
      fails(404, json(Missing)),
      fails(409, json(Taken)),
      handle(() => {
        const broken = client(upstream, {
          baseUrl: 'http://upstream.test',
          fetch: () => Promise.reject(new TypeError('fetch failed')),
        })
        return broken.find({ path: { isbn: '1' } }) as never
      }),
    ),
    find: pipe(
      path('/forwarded/{isbn}'),
      get(),
      produces(json(Book)),
      fails(404, json(Missing)),
      handle(({ path: { isbn } }) =>
        pipe(
          library.find({ path: { isbn } }),
          TE.map((response) => forward(response)),
          TE.mapLeft((failure) => {
            if ('_tag' in failure) throw new Error(failure.message)
            return forward(failure)
          }),
        ),
      ),
    ),
    create: pipe(
      path('/create'),
      get(),
      responds(201, json(Book)),
      handle(async () => {
        const result = await library.create()()
        if (E.isLeft(result)) throw new Error(result.left.message)
        return forward(result.right)
      }),
    ),
    image: pipe(
      path('/image'),
      get(),
      produces(as('image/*')(bytes)),
      handle(async () => {
        const image = await library.image()()
        if (E.isLeft(image)) throw new Error(image.left.message)
        return forward(image.right)
      }),
    ),
  }),
)
const send = async (target: string): Promise<readonly [number, string, Headers]> => {
  const response = await sendRequest(
    new Request(`http://service.test${target}`, { headers: { accept: '*/*, image/png' } }),
  )
  return [response.status, await response.text(), response.headers]
}

describe('a decoded response returned by a handler', (test) => {
  test('is not sent as a reply', async () => {
    // encoded as a value of the declared codec, without undeclared members
    assert.is((await send('/unconverted/1'))[1], '{}')
    assert.is((await send('/unconverted/none'))[0], 500)
    assert.is((await send('/unreachable'))[0], 500)
  })
  test('is not a reply value', async () => {
    const result = await library.find({ path: { isbn: '1' } })()
    assert.not.ok(isReply(E.isRight(result) ? result.right : result.left))
  })
})

describe('a forwarded response', (test) => {
  test('has the status and the body of the original', async () => {
    const [status, content, headers] = await send('/forwarded/1')
    assert.equal([status, content], [200, '{"title":"Emma"}'])
    assert.is(headers.get('content-length'), '16')
    assert.is(headers.get('content-type'), 'application/json')
  })
  test('can be a declared failure', async () =>
    assert.equal((await send('/forwarded/none')).slice(0, 2), [404, '{"missing":"none"}']))
  test('has the headers of the original without cookies, and a weak ETag', async () => {
    const [status, , headers] = await send('/create')
    assert.is(status, 201)
    assert.equal(
      ['location', 'x-shelf', 'etag', 'set-cookie'].map((name) => headers.get(name)),
      ['/books/1', '7', 'W/"1"', null],
    )
  })
  test('has the media type of the original if the body is bytes', async () =>
    assert.is((await send('/image'))[2].get('content-type'), 'image/png'))
  table<
    readonly [
      headers: ReadonlyArray<[name: string, value: string]>,
      expected: ReadonlyArray<string>,
      options?: ForwardOptions,
    ]
  >(
    test,
    [
      [
        [
          ['Connection', 'close, X-Hop'],
          ['x-hop', '1'],
          ['X-Other', '2'],
        ],
        ['x-other', '2'],
      ],
      [
        [
          ['keep-alive', 'timeout=5'],
          ['TE', 'trailers'],
          ['Trailer', 'X'],
          ['Upgrade', 'h2c'],
        ],
        [],
      ],
      [
        [
          ['Transfer-Encoding', 'chunked'],
          ['Content-Length', '1'],
          ['Content-Encoding', 'br'],
        ],
        [],
      ],
      [
        [
          ['Proxy-Authenticate', 'Basic'],
          ['Proxy-Connection', 'close'],
          ['Date', 'now'],
        ],
        [],
      ],
      [
        [
          ['Vary', 'Accept'],
          ['Vary', 'Origin'],
          ['Link', '</>'],
        ],
        ['link', '</>', 'vary', 'Accept, Origin'],
      ],
      [[['ETag', 'W/"1"']], ['etag', 'W/"1"']],
      [[['Set-Cookie', 'a=1']], []],
      [
        [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ],
        ['set-cookie', 'a=1', 'set-cookie', 'b=2'],
        { cookies: true },
      ],
    ],
    (headers, expected, options) => {
      const response: AnyDecodedResponse = {
        status: 200,
        headers: new Headers(headers.map(([name, value]) => [name, value])),
        body: 'text',
        url: 'http://a.test/',
      }
      assert.equal(forward(response, options).headers, expected)
    },
  )
})
