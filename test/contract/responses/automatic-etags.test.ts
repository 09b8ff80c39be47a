/** `withEtag`: an `ETag` computed from the response body, and conditional requests evaluated against it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  NotFound,
  as,
  bytes,
  cache,
  compressed,
  entity,
  etag,
  fails,
  get,
  handle,
  json,
  lastModified,
  notFound,
  ok,
  path,
  post,
  produces,
  representation,
  responds,
  responseFilter,
  routes,
  string,
  text,
  withEtag,
  withFilter,
  withHeader,
  withInterceptor,
  withWriter,
  writer,
  writerInterceptor,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const strong = withEtag('strong')
const csv = representation({ mediaType: 'text/csv', write: (row: string) => `${row}\r\n` })
const date = new Date('1994-11-06T08:49:37Z')

const appendExclamationMark = writerInterceptor(async ({ entity: word }, proceed) =>
  proceed({ entity: `${String(word)}!` }),
)

const api = routes({
  both: pipe(
    path('/both'),
    get(),
    produces(strong(json(string)), withEtag('weak')(text)),
    cache({ maxAge: 60 }),
    handle(() => 'a'),
  ),
  other: pipe(
    path('/other'),
    get(),
    produces(strong(json(string))),
    handle(() => 'b'),
  ),
  another: pipe(
    path('/another'),
    get(),
    produces(as('text/x')(strong(text)), as('text/y')(strong(text))),
    handle(() => 'a'),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(strong(bytes)),
    handle(() => new Uint8Array([1, 2, 3])),
  ),
  explicit: pipe(
    path('/explicit'),
    get(),
    produces(strong(text)),
    handle(() =>
      pipe(ok('a'), etag('v1'), lastModified(date), withHeader('Content-Language', 'en')),
    ),
  ),
  added: pipe(
    path('/added'),
    get(),
    produces(strong(text)),
    handle((_, { response }) => {
      response.addHeader('ETag', '"v0"')
      response.addHeader('etag', '"v2"')
      return 'a'
    }),
  ),
  addedTo: pipe(
    path('/added-to'),
    get(),
    produces(strong(text)),
    handle((_, { response }) => {
      response.addHeader('ETag', '"v0"')
      return pipe(ok('a'), etag('v3'))
    }),
  ),
  addedOnly: pipe(
    path('/added-only'),
    get(),
    produces(text),
    handle((_, { response }) => {
      response.addHeader('ETag', '"v4"')
      return 'a'
    }),
  ),
  addedByInterceptor: pipe(
    routes({
      operation: pipe(
        path('/added-by-interceptor'),
        get(),
        produces(strong(text)),
        handle(() => 'a'),
      ),
    }),
    withInterceptor(
      writerInterceptor(({ addHeader }, proceed) => {
        addHeader('ETag', '"v5"')
        return proceed()
      }),
    ),
  ),
  addedByFilter: pipe(
    routes({
      operation: pipe(
        path('/added-by-filter'),
        get(),
        produces(strong(text)),
        handle(() => 'a'),
      ),
    }),
    withFilter(responseFilter((_, { response }) => response.addHeader('ETag', '"v6"'))),
  ),
  addedBeforeError: pipe(
    path('/added-before-error'),
    get(),
    produces(strong(text)),
    handle((_, { response }): string => {
      response.addHeader('ETag', '"v7"')
      throw new NotFound('none')
    }),
  ),
  custom: pipe(
    path('/custom'),
    get(),
    produces(strong(csv)),
    handle(() => 'a'),
  ),
  written: pipe(
    routes({
      operation: pipe(
        path('/written'),
        get(),
        produces(strong(entity(string))),
        handle(() => 'a'),
      ),
    }),
    withWriter(writer({ mediaType: 'text/x-custom', write: (value) => String(value) })),
  ),
  intercepted: pipe(
    routes({
      operation: pipe(
        path('/intercepted'),
        get(),
        produces(strong(text)),
        handle(() => 'a'),
      ),
    }),
    withInterceptor(appendExclamationMark),
  ),
  posted: pipe(
    path('/posted'),
    post(),
    produces(strong(text)),
    handle(() => 'a'),
  ),
  created: pipe(
    path('/created'),
    get(),
    responds(203, strong(text)),
    handle(() => ({ ...ok('a'), status: 203 as const })),
  ),
  missing: pipe(
    path('/missing'),
    get(),
    produces(text),
    fails(404, strong(text)),
    handle(() => notFound('a')),
  ),
  compressed: pipe(
    path('/compressed'),
    get(),
    produces(strong(json(string))),
    compressed,
    handle(() => 'a'),
  ),
})

contract(
  'withEtag',
  api,
  (test, call) => {
    const send = (line: string, headers: Record<string, string> = {}) =>
      sendRequest(call, line, { headers })
    const etagOf = async (line: string, headers?: Record<string, string>) =>
      (await send(line, headers)).headers.get('etag')

    table(
      test,
      [
        ['a strong ETag', '/both', 'application/json', /^"[A-Za-z0-9+/]{22}"$/],
        ['a weak ETag', '/both', 'text/plain', /^W\/"[A-Za-z0-9+/]{22}"$/],
        ['bytes', '/bytes', '*/*', /^"/],
        ['a custom representation', '/custom', '*/*', /^"/],
        ['a custom writer', '/written', '*/*', /^"/],
        ['a body changed by an interceptor', '/intercepted', '*/*', /^"/],
        ['the ETag of the reply', '/explicit', '*/*', /^"v1"$/],
        ['the last ETag added by the handler', '/added', '*/*', /^"v2"$/],
        ['the ETag of the reply takes precedence over an added one', '/added-to', '*/*', /^"v3"$/],
        ['an ETag added by an interceptor', '/added-by-interceptor', '*/*', /^"v5"$/],
        ['an ETag added by a filter', '/added-by-filter', '*/*', /^"v6"$/],
      ] as const,
      async (_, target, accepted, expected) => {
        const entityTag = (await etagOf(`GET ${target}`, { Accept: accepted })) ?? ''
        assert.match(entityTag, expected)
        assert.is(await etagOf(`GET ${target}`, { Accept: accepted }), entityTag)
        assert.is(await etagOf(`HEAD ${target}`, { Accept: accepted }), entityTag)
        for (const method of ['GET', 'HEAD']) {
          const matching = { Accept: accepted, 'If-None-Match': `"other", ${entityTag}` }
          const response = await send(`${method} ${target}`, matching)
          assert.equal([response.status, await response.text()], [304, ''])
          assert.is(response.headers.get('etag'), entityTag)
          assert.is(response.headers.get('content-type'), null)
          assert.is(response.headers.get('content-language'), null)
        }
        const other = { Accept: accepted, 'If-None-Match': '"other"' }
        assert.is((await send(`GET ${target}`, other)).status, 200)
        const changed = { Accept: accepted, 'If-Match': '"other"' }
        assert.is((await send(`GET ${target}`, changed)).status, 412)
      },
    )
    test('different bodies have different ETags', async () =>
      assert.is.not(await etagOf('GET /both'), await etagOf('GET /other')))
    test('different media types have different ETags', async () =>
      assert.is.not(
        await etagOf('GET /another', { Accept: 'text/x' }),
        await etagOf('GET /another', { Accept: 'text/y' }),
      ))
    test('the ETag is computed after interceptors', async () => {
      assert.is(await (await send('GET /intercepted')).text(), 'a!')
      assert.is.not(await etagOf('GET /intercepted'), await etagOf('GET /written'))
    })
    test('a 304 has Cache-Control and Vary of the 200', async () => {
      const whole = await send('GET /both')
      const { headers } = await send('GET /both', {
        'If-None-Match': whole.headers.get('etag') ?? '',
      })
      assert.is(headers.get('cache-control'), 'max-age=60')
      assert.is(headers.get('vary'), 'Accept')
      assert.is(whole.headers.get('vary'), 'Accept')
    })
    test('an ETag added by the handler is sent without withEtag and with an error', async () => {
      assert.is(await etagOf('GET /added-only'), '"v4"')
      const failed = await send('GET /added-before-error')
      assert.equal([failed.status, failed.headers.get('etag')], [404, '"v7"'])
    })
    test('Last-Modified of the reply is compared with If-Modified-Since', async () => {
      const since = { 'If-Modified-Since': date.toUTCString() }
      assert.is((await send('GET /explicit', since)).status, 304)
    })
    for (const [line, status] of [
      ['POST /posted', 200],
      ['GET /created', 203],
      ['GET /missing', 404],
    ] as const)
      test(`${line} sends no ETag`, async () => {
        const response = await send(line, { 'If-None-Match': '*' })
        assert.equal([response.status, response.headers.get('etag')], [status, null])
      })
    test('the ETag of a compressed body is weak and matches If-None-Match', async () => {
      const gzip = { 'Accept-Encoding': 'gzip' }
      const entityTag = (await etagOf('GET /compressed', gzip)) ?? ''
      assert.is(entityTag, `W/${await etagOf('GET /compressed')}`)
      const second = await send('GET /compressed', { ...gzip, 'If-None-Match': entityTag })
      assert.equal([second.status, second.headers.get('etag')], [304, entityTag])
    })
  },
  { 'fw.http.enable-compression': true },
)
