/** Reader and writer interceptors: order, and changes of data, entity and media type. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ReaderInterceptor } from '../../../src/index.ts'
import {
  HttpError,
  as,
  body,
  bytes,
  entity,
  form,
  formMap,
  get,
  handle,
  int,
  json,
  noContent,
  onlyOn,
  path,
  post,
  priority,
  produces,
  reader,
  readerInterceptor,
  responds,
  routes,
  text,
  withInterceptor,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../../src/index.ts'
import { wrapWritten, bytesOf, textOf } from './body-text.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { interceptedEcho } from './intercepted-operation.ts'
import { contract } from '../../support/contract.ts'

const Book = t.type({ title: t.string }, 'Book')
/** Wraps the decoded body as `name(…)`. */
const wrapRead = (name: string): ReaderInterceptor =>
  readerInterceptor(async (_, proceed) => `${name}(${String(await proceed())})`)

const echo = pipe(
  path('/echo'),
  post(),
  body(text),
  produces(text),
  handle((input) => input.body),
)

const ordered = pipe(
  routes({ inner: pipe(routes({ echo }), withInterceptor(wrapWritten('in'), wrapRead('in'))) }),
  withInterceptor(
    wrapWritten('out'),
    wrapRead('out'),
    wrapWritten('out2'),
    priority(6000)(wrapWritten('late')),
    priority(6000)(wrapRead('late')),
    onlyOn('client')(wrapWritten('client')),
    onlyOn('server')(priority(4000)(wrapWritten('server'))),
  ),
  withInterceptor(priority(1)(wrapWritten('first')), priority(1)(wrapRead('first'))),
)

contract('interceptor order', ordered, (test, call) => {
  test('interceptors nest by ascending priority, then from the outer to the inner tree, then as listed', async () => {
    const response = await sendRequest(call, 'POST /echo', { body: '-' })
    assert.is(await response.text(), 'first(server(out(out2(in(late(first(out(in(late(-))))))))))')
  })
})

const representations = pipe(
  routes({
    json: pipe(
      path('/json'),
      post(),
      body(json(Book)),
      produces(json(Book)),
      handle((input) => input.body),
    ),
    text: pipe(
      path('/text'),
      post(),
      body(text),
      produces(text),
      handle((input) => input.body),
    ),
    bytes: pipe(
      path('/bytes'),
      post(),
      body(bytes),
      produces(bytes),
      handle((input) => input.body),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ a: int }),
      produces(text),
      handle((input) => `${input.form.a}`),
    ),
    formMap: pipe(
      path('/form-map'),
      post(),
      body(formMap),
      produces(formMap),
      handle((input) => input.body),
    ),
    entity: pipe(
      path('/entity'),
      post(),
      body(as('text/x-book')(entity(Book))),
      produces(as('text/x-book')(entity(Book))),
      handle((input) => input.body),
    ),
    none: pipe(
      path('/none'),
      get(),
      responds(204),
      handle(() => noContent),
    ),
  }),
  withReader(reader({ mediaType: 'text/x-book', read: (data) => ({ title: textOf(data) }) })),
  withWriter(writer({ mediaType: 'text/x-book', of: Book, write: ({ title }) => title })),
  withInterceptor(
    readerInterceptor(({ data }, proceed) => proceed({ data: data.toReversed() })),
    writerInterceptor(({ addHeader, entity: written, codec, status }, proceed) => {
      addHeader('X-Seen', `${typeof written} ${codec?.name ?? '-'} ${status}`)
      const encoded = proceed()
      // Inner steps are synchronous, so proceed() must not return a promise.
      return encoded instanceof Uint8Array ? encoded.toReversed() : 'a promise'
    }),
  ),
)

contract('interceptors wrap bodies of every representation', representations, (test, call) => {
  table<readonly [target: string, type: string, content: string, written: string]>(
    test,
    [
      ['/json', 'application/json', '{"title":"Emma"}', 'object Book 200'],
      ['/text', 'text/plain', 'Emma', 'string - 200'],
      ['/bytes', 'application/octet-stream', 'Emma', 'object - 200'],
      ['/form', 'application/x-www-form-urlencoded', 'a=12', 'string - 200'],
      ['/form-map', 'application/x-www-form-urlencoded', 'a=1&b=2', 'object - 200'],
      ['/entity', 'text/x-book', 'Emma', 'object Book 200'],
    ],
    async (target, type, content, written) => {
      const sent = textOf(bytesOf(content).toReversed())
      const response = await sendRequest(call, `POST ${target}`, {
        headers: { 'Content-Type': type },
        body: sent,
      })
      const received = await response.text()
      assert.is(response.status, 200, received)
      assert.is(received, target === '/form' ? '21' : sent)
      assert.is(response.headers.get('X-Seen'), written)
    },
  )
  test('a response without a body is not intercepted', async () => {
    const response = await sendRequest(call, 'GET /none')
    assert.equal([response.status, response.headers.get('X-Seen')], [204, null])
  })
  test('a problem document is not intercepted', async () => {
    const response = await sendRequest(call, 'POST /json', {
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })
    assert.equal([response.status, response.headers.get('X-Seen')], [400, null])
    assert.is((await sendRequest(call, 'GET /nothing')).headers.get('X-Seen'), null)
  })
})

