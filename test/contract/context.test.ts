/** What a context tells, wherever it is asked, each member of it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ResponseContext, Surroundings } from '../../src/index.ts'
import {
  get,
  handle,
  json,
  mapError,
  path,
  post,
  preMatching,
  produces,
  reply,
  requestFilter,
  responseFilter,
  rewrite,
  routes,
  text,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

class Broken extends Error {}

const object = (map: ReadonlyMap<string, unknown>) => Object.fromEntries(map)

/** Without scheme and authority, which differ from door to door. */
const shown = (url: URL): string => {
  assert.match(url.origin, /^http:\/\/(service\.test|localhost:\d+)$/)
  return url.href.slice(url.origin.length)
}

/** Every member. */
const told = (context: Surroundings) => {
  const { request, uri, security, application } = context
  return {
    method: request.method,
    path: request.path,
    query: request.query,
    header: request.header('x-TWICE'),
    headerLines: request.headerLines('X-Twice'),
    none: request.header('X-None'),
    headers: request.headers.some((one) => one.toLowerCase() === 'x-twice'),
    cookie: request.cookie('b'),
    cookies: object(request.cookies),
    mediaType: request.mediaType?.subtype,
    length: request.length,
    date: request.date?.toISOString(),
    accepts: request.accepts.map(({ type, subtype }) => `${type}/${subtype}`),
    languages: request.languages,
    id: request.id,
    aborted: request.signal.aborted,
    base: shown(uri.base),
    absolute: shown(uri.absolute),
    uri: shown(uri.request),
    below: uri.path,
    queryParameters: object(uri.queryParameters),
    matrixParameters: object(uri.matrixParameters),
    rawQuery: object(uri.raw.queryParameters),
    rawMatrix: object(uri.raw.matrixParameters),
    resolved: shown(uri.resolve('x?y')),
    relative: uri.relativize('x'),
    principal: security.principal,
    scheme: security.scheme,
    role: security.hasRole('admin'),
    secure: security.secure,
    endpoints: application.endpoints.map(({ name }) => name),
  }
}

const of = ({ endpoint, uri }: Surroundings & Partial<ResponseContext>) => ({
  endpoint: endpoint ?? null,
  variables: object(uri.pathParameters),
  raw: object(uri.raw.pathParameters),
})

type Told = readonly [place: string, told: unknown, of: unknown]

const telling = () => {
  const seen: Told[] = []
  const see = (place: string, context: Surroundings & Partial<ResponseContext>) => {
    if (context.request.path === '/library/seen') return
    seen.push([place, told(context), of(context)])
  }
  const item = path('/items/{id}')
  return pipe(
    routes({
      show: pipe(
        item,
        get(),
        produces(text),
        handle((_, context) => {
          see('handler', context)
          return 'shown'
        }),
      ),
      break: pipe(
        item,
        post(),
        produces(text),
        handle((): string => {
          throw new Broken()
        }),
      ),
      seen: pipe(
        path('/seen'),
        get(),
        produces(json(t.UnknownRecord)),
        handle(() => ({ seen: seen.splice(0) })),
      ),
    }),
    withMapper(
      mapError(Broken, (_, context) => {
        see('mapper', context)
        return reply(409)
      }),
    ),
    withFilter(
      preMatching((context) => see('before matching', context)),
      requestFilter((context) => see('request filter', context)),
      responseFilter((_, context) => see('response filter', context)),
    ),
  )
}

const headers = {
  'X-Twice': 'a, b',
  Cookie: 'a=1; b=%C3%A9; a=2',
  'Content-Type': 'application/xml; charset=utf-8',
  Date: 'Sun, 06 Nov 1994 08:49:37 GMT',
  Accept: 'text/html;q=0.5, text/plain, application/json, text/csv;q=0',
  'Accept-Language': 'de;q=0.5, fr, en;q=0.5',
}
const target = '/library/items/a%2Fb;m=1;m=%20/?q=x+y&q=%26&r&bad=%FF'

