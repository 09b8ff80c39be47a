/** Tags that are made from the octets of a content. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  NotFound,
  as,
  byteStream,
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const strong = withEtag('strong')
const csv = representation({ mediaType: 'text/csv', write: (row: string) => `${row}\r\n` })
const date = new Date('1994-11-06T08:49:37Z')

const shout = writerInterceptor(async ({ entity: word }, proceed) =>
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
  octets: pipe(
    path('/octets'),
    get(),
    produces(strong(bytes)),
    handle(() => new Uint8Array([1, 2, 3])),
  ),
  own: pipe(
    path('/own'),
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
  addedUntagged: pipe(
    path('/added-untagged'),
    get(),
    produces(text),
    handle((_, { response }) => {
      response.addHeader('ETag', '"v4"')
      return 'a'
    }),
  ),
  addedBehind: pipe(
    routes({
      one: pipe(
        path('/added-behind'),
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
      one: pipe(
        path('/added-by-filter'),
        get(),
        produces(strong(text)),
        handle(() => 'a'),
      ),
    }),
    withFilter(responseFilter((_, { response }) => response.addHeader('ETag', '"v6"'))),
  ),
  addedRefused: pipe(
    path('/added-refused'),
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
      one: pipe(
        path('/written'),
        get(),
        produces(strong(entity(string))),
        handle(() => 'a'),
      ),
    }),
    withWriter(writer({ mediaType: 'text/x-own', write: (value) => String(value) })),
  ),
  intercepted: pipe(
    routes({
      one: pipe(
        path('/intercepted'),
        get(),
        produces(strong(text)),
        handle(() => 'a'),
      ),
    }),
    withInterceptor(shout),
  ),
  stream: pipe(
    path('/stream'),
    get(),
    produces(strong(byteStream)),
    handle(async function* () {
      yield new Uint8Array([1])
    }),
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
  'automatic tags',
  api,
  (test, call) => {
    const send = (line: string, headers: Record<string, string> = {}) =>
      ask(call, line, { headers })
    const tagOf = async (line: string, headers?: Record<string, string>) =>
      (await send(line, headers)).headers.get('etag')

    table(
      test,
      [
        ['strong', '/both', 'application/json', /^"[A-Za-z0-9+/]{22}"$/],
        ['weak', '/both', 'text/plain', /^W\/"[A-Za-z0-9+/]{22}"$/],
        ['octets', '/octets', '*/*', /^"/],
        ['a representation of the application', '/custom', '*/*', /^"/],
        ['a writer of the application', '/written', '*/*', /^"/],
        ['behind an interceptor', '/intercepted', '*/*', /^"/],
        ['the tag of the reply', '/own', '*/*', /^"v1"$/],
        ['one that is added, the last', '/added', '*/*', /^"v2"$/],
        ['that of the reply, and not one that is added', '/added-to', '*/*', /^"v3"$/],
        ['one that an interceptor adds', '/added-behind', '*/*', /^"v5"$/],
        ['one that a filter adds', '/added-by-filter', '*/*', /^"v6"$/],
      ] as const,
      async (_, target, accepted, expected) => {
        const tag = (await tagOf(`GET ${target}`, { Accept: accepted })) ?? ''
        assert.match(tag, expected)
        assert.is(await tagOf(`GET ${target}`, { Accept: accepted }), tag)
        assert.is(await tagOf(`HEAD ${target}`, { Accept: accepted }), tag)
        for (const method of ['GET', 'HEAD']) {
          const asked = { Accept: accepted, 'If-None-Match': `"other", ${tag}` }
          const response = await send(`${method} ${target}`, asked)
          assert.equal([response.status, await response.text()], [304, ''])
          assert.is(response.headers.get('etag'), tag)
          assert.is(response.headers.get('content-type'), null)
          assert.is(response.headers.get('content-language'), null)
        }
        const other = { Accept: accepted, 'If-None-Match': '"other"' }
        assert.is((await send(`GET ${target}`, other)).status, 200)
        const changed = { Accept: accepted, 'If-Match': '"other"' }
        assert.is((await send(`GET ${target}`, changed)).status, 412)
      },
    )
    test('differ with the octets', async () =>
      assert.is.not(await tagOf('GET /both'), await tagOf('GET /other')))
    test('differ with the media type', async () =>
      assert.is.not(
        await tagOf('GET /another', { Accept: 'text/x' }),
        await tagOf('GET /another', { Accept: 'text/y' }),
      ))
    test('are those of what an interceptor has made', async () => {
      assert.is(await (await send('GET /intercepted')).text(), 'a!')
      assert.is.not(await tagOf('GET /intercepted'), await tagOf('GET /written'))
    })
    test('a 304 has what a cache needs', async () => {
      const tag = (await tagOf('GET /both')) ?? ''
      const { headers } = await send('GET /both', { 'If-None-Match': tag })
      assert.is(headers.get('cache-control'), 'max-age=60')
      assert.is(headers.get('vary'), 'Accept, Accept-Encoding')
    })
    test('one that is added where none is made is sent once, and with a refusal too', async () => {
      assert.is(await tagOf('GET /added-untagged'), '"v4"')
      const refused = await send('GET /added-refused')
      assert.equal([refused.status, refused.headers.get('etag')], [404, '"v7"'])
    })
    test('the date of a reply counts too', async () => {
      const since = { 'If-Modified-Since': date.toUTCString() }
      assert.is((await send('GET /own', since)).status, 304)
    })
    for (const [line, status] of [
      ['GET /stream', 200],
      ['POST /posted', 200],
      ['GET /created', 203],
      ['GET /missing', 404],
    ] as const)
      test(`none: ${line}`, async () => {
        const response = await send(line, { 'If-None-Match': '*' })
        assert.equal([response.status, response.headers.get('etag')], [status, null])
      })
    test('become weak when the content is compressed, and match still', async () => {
      const gzip = { 'Accept-Encoding': 'gzip' }
      const tag = (await tagOf('GET /compressed', gzip)) ?? ''
      assert.is(tag, `W/${await tagOf('GET /compressed')}`)
      const again = await send('GET /compressed', { ...gzip, 'If-None-Match': tag })
      assert.equal([again.status, again.headers.get('etag')], [304, tag])
    })
  },
  { 'fw.http.enable-compression': true },
)
