/**
 * Fields that a response may have once, said in several places: G3 of what may happen; RFC 9110, 5.3. The nearest to the
 * response wins: a writer over the reply, a reply over its operation; what `addHeader` adds never takes anything away.
 */
import { gunzipSync } from 'node:zlib'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Conflict,
  created,
  get,
  handle,
  json,
  mediaType,
  ok,
  path,
  produces,
  reply,
  requestFilter,
  responds,
  responseFilter,
  responseHeader,
  routes,
  text,
  textStream,
  withFilter,
  withHeader,
  withInterceptor,
  writerInterceptor,
} from '../../src/index.ts'
import type { Context } from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const at = (to: string) => pipe(path(to), get(), produces(text))

/** Adds a field around whatever is answered. */
const adding =
  (name: string, ...values: ReadonlyArray<string>) =>
  (_: unknown, { response }: Context): string => {
    for (const value of values) response.addHeader(name, value)
    return 'sent'
  }

const filtered = <A extends Parameters<typeof routes>[0]>(
  endpoints: A,
  name: string,
  value: string,
) => pipe(routes(endpoints), withFilter(responseFilter(withHeader(name, value))))

const api = routes({
  type: pipe(at('/type'), handle(adding('Content-Type', 'text/x-added'))),
  typed: pipe(
    at('/typed'),
    handle(() => pipe(ok('sent'), mediaType('text/a'), withHeader('Content-Type', 'text/b'))),
  ),
  both: pipe(
    at('/both'),
    handle((_, { response }) => {
      response.addHeader('Content-Type', 'text/x-added')
      return pipe(ok('sent'), mediaType('text/a'))
    }),
  ),
  declared: pipe(
    at('/declared'),
    responseHeader('Content-Type', 'text/a'),
    responseHeader('Content-Type', 'text/b'),
    handle(() => 'sent'),
  ),
  overridden: pipe(
    at('/overridden'),
    responseHeader('Content-Type', 'text/a'),
    responseHeader('Location', '/a'),
    responds(201, text),
    handle(() => pipe(created('/b', 'sent'), mediaType('text/b'))),
  ),
  cached: pipe(
    at('/cached'),
    responseHeader('Content-Type', 'text/a'),
    handle(() => pipe(ok('sent'), withHeader('Cache-Control', 'no-cache'))),
  ),
  stream: pipe(
    path('/stream'),
    get(),
    produces(textStream),
    handle((_, { response }) => {
      response.addHeader('Content-Type', 'text/x-added')
      return pipe(
        ok(['a', 'b']),
        withHeader('Content-Type', 'text/a'),
        withHeader('Content-Type', 'text/b'),
      )
    }),
  ),
  located: pipe(
    at('/located'),
    responds(201),
    handle((_, { response }) => {
      response.addHeader('Location', '/added')
      return pipe(created('/a'), withHeader('Location', '/b'))
    }),
  ),
  addedTwice: pipe(at('/added-twice'), handle(adding('Location', '/a', '/b'))),
  length: pipe(at('/length'), handle(adding('Content-Length', '1'))),
  chunked: pipe(at('/chunked'), handle(adding('Transfer-Encoding', 'chunked'))),
  coding: pipe(at('/coding'), handle(adding('Content-Encoding', 'gzip'))),
  coded: pipe(
    path('/coded'),
    get(),
    produces(json(t.string)),
    handle(() => 'x'.repeat(100)),
  ),
  late: filtered(
    {
      one: pipe(
        at('/late'),
        handle(() => pipe(ok('sent'), mediaType('text/a'))),
      ),
    },
    'Content-Type',
    'text/filter',
  ),
  problem: filtered(
    {
      one: pipe(
        at('/problem'),
        handle((): string => {
          throw new Conflict('', { headers: { 'Content-Type': 'text/a', 'Retry-After': '1' } })
        }),
      ),
    },
    'Content-Type',
    'text/filter',
  ),
  retry: filtered(
    {
      one: pipe(
        at('/retry'),
        handle((): string => {
          throw new Conflict('', { headers: { 'Retry-After': ['1', '2'] } })
        }),
      ),
    },
    'Retry-After',
    '3',
  ),
  early: pipe(
    routes({
      one: pipe(
        at('/early'),
        handle(() => 'never'),
      ),
    }),
    withFilter(
      requestFilter(({ response }) => {
        response.addHeader('Content-Type', 'text/x-added')
        return pipe(reply(403, 'sent'), mediaType('text/a'), withHeader('Content-Type', 'text/b'))
      }),
    ),
  ),
  written: pipe(
    routes({
      one: pipe(
        at('/written'),
        responseHeader('Location', '/declared'),
        handle(() => pipe(ok('sent'), mediaType('text/a'), withHeader('Location', '/reply'))),
      ),
    }),
    withInterceptor(
      writerInterceptor((writing, proceed) => {
        writing.addHeader('Content-Type', 'text/w')
        writing.addHeader('Location', '/writer')
        return proceed()
      }),
    ),
  ),
})

/** What a field says, each time that it is sent. In memory, several are one list. */
const said = ({ headers }: Response, name: string): string | null => headers.get(name)

contract('fields that a response has once', api, (test, call) => {
  table<readonly [target: string, name: string, value: string | null]>(
    test,
    [
      ['/type', 'Content-Type', 'text/plain;charset=UTF-8'],
      ['/typed', 'Content-Type', 'text/b'],
      ['/both', 'Content-Type', 'text/a'],
      ['/declared', 'Content-Type', 'text/b'],
      ['/overridden', 'Content-Type', 'text/b'],
      ['/overridden', 'Location', '/b'],
      ['/cached', 'Content-Type', 'text/a'],
      ['/stream', 'Content-Type', 'text/b'],
      ['/located', 'Location', '/b'],
      ['/added-twice', 'Location', '/b'],
      ['/length', 'Content-Length', '4'],
      ['/chunked', 'Transfer-Encoding', null],
      ['/chunked', 'Content-Length', '4'],
      ['/coding', 'Content-Encoding', 'gzip'],
      ['/late', 'Content-Type', 'text/filter'],
      ['/problem', 'Content-Type', 'application/problem+json'],
      ['/problem', 'Retry-After', '1'],
      ['/retry', 'Retry-After', '3'],
      ['/early', 'Content-Type', 'text/b'],
      ['/written', 'Content-Type', 'text/w'],
      ['/written', 'Location', '/writer'],
    ],
    async (target, name, value) => {
      const response = await ask(call, `GET ${target}`)
      const content = await response.text()
      assert.is(said(response, name), value)
      if (target === '/length') assert.is(content, 'sent')
    },
  )
})

contract(
  'one coding',
  api,
  (test, call) => {
    const headers = { 'Accept-Encoding': 'gzip' }
    test('what is coded already, as a handler adds, is not coded again', async () => {
      const response = await ask(call, 'GET /coding', { headers })
      assert.is(said(response, 'Content-Encoding'), 'gzip')
      assert.is(said(response, 'Content-Length'), '4')
    })
    test('what is not, is', async () => {
      const response = await ask(call, 'GET /coded', { headers })
      assert.is(said(response, 'Content-Encoding'), 'gzip')
      assert.is(gunzipSync(await response.arrayBuffer()).toString(), `"${'x'.repeat(100)}"`)
    })
  },
  {
    'fw.http.enable-compression': true,
    'fw.http.compress-media-types': 'text/plain, application/json',
  },
)
