/**
 * Singleton headers of responses (RFC 9110, 5.5) that are set in several places.
 *
 * A writer takes precedence over the reply, and the reply over its operation. `addHeader` never replaces a header.
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
} from '../../../src/index.ts'
import type { Context } from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const at = (target: string) => pipe(path(target), get(), produces(text))

/** A handler that adds a header through the context. */
const addingHeader =
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
  type: pipe(at('/type'), handle(addingHeader('Content-Type', 'text/x-added'))),
  replyHeader: pipe(
    at('/reply-header'),
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
  addedTwice: pipe(at('/added-twice'), handle(addingHeader('Location', '/a', '/b'))),
  length: pipe(at('/length'), handle(addingHeader('Content-Length', '1'))),
  chunked: pipe(at('/chunked'), handle(addingHeader('Transfer-Encoding', 'chunked'))),
  encoded: pipe(at('/encoded'), handle(addingHeader('Content-Encoding', 'gzip'))),
  plain: pipe(
    path('/plain'),
    get(),
    produces(json(t.string)),
    handle(() => 'x'.repeat(100)),
  ),
  late: filtered(
    {
      operation: pipe(
        at('/late'),
        handle(() => pipe(ok('sent'), mediaType('text/a'))),
      ),
    },
    'Content-Type',
    'text/filter',
  ),
  problem: filtered(
    {
      operation: pipe(
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
      operation: pipe(
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
      operation: pipe(
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
      operation: pipe(
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

/** All values of a header, joined by commas. */
const valueOf = ({ headers }: Response, name: string): string | null => headers.get(name)

contract('singleton response headers', api, (test, call) => {
  table<readonly [title: string, target: string, name: string, value: string | null]>(
    test,
    [
      [
        'Content-Type added by the context is ignored',
        '/type',
        'Content-Type',
        'text/plain;charset=UTF-8',
      ],
      ['withHeader overrides mediaType', '/reply-header', 'Content-Type', 'text/b'],
      ['mediaType takes precedence over the context', '/both', 'Content-Type', 'text/a'],
      ['the last responseHeader applies', '/declared', 'Content-Type', 'text/b'],
      ['mediaType overrides responseHeader', '/overridden', 'Content-Type', 'text/b'],
      ['the Location of created overrides responseHeader', '/overridden', 'Location', '/b'],
      [
        'responseHeader sets the Content-Type of a reply with other headers',
        '/cached',
        'Content-Type',
        'text/a',
      ],
      ['the last withHeader of a stream applies', '/stream', 'Content-Type', 'text/b'],
      ['withHeader overrides the Location of created', '/located', 'Location', '/b'],
      ['the last Location added by the context applies', '/added-twice', 'Location', '/b'],
      ['Content-Length added by the context is ignored', '/length', 'Content-Length', '4'],
      ['Transfer-Encoding added by the context is ignored', '/chunked', 'Transfer-Encoding', null],
      [
        'a response with an ignored Transfer-Encoding has a Content-Length',
        '/chunked',
        'Content-Length',
        '4',
      ],
      ['Content-Encoding added by the context is sent', '/encoded', 'Content-Encoding', 'gzip'],
      ['a response filter overrides mediaType', '/late', 'Content-Type', 'text/filter'],
      [
        'a problem document keeps its Content-Type',
        '/problem',
        'Content-Type',
        'application/problem+json',
      ],
      ['an HttpError sets Retry-After', '/problem', 'Retry-After', '1'],
      ['a response filter overrides Retry-After of an HttpError', '/retry', 'Retry-After', '3'],
      ['withHeader of a request filter overrides mediaType', '/early', 'Content-Type', 'text/b'],
      ['a writer interceptor overrides mediaType', '/written', 'Content-Type', 'text/w'],
      ['a writer interceptor overrides withHeader', '/written', 'Location', '/writer'],
    ],
    async (_, target, name, value) => {
      const response = await sendRequest(call, `GET ${target}`)
      const responseBody = await response.text()
      assert.is(valueOf(response, name), value)
      if (target === '/length') assert.is(responseBody, 'sent')
    },
  )
})

contract(
  'Content-Encoding of the handler',
  api,
  (test, call) => {
    const headers = { 'Accept-Encoding': 'gzip' }
    test('a response with a Content-Encoding is not compressed again', async () => {
      const response = await sendRequest(call, 'GET /encoded', { headers })
      assert.is(valueOf(response, 'Content-Encoding'), 'gzip')
      assert.is(valueOf(response, 'Content-Length'), '4')
    })
    test('a response without a Content-Encoding is compressed', async () => {
      const response = await sendRequest(call, 'GET /plain', { headers })
      assert.is(valueOf(response, 'Content-Encoding'), 'gzip')
      assert.is(gunzipSync(await response.arrayBuffer()).toString(), `"${'x'.repeat(100)}"`)
    })
  },
  {
    'fw.http.enable-compression': true,
    'fw.http.compress-media-types': 'text/plain, application/json',
  },
)
