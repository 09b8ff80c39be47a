/** Replies made from decoded responses of another service. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { AnyAnswer, ForwardOptions } from '../../src/client.ts'
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

/** The other service. */
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
  make: pipe(
    path('/made'),
    get(),
    responds(201, json(Book)),
    handle(() =>
      pipe(
        created('/books/1', { title: 'Emma' }),
        withHeader('ETag', '"1"'),
        withHeader('X-Own', 'kept'),
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

const call = inMemory(
  routes({
    accident: pipe(
      path('/accident/{isbn}'),
      get(),
      produces(json(Book)),
      fails(404, json(Missing)),
      fails(409, json(Taken)),
      // as a program without types has it
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
      path('/purpose/{isbn}'),
      get(),
      produces(json(Book)),
      fails(404, json(Missing)),
      handle(({ path: { isbn } }) =>
        pipe(
          library.find({ path: { isbn } }),
          TE.map((answer) => forward(answer)),
          TE.mapLeft((failure) => {
            if ('_tag' in failure) throw new Error(failure.message)
            return forward(failure)
          }),
        ),
      ),
    ),
    make: pipe(
      path('/make'),
      get(),
      responds(201, json(Book)),
      handle(async () => {
        const made = await library.make()()
        if (E.isLeft(made)) throw new Error(made.left.message)
        return forward(made.right)
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
const ask = async (target: string): Promise<readonly [number, string, Headers]> => {
  const response = await call(
    new Request(`http://service.test${target}`, { headers: { accept: '*/*, image/png' } }),
  )
  return [response.status, await response.text(), response.headers]
}

describe('a decoded response returned by a handler', (test) => {
  test('is not sent as a reply', async () => {
    // written as the value that it is: without a member that is declared
    assert.is((await ask('/accident/1'))[1], '{}')
    assert.is((await ask('/accident/none'))[0], 500)
    assert.is((await ask('/unreachable'))[0], 500)
  })
  test('is not a reply value', async () => {
    const answer = await library.find({ path: { isbn: '1' } })()
    assert.not.ok(isReply(E.isRight(answer) ? answer.right : answer.left))
  })
})

describe('a forwarded response', (test) => {
  test('keeps status and body', async () => {
    const [status, content, headers] = await ask('/purpose/1')
    assert.equal([status, content], [200, '{"title":"Emma"}'])
    assert.is(headers.get('content-length'), '16')
    assert.is(headers.get('content-type'), 'application/json')
  })
  test('can be a failure', async () =>
    assert.equal((await ask('/purpose/none')).slice(0, 2), [404, '{"missing":"none"}']))
  test('keeps headers without cookies, with a weak ETag', async () => {
    const [status, , headers] = await ask('/make')
    assert.is(status, 201)
    assert.equal(
      ['location', 'x-own', 'etag', 'set-cookie'].map((name) => headers.get(name)),
      ['/books/1', 'kept', 'W/"1"', null],
    )
  })
  test('keeps the media type of bytes', async () =>
    assert.is((await ask('/image'))[2].get('content-type'), 'image/png'))
  table<
    readonly [headers: ReadonlyArray<string>, kept: ReadonlyArray<string>, options?: ForwardOptions]
  >(
    test,
    [
      [
        ['Connection', 'close, X-Hop', 'x-hop', '1', 'X-Own', '2'],
        ['X-Own', '2'],
      ],
      [['keep-alive', 'timeout=5', 'TE', 'trailers', 'Trailer', 'X', 'Upgrade', 'h2c'], []],
      [['Transfer-Encoding', 'chunked', 'Content-Length', '1', 'Content-Encoding', 'br'], []],
      [['Proxy-Authenticate', 'Basic', 'Proxy-Connection', 'close', 'Date', 'now'], []],
      [
        ['Vary', 'Accept', 'Link', '</>'],
        ['Vary', 'Accept', 'Link', '</>'],
      ],
      [
        ['ETag', 'W/"1"'],
        ['ETag', 'W/"1"'],
      ],
      [['Set-Cookie', 'a=1'], []],
      [['Set-Cookie', 'a=1'], ['Set-Cookie', 'a=1'], { cookies: true }],
      [['X-Odd', 'a\nb', 'X Y', '1'], []],
    ],
    (headers, kept, options) => {
      const answer: AnyAnswer = { status: 200, headers, body: 'text', url: 'http://a.test/' }
      assert.equal(forward(answer, options).headers, kept)
    },
  )
})
