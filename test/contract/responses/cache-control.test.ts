/** `cache` and `cacheControl`: the `Cache-Control` header of responses (RFC 9111 and its extensions). */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Keep } from '../../../src/endpoint/endpoint.ts'
import type { HandlerOf } from '../../../src/index.ts'
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

type TextRow = readonly [name: string, directives: Keep, sent: string | null]

const textRows: ReadonlyArray<TextRow> = [
  ['maxAge', cache({ maxAge: 60 }), 'max-age=60'],
  ['sMaxAge', cache({ sMaxAge: 60 }), 's-maxage=60'],
  ['durations of 0', cache({ maxAge: 0, sMaxAge: 0 }), 's-maxage=0, max-age=0'],
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
  ['a directive set to false', cache({ noStore: false, maxAge: 1 }), 'max-age=1'],
  ['no directives', cache({}), null],
  [
    'all directives, in a fixed order',
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
    'several directives',
    cache({ maxAge: 100, noStore: true, mustRevalidate: true, private: true }),
    'must-revalidate, no-store, max-age=100, private',
  ],
  ['noCache()', noCache(), 'no-cache'],
  ['noCache with header names', noCache('f1', 'f2'), 'no-cache="f1", no-cache="f2"'],
]

const directiveRoutes = routes(
  Object.fromEntries(
    textRows.map(([name, directives], index) => [
      name,
      pipe(
        path(`/${index}`),
        get(),
        produces(text),
        directives,
        handle(() => 'a'),
      ),
    ]),
  ),
)

contract('cache directives', directiveRoutes, (test, call) =>
  table<readonly [name: string, index: number, sent: string | null]>(
    test,
    textRows.map(([name, , sent], index) => [name, index, sent]),
    async (_, index, sent) => {
      const response = await sendRequest(call, `GET /${index}`)
      assert.is(response.status, 200)
      assert.is(response.headers.get('cache-control'), sent)
    },
  ),
)

const resource = pipe(path('/'), produces(text), cache({ maxAge: 60, public: true }))

const uncached = pipe(path('/uncached'), produces(text), noCache())

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
  run: () => ReturnType<HandlerOf<typeof returns>>,
  status: number,
  sent: string | null,
]

const thrown = (error: HttpError) => (): never => {
  throw error
}

const declared = 'public, max-age=60'
const withOwnDirectives = cacheControl({ maxAge: 42, private: true })
const ownDirectives = 'max-age=42, private'

const returnRows: ReadonlyArray<ReturnRow> = [
  ['a value', () => 'a', 200, declared],
  ['a 201', () => created('/a'), 201, declared],
  ['a 204', () => noContent, 204, declared],
  ['a 304', () => notModified, 304, declared],
  ['a redirect', () => seeOther('/a'), 303, null],
  ['a declared failure', () => notFound('a'), 404, null],
  ['a Left', () => E.left('a'), 404, null],
  ['a thrown redirect', thrown(new Redirection(303, '/a')), 303, null],
  ['a thrown HttpError', thrown(new Gone()), 410, 'no-store'],
  ['an internal error', () => JSON.parse(''), 500, 'no-store'],
  [
    'cacheControl replaces declared directives',
    () => withOwnDirectives(ok('a')),
    200,
    ownDirectives,
  ],
  ['cacheControl of a 304', () => withOwnDirectives(notModified), 304, ownDirectives],
  ['cacheControl of a failure', () => withOwnDirectives(notFound('a')), 404, ownDirectives],
  [
    'withHeader of a lower-case Cache-Control',
    () => withHeader('cache-control', 'no-cache')(ok('a')),
    200,
    'no-cache',
  ],
  [
    'an HttpError with a Cache-Control header',
    thrown(new Gone('', { headers: { 'cache-control': 'max-age=1' } })),
    410,
    'max-age=1',
  ],
  [
    'an HttpError of a reply with cacheControl',
    thrown(new HttpError(withOwnDirectives(notFound()))),
    404,
    ownDirectives,
  ],
]

const results = new Map(returnRows.map(([name, run]) => [name, run]))

const api = routes({
  returns: implement(returns, (input) => results.get(input.path.name)?.() ?? 'no such row'),
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
  removes: pipe(
    resource,
    get('/removes'),
    cache({}),
    handle(() => 'a'),
  ),
  last: pipe(
    resource,
    get('/last'),
    handle(() => 'a'),
    noCache(),
  ),
  inheritsNoCache: pipe(
    uncached,
    get('/inherits'),
    handle(() => 'a'),
  ),
  replacesNoCache: pipe(
    uncached,
    get('/replaces'),
    cache({ maxAge: 1 }),
    handle(() => 'a'),
  ),
})

contract('Cache-Control of responses', api, (test, call) => {
  table<readonly [name: string, target: string, sent: string | null]>(
    test,
    [
      ['an operation inherits the directives of its resource', '/inherits', declared],
      ['directives of an operation replace those of its resource', '/replaces', 'no-store'],
      ['cache({}) removes the directives of the resource', '/removes', null],
      ['an operation inherits noCache of its resource', '/uncached/inherits', 'no-cache'],
      ['cache of an operation replaces noCache of its resource', '/uncached/replaces', 'max-age=1'],
      ['a declaration can follow the handler', '/last', 'no-cache'],
    ],
    async (_, target, sent) =>
      assert.is((await sendRequest(call, `GET ${target}`)).headers.get('cache-control'), sent),
  )

  table<ReturnRow>(test, returnRows, async (name, _, status, sent) => {
    const response = await sendRequest(call, `GET /returns/${encodeURIComponent(name)}?page=1`)
    assert.is(response.status, status)
    assert.is(response.headers.get('cache-control'), sent)
  })

  test('a validation error response is sent with no-store', async () => {
    const response = await sendRequest(call, 'GET /returns/x?page=2')
    assert.is(response.status, 400)
    assert.is(response.headers.get('cache-control'), 'no-store')
  })

  test('HEAD sends the directives of GET', async () => {
    const response = await sendRequest(call, 'HEAD /inherits')
    assert.is(response.headers.get('cache-control'), declared)
  })
})