const everything = {
  path: target.split('?')[0],
  query: target.split('?')[1],
  header: 'a, b',
  headerLines: ['a, b'],
  headers: true,
  cookie: 'é',
  cookies: { a: ['1', '2'], b: ['é'] },
  mediaType: 'xml',
  date: '1994-11-06T08:49:37.000Z',
  accepts: ['text/plain', 'application/json', 'text/html'],
  languages: ['fr', 'de', 'en'],
  aborted: false,
  base: '/library/',
  absolute: target.split('?')[0],
  uri: target,
  below: 'items/a%2Fb;m=1;m=%20/',
  queryParameters: { q: ['x y', '&'], r: [''], bad: ['%FF'] },
  matrixParameters: { m: ['1', ' '] },
  rawQuery: { q: ['x+y', '%26'], r: [''], bad: ['%FF'] },
  rawMatrix: { m: ['1', '%20'] },
  resolved: '/library/x?y',
  relative: '../../x',
  role: false,
  secure: false,
  endpoints: ['show', 'break', 'seen'],
}

/** Where each was told; all have to tell the same of one request. */
const checked = (seen: ReadonlyArray<Told>, method: string) => {
  const ids = new Set<unknown>()
  for (const [, all] of seen) {
    const { id, length, ...rest } = all as { id: string; length?: number }
    ids.add(id)
    assert.ok(length === undefined || length === 0)
    assert.equal(rest, { ...everything, method })
  }
  assert.is(ids.size, 1)
  return seen.map(([name, , own]) => [name, own])
}

const nothing = { endpoint: null, variables: {}, raw: {} }
const at = (name: string, method: string) => ({
  endpoint: { name, method, template: '/library/items/{id}' },
  variables: { id: 'a/b' },
  raw: { id: 'a%2Fb' },
})

const settings = { 'fw.rest.path': '/library' }

contract(
  'every member, in every place',
  telling,
  (test, call) => {
    const place = async (line: string, status: number): Promise<ReadonlyArray<Told>> => {
      assert.is((await ask(call, line, { headers })).status, status)
      const [, content] = await answerTo(call, 'GET /library/seen')
      return (content as { seen: ReadonlyArray<Told> }).seen
    }
    test('of a request that is handled', async () => {
      const show = at('show', 'GET')
      assert.equal(checked(await place(`GET ${target}`, 200), 'GET'), [
        ['before matching', nothing],
        ['request filter', show],
        ['handler', show],
        ['response filter', show],
      ])
    })
    test('of one that a mapper answers', async () => {
      const broken = at('break', 'POST')
      assert.equal(checked(await place(`POST ${target}`, 409), 'POST'), [
        ['before matching', nothing],
        ['request filter', broken],
        ['mapper', broken],
        ['response filter', broken],
      ])
    })
    test('of one that matched nothing, without an endpoint', async () => {
      assert.equal(checked(await place(`DELETE ${target}`, 405), 'DELETE'), [
        ['before matching', nothing],
        ['response filter', nothing],
      ])
    })
  },
  settings,
)

const apart = pipe(
  routes({
    apart: pipe(
      path('/apart'),
      get(),
      produces(text),
      handle((_, context) => {
        const {
          request: { header, headerLines, cookie },
          uri: { resolve, relativize },
          security: { hasRole },
          response: { addHeader },
          onEnd,
        } = context
        onEnd(() => undefined)
        addHeader('X-Apart', 'yes')
        return [
          header('X-One'),
          headerLines('x-one').length,
          cookie('a'),
          resolve('b').pathname,
          relativize('apart'),
          hasRole('r'),
        ].join()
      }),
    ),
  }),
)

contract('members that are functions', apart, (test, call) => {
  test('can be taken off', async () => {
    const response = await ask(call, 'GET /apart', { headers: { 'X-One': '1', Cookie: 'a=2' } })
    assert.is(await response.text(), '1,1,2,/b,,false')
    assert.is(response.headers.get('X-Apart'), 'yes')
  })
})

const rewriting = pipe(
  routes({
    now: pipe(
      path('/now'),
      get(),
      produces(text),
      handle((_, { request, uri }) => `${request.path} ${request.id} ${uri.request.search}`),
    ),
  }),
  withFilter(
    preMatching(({ request, uri }) => {
      assert.is(uri.path, 'before')
      return request.path === '/before'
        ? rewrite({ target: '/now?a', headers: { 'X-One': '1' }, id: 'mine' })
        : undefined
    }),
    preMatching(({ request, uri, response }) => {
      response.addHeader('X-Then', [request.path, request.header('x-one'), uri.path].join())
    }),
  ),
)

contract('a request that was rewritten', rewriting, (test, call) => {
  test('is what the context tells of from then on', async () => {
    const response = await ask(call, 'GET /before')
    assert.is(await response.text(), '/now mine ?a')
    assert.is(response.headers.get('X-Then'), '/now,1,now')
  })
})
