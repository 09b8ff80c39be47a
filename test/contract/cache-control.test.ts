/** `Cache-Control` of responses; RFC 9111 and its extensions. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Keep } from '../../src/endpoint/endpoint.ts'
import type { HandlerOf } from '../../src/index.ts'
import {
  Gone,
  HttpError,
  Redirection,
  cache,
  cacheControl,
  created,
  enumOf,
  fails,
  get,
  handle,
  implement,
  noCache,
  noContent,
  notFound,
  notModified,
  ok,
  path,
  produces,
  query,
  responds,
  routes,
  seeOther,
  text,
  withHeader,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

type TextRow = readonly [name: string, said: Keep, sent: string | null]

const texts: ReadonlyArray<TextRow> = [
  ['maxAge', cache({ maxAge: 60 }), 'max-age=60'],
  ['sMaxAge', cache({ sMaxAge: 60 }), 's-maxage=60'],
  ['a duration of nothing', cache({ maxAge: 0, sMaxAge: 0 }), 's-maxage=0, max-age=0'],
  ['noStore', cache({ noStore: true }), 'no-store'],
  ['noTransform', cache({ noTransform: true }), 'no-transform'],
  ['mustRevalidate', cache({ mustRevalidate: true }), 'must-revalidate'],
  ['proxyRevalidate', cache({ proxyRevalidate: true }), 'proxy-revalidate'],
  ['private', cache({ private: true }), 'private'],
  ['noCache', cache({ noCache: true }), 'no-cache'],
  ['public', cache({ public: true }), 'public'],
  ['immutable', cache({ immutable: true }), 'immutable'], // RFC 8246
  ['staleWhileRevalidate', cache({ staleWhileRevalidate: 1 }), 'stale-while-revalidate=1'], // RFC 5861
  ['staleIfError', cache({ staleIfError: 1 }), 'stale-if-error=1'],
  ['what is false is not said', cache({ noStore: false, maxAge: 1 }), 'max-age=1'],
  ['nothing', cache({}), null],
  [
    'the order is fixed',
    cache({
      staleIfError: 4,
      staleWhileRevalidate: 3,
      immutable: true,
      private: true,
      maxAge: 2,
      sMaxAge: 1,
      proxyRevalidate: true,
      noStore: true,
      noTransform: true,
      mustRevalidate: true,
      public: true,
      noCache: true,
    }),
    'no-cache, public, must-revalidate, no-transform, no-store, proxy-revalidate, s-maxage=1, max-age=2, private, immutable, stale-while-revalidate=3, stale-if-error=4',
  ],
  [
    'the example of the original',
    cache({ maxAge: 100, noStore: true, mustRevalidate: true, private: true }),
    'must-revalidate, no-store, max-age=100, private',
  ],
  ['the combinator noCache', noCache(), 'no-cache'],
  ['noCache for some fields', noCache('f1', 'f2'), 'no-cache="f1", no-cache="f2"'],
]

const described = routes(
  Object.fromEntries(
    texts.map(([name, said], index) => [
      name,
      pipe(
        path(`/${index}`),
        get(),
        produces(text),
        said,
        handle(() => 'a'),
      ),
    ]),
  ),
)

contract('cache: what it says', described, (test, call) =>
  table<readonly [name: string, index: number, sent: string | null]>(
    test,
    texts.map(([name, , sent], index) => [name, index, sent]),
    async (_, index, sent) => {
      const response = await ask(call, `GET /${index}`)
      assert.is(response.status, 200)
      assert.is(response.headers.get('cache-control'), sent)
    },
  ),
)

const resource = pipe(path('/'), produces(text), cache({ maxAge: 60, public: true }))

const returns = pipe(
  resource,
  get('/returns/{name}'),
  query({ page: enumOf(1) }),
  responds(201),
  responds(204),
  responds(303),
  responds(304),
  fails(404, text),
)

type ReturnRow = readonly [
  name: string,
  make: () => ReturnType<HandlerOf<typeof returns>>,
  status: number,
  sent: string | null,
]

const thrown = (error: HttpError) => (): never => {
  throw error
}

const usual = 'public, max-age=60'
const own = cacheControl({ maxAge: 42, private: true })
const ownText = 'max-age=42, private'

const returned: ReadonlyArray<ReturnRow> = [
  ['a value', () => 'a', 200, usual],
  ['another success', () => created('/a'), 201, usual],
  ['no content', () => noContent, 204, usual],
  ['not modified', () => notModified, 304, usual],
  ['not a redirect', () => seeOther('/a'), 303, null],
  ['not a failure', () => notFound('a'), 404, null],
  ['not a Left', () => E.left('a'), 404, null],
  ['not a redirect that is thrown', thrown(new Redirection(303, '/a')), 303, null],
  ['not an error', thrown(new Gone()), 410, 'no-store'],
  ['not a defect', () => JSON.parse(''), 500, 'no-store'],
  ['cacheControl says nothing of itself', () => own(ok('a')), 200, ownText],
  ['a reply has its own', () => own(notModified), 304, ownText],
  ['a failure too', () => own(notFound('a')), 404, ownText],
  ['under any name', () => withHeader('cache-control', 'no-cache')(ok('a')), 200, 'no-cache'],
  [
    'an error has its own',
    thrown(new Gone('', { headers: { 'cache-control': 'max-age=1' } })),
    410,
    'max-age=1',
  ],
  ['an error has that of its reply', thrown(new HttpError(own(notFound()))), 404, ownText],
]

const makes = new Map(returned.map(([name, make]) => [name, make]))

const api = routes({
  returns: implement(returns, (input) => makes.get(input.path.name)?.() ?? 'no such row'),
  inherits: pipe(
    resource,
    get('/inherits'),
    handle(() => 'a'),
  ),
  replaces: pipe(
    resource,
    get('/replaces'),
    cache({ noStore: true }),
    handle(() => 'a'),
  ),
  takesAway: pipe(
    resource,
    get('/takes-away'),
    cache({}),
    handle(() => 'a'),
  ),
  last: pipe(
    resource,
    get('/last'),
    cache({ maxAge: 1 }),
    handle(() => 'a'),
    noCache(),
  ),
})

contract('cache: where it is sent', api, (test, call) => {
  table<readonly [name: string, target: string, sent: string | null]>(
    test,
    [
      ['an operation has that of its resource', '/inherits', usual],
      ['or one of its own instead, not both', '/replaces', 'no-store'],
      ['or none', '/takes-away', null],
      ['what is said last counts, behind the handler too', '/last', 'no-cache'],
    ],
    async (_, target, sent) =>
      assert.is((await ask(call, `GET ${target}`)).headers.get('cache-control'), sent),
  )

  table<ReturnRow>(test, returned, async (name, _, status, sent) => {
    const response = await ask(call, `GET /returns/${encodeURIComponent(name)}?page=1`)
    assert.is(response.status, status)
    assert.is(response.headers.get('cache-control'), sent)
  })

  test('not a request that is refused', async () => {
    const response = await ask(call, 'GET /returns/x?page=2')
    assert.is(response.status, 400)
    assert.is(response.headers.get('cache-control'), 'no-store')
  })

  test('HEAD as GET', async () => {
    const response = await ask(call, 'HEAD /inherits')
    assert.is(response.headers.get('cache-control'), usual)
  })
})