const changes = routes({
  value: interceptedEcho(
    'value',
    readerInterceptor(async (_, proceed) => `${String(await proceed())}, read`),
    writerInterceptor(({ entity: written }, proceed) =>
      proceed({ entity: `${String(written)}, written` }),
    ),
  ),
  type: interceptedEcho(
    'type',
    readerInterceptor((_, proceed) => proceed({ mediaType: 'application/json' })),
    writerInterceptor((_, proceed) => proceed({ mediaType: 'application/json' })),
  ),
  charset: interceptedEcho(
    'charset',
    readerInterceptor(({ mediaType: original }, proceed) =>
      proceed({ mediaType: `${original};charset=utf-16le` }),
    ),
  ),
  unknown: interceptedEcho(
    'unknown',
    readerInterceptor((_, proceed) => proceed({ mediaType: 'image/png' })),
    writerInterceptor((_, proceed) => proceed({ mediaType: 'text/x-other' })),
  ),
  malformed: interceptedEcho(
    'malformed',
    writerInterceptor((_, proceed) => proceed({ mediaType: 'nonsense' })),
  ),
  label: interceptedEcho(
    'label',
    writerInterceptor(({ addHeader }, proceed) => {
      addHeader('content-type', 'application/x-labelled')
      addHeader('Content-Type', 'application/x-labelled-twice')
      return proceed()
    }),
  ),
  stops: interceptedEcho(
    'stops',
    readerInterceptor(({ context }) => `read by ${context.endpoint.name}`),
    writerInterceptor(({ entity: written, mediaType: type }) => `${String(written)} as ${type}`),
  ),
  tasks: interceptedEcho(
    'tasks',
    readerInterceptor(() => T.of('task')),
    writerInterceptor(() => T.of(bytesOf('another task'))),
  ),
  ignores: interceptedEcho(
    'ignores',
    readerInterceptor((_, proceed) => {
      void proceed()
      return 'ignored'
    }),
    readerInterceptor(() => Promise.reject(new Error('unhandled rejection'))),
    writerInterceptor((_, proceed) => {
      void proceed()
      return 'ignored too'
    }),
    writerInterceptor(() => Promise.reject(new Error('unhandled rejection'))),
  ),
  retry: interceptedEcho(
    'retry',
    readerInterceptor(async (_, proceed) => {
      try {
        return await proceed({ mediaType: 'application/json' })
      } catch (error) {
        return error instanceof HttpError
          ? `${error.status}: ${String(await proceed())}`
          : 'not an HttpError'
      }
    }),
  ),
})

contract(
  'interceptors that change the entity or media type, or skip proceed',
  changes,
  (test, call) => {
    table<readonly [target: string, content: string, status: number, body: string, type: string]>(
      test,
      [
        ['/value', 'Emma', 200, 'Emma, read, written', 'text/plain;charset=UTF-8'],
        ['/type', '"Emma"', 200, '"Emma"', 'application/json'],
        ['/charset', 'E\0m\0', 200, 'Em', 'text/plain;charset=UTF-8'],
        ['/unknown', 'Emma', 200, 'Emma', 'text/x-other;charset=UTF-8'],
        ['/malformed', 'Emma', 500, '', 'application/problem+json'],
        ['/label', 'Emma', 200, 'Emma', 'application/x-labelled-twice'],
        [
          '/stops',
          'Emma',
          200,
          'read by stops.both as text/plain;charset=UTF-8',
          'text/plain;charset=UTF-8',
        ],
        ['/tasks', 'Emma', 200, 'another task', 'text/plain;charset=UTF-8'],
        ['/ignores', 'Emma', 200, 'ignored too', 'text/plain;charset=UTF-8'],
        ['/retry', '{', 200, '400: {', 'text/plain;charset=UTF-8'],
        ['/retry?valid', '"{"', 200, '{', 'text/plain;charset=UTF-8'],
      ],
      async (target, content, status, expected, type) => {
        const response = await sendRequest(call, `POST ${target}`, {
          headers: { 'Content-Type': 'text/plain' },
          body: content,
        })
        const received = await response.text()
        assert.is(response.status, status, received)
        if (status === 200) assert.is(received, expected)
        assert.is(response.headers.get('Content-Type'), type)
      },
    )
  },
)
