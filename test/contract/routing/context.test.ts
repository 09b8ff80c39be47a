/** Members of the request context in handlers, filters and mappers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ResponseContext, CommonContext } from '../../../src/index.ts'
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
} from '../../../src/index.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

class Broken extends Error {}

const object = (map: ReadonlyMap<string, unknown>) => Object.fromEntries(map)

/** Path and query of a URL, because scheme and authority depend on the entry point. */
const pathOf = (url: URL): string => {
  assert.match(url.origin, /^http:\/\/(service\.test|127\.0\.0\.1:\d+)$/)
  return url.href.slice(url.origin.length)
}

/** All members that do not depend on the endpoint. */
const commonMembers = (context: CommonContext) => {
  const { request, uri, security, application } = context
  return {
    method: request.method,
    path: request.path,
    query: request.query,
    header: request.header('x-TWICE'),
    headerValues: request.headerValues('X-Twice'),
    missing: request.header('X-None'),
    headers: request.headers.some((name) => name.toLowerCase() === 'x-twice'),
    cookie: request.cookie('b'),
    cookies: object(request.cookies),
    mediaType: request.mediaType?.subtype,
    length: request.length,
    date: request.date?.toISOString(),
    accepts: request.accepts.map(({ type, subtype }) => `${type}/${subtype}`),
    languages: request.languages,
    id: request.id,
    aborted: request.signal.aborted,
    base: pathOf(uri.base),
    absolute: pathOf(uri.absolute),
    uri: pathOf(uri.request),
    below: uri.path,
    queryParameters: object(uri.queryParameters),
    matrixParameters: object(uri.matrixParameters),
    rawQuery: object(uri.raw.queryParameters),
    rawMatrix: object(uri.raw.matrixParameters),
    resolved: pathOf(uri.resolve('x?y')),
    relative: uri.relativize('x'),
    principal: security.principal,
    scheme: security.scheme,
    role: security.hasRole('admin'),
    secure: security.secure,
    endpoints: application.endpoints.map(({ name }) => name),
  }
}

/** The endpoint and its path parameters. */
const endpointMembers = ({ endpoint, uri }: CommonContext & Partial<ResponseContext>) => ({
  endpoint: endpoint ?? null,
  variables: object(uri.pathParameters),
  raw: object(uri.raw.pathParameters),
})

type Entry = readonly [component: string, common: unknown, endpoint: unknown]

const createTree = () => {
  const entries: Entry[] = []
  const record = (component: string, context: CommonContext & Partial<ResponseContext>) => {
    if (context.request.path === '/library/entries') return
    entries.push([component, commonMembers(context), endpointMembers(context)])
  }
  const item = path('/items/{id}')
  return pipe(
    routes({
      show: pipe(
        item,
        get(),
        produces(text),
        handle((_, context) => {
          record('handler', context)
          return 'item'
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
      entries: pipe(
        path('/entries'),
        get(),
        produces(json(t.UnknownRecord)),
        handle(() => ({ entries: entries.splice(0) })),
      ),
    }),
    withMapper(
      mapError(Broken, (_, context) => {
        record('mapper', context)
        return reply(409)
      }),
    ),
    withFilter(
      preMatching((context) => record('pre-matching filter', context)),
      requestFilter((context) => record('request filter', context)),
      responseFilter((_, context) => record('response filter', context)),
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

const expectedMembers = {
  path: target.split('?')[0],
  query: target.split('?')[1],
  header: 'a, b',
  headerValues: ['a, b'],
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
  endpoints: ['show', 'break', 'entries'],
}

/** Checks that all entries have the expected members and the same request id. Returns the components and their endpoints. */
const checkEntries = (entries: ReadonlyArray<Entry>, method: string) => {
  const ids = new Set<unknown>()
  for (const [, common] of entries) {
    const { id, length, ...rest } = common as { id: string; length?: number }
    ids.add(id)
    assert.ok(length === undefined || length === 0)
    assert.equal(rest, { ...expectedMembers, method })
  }
  assert.is(ids.size, 1)
  return entries.map(([component, , endpoint]) => [component, endpoint])
}

const unmatched = { endpoint: null, variables: {}, raw: {} }
const matched = (name: string, method: string) => ({
  endpoint: { name, method, template: '/library/items/{id}' },
  variables: { id: 'a/b' },
  raw: { id: 'a%2Fb' },
})

const settings = { 'fw.rest.path': '/library' }

contract(
  'context members',
  createTree,
  (test, call) => {
    const send = async (line: string, status: number): Promise<ReadonlyArray<Entry>> => {
      assert.is((await sendRequest(call, line, { headers })).status, status)
      const [, content] = await responseTo(call, 'GET /library/entries')
      return (content as { entries: ReadonlyArray<Entry> }).entries
    }
    test('a handled request has the same members in filters and the handler', async () => {
      const show = matched('show', 'GET')
      assert.equal(checkEntries(await send(`GET ${target}`, 200), 'GET'), [
        ['pre-matching filter', unmatched],
        ['request filter', show],
        ['handler', show],
        ['response filter', show],
      ])
    })
    test('a failed request has the same members in filters and the mapper', async () => {
      const broken = matched('break', 'POST')
      assert.equal(checkEntries(await send(`POST ${target}`, 409), 'POST'), [
        ['pre-matching filter', unmatched],
        ['request filter', broken],
        ['mapper', broken],
        ['response filter', broken],
      ])
    })
    test('a request that matches no operation has no endpoint', async () => {
      assert.equal(checkEntries(await send(`DELETE ${target}`, 405), 'DELETE'), [
        ['pre-matching filter', unmatched],
        ['response filter', unmatched],
      ])
    })
  },
  settings,
)

const destructuring = pipe(
  routes({
    destructured: pipe(
      path('/destructured'),
      get(),
      produces(text),
      handle((_, context) => {
        const {
          request: { header, headerValues, cookie },
          uri: { resolve, relativize },
          security: { hasRole },
          response: { addHeader },
          onEnd,
        } = context
        onEnd(() => undefined)
        addHeader('X-Destructured', 'yes')
        return [
          header('X-One'),
          headerValues('x-one').length,
          cookie('a'),
          resolve('b').pathname,
          relativize('destructured'),
          hasRole('r'),
        ].join()
      }),
    ),
  }),
)

contract('functions of the context', destructuring, (test, call) => {
  test('functions of the context can be destructured', async () => {
    const response = await sendRequest(call, 'GET /destructured', {
      headers: { 'X-One': '1', Cookie: 'a=2' },
    })
    assert.is(await response.text(), '1,1,2,/b,,false')
    assert.is(response.headers.get('X-Destructured'), 'yes')
  })
})

const rewriting = pipe(
  routes({
    after: pipe(
      path('/after'),
      get(),
      produces(text),
      handle((_, { request, uri }) => `${request.path} ${request.id} ${uri.request.search}`),
    ),
  }),
  withFilter(
    preMatching(({ request, uri }) => {
      assert.is(uri.path, 'before')
      return request.path === '/before'
        ? rewrite({ target: '/after?a', headers: { 'X-One': '1' }, id: 'new-id' })
        : undefined
    }),
    preMatching(({ request, uri, response }) => {
      response.addHeader('X-Then', [request.path, request.header('x-one'), uri.path].join())
    }),
  ),
)

contract('a rewritten request', rewriting, (test, call) => {
  test('later filters and the handler see the rewritten request', async () => {
    const response = await sendRequest(call, 'GET /before')
    assert.is(await response.text(), '/after new-id ?a')
    assert.is(response.headers.get('X-Then'), '/after,1,after')
  })
})
