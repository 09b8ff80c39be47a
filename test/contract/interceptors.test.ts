/** What interceptors do to contents of all kinds. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ReaderInterceptor } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { around, octetsOf, textOf } from '../support/body-text.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { changing } from '../support/intercepted-operation.ts'
import { contract } from '../support/contract.ts'

const Book = t.type({ title: t.string }, 'Book')
/** Puts a name around what is read. */
const after = (name: string): ReaderInterceptor =>
  readerInterceptor(async (_, proceed) => `${name}(${String(await proceed())})`)

const echo = pipe(
  path('/echo'),
  post(),
  body(text),
  produces(text),
  handle((input) => input.body),
)

const ordered = pipe(
  routes({ inner: pipe(routes({ echo }), withInterceptor(around('in'), after('in'))) }),
  withInterceptor(
    around('out'),
    after('out'),
    around('out2'),
    priority(6000)(around('late')),
    priority(6000)(after('late')),
    onlyOn('client')(around('client')),
    onlyOn('server')(priority(4000)(around('server'))),
  ),
  withInterceptor(priority(1)(around('first')), priority(1)(after('first'))),
)

contract('interceptors run by ascending priority', ordered, (test, call) => {
  test('the outer before the inner, the first given before others, around one another', async () => {
    const response = await ask(call, 'POST /echo', { body: '-' })
    assert.is(await response.text(), 'first(server(out(out2(in(late(first(out(in(late(-))))))))))')
  })
})

const wraps = pipe(
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
      body(as('text/x-own')(entity(Book))),
      produces(as('text/x-own')(entity(Book))),
      handle((input) => input.body),
    ),
    none: pipe(
      path('/none'),
      get(),
      responds(204),
      handle(() => noContent),
    ),
  }),
  withReader(reader({ mediaType: 'text/x-own', read: (octets) => ({ title: textOf(octets) }) })),
  withWriter(writer({ mediaType: 'text/x-own', of: Book, write: ({ title }) => title })),
  withInterceptor(
    readerInterceptor(({ data }, proceed) => proceed({ data: data.toReversed() })),
    writerInterceptor(({ addHeader, entity: written, codec, status }, proceed) => {
      addHeader('X-Seen', `${typeof written} ${codec?.name ?? '-'} ${status}`)
      const octets = proceed()
      // nothing inside waits, so that nothing does here
      return octets instanceof Uint8Array ? octets.toReversed() : 'a promise'
    }),
  ),
)

contract('interceptors wrap contents of all kinds', wraps, (test, call) => {
  table<readonly [string, string, string, string]>(
    test,
    [
      ['/json', 'application/json', '{"title":"Emma"}', 'object Book 200'],
      ['/text', 'text/plain', 'Emma', 'string - 200'],
      ['/bytes', 'application/octet-stream', 'Emma', 'object - 200'],
      ['/form', 'application/x-www-form-urlencoded', 'a=12', 'string - 200'],
      ['/form-map', 'application/x-www-form-urlencoded', 'a=1&b=2', 'object - 200'],
      ['/entity', 'text/x-own', 'Emma', 'object Book 200'],
    ],
    async (target, type, content, seen) => {
      const sent = textOf(octetsOf(content).toReversed())
      const response = await ask(call, `POST ${target}`, {
        headers: { 'Content-Type': type },
        body: sent,
      })
      const received = await response.text()
      assert.is(response.status, 200, received)
      assert.is(received, target === '/form' ? '21' : sent)
      assert.is(response.headers.get('X-Seen'), seen)
    },
  )
  test('not those that are not there', async () => {
    const response = await ask(call, 'GET /none')
    assert.equal([response.status, response.headers.get('X-Seen')], [204, null])
  })
  test('nor the documents of the engine', async () => {
    const response = await ask(call, 'POST /json', {
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })
    assert.equal([response.status, response.headers.get('X-Seen')], [400, null])
    assert.is((await ask(call, 'GET /nothing')).headers.get('X-Seen'), null)
  })
})

const changes = routes({
  value: changing(
    'value',
    readerInterceptor(async (_, proceed) => `${String(await proceed())}, read`),
    writerInterceptor(({ entity: written }, proceed) =>
      proceed({ entity: `${String(written)}, written` }),
    ),
  ),
  type: changing(
    'type',
    readerInterceptor((_, proceed) => proceed({ mediaType: 'application/json' })),
    writerInterceptor((_, proceed) => proceed({ mediaType: 'application/json' })),
  ),
  charset: changing(
    'charset',
    readerInterceptor(({ mediaType: stated }, proceed) =>
      proceed({ mediaType: `${stated};charset=utf-16le` }),
    ),
  ),
  unknown: changing(
    'unknown',
    readerInterceptor((_, proceed) => proceed({ mediaType: 'image/png' })),
    writerInterceptor((_, proceed) => proceed({ mediaType: 'text/x-other' })),
  ),
  malformed: changing(
    'malformed',
    writerInterceptor((_, proceed) => proceed({ mediaType: 'nonsense' })),
  ),
  label: changing(
    'label',
    writerInterceptor(({ addHeader }, proceed) => {
      addHeader('content-type', 'application/x-sealed')
      addHeader('Content-Type', 'application/x-sealed-twice')
      return proceed()
    }),
  ),
  stops: changing(
    'stops',
    readerInterceptor(({ context }) => `read by ${context.endpoint.name}`),
    writerInterceptor(({ entity: written, mediaType: type }) => `${String(written)} as ${type}`),
  ),
  tasks: changing(
    'tasks',
    readerInterceptor(() => T.of('task')),
    writerInterceptor(() => T.of(octetsOf('another task'))),
  ),
  ignores: changing(
    'ignores',
    readerInterceptor((_, proceed) => {
      void proceed()
      return 'ignored'
    }),
    readerInterceptor(() => Promise.reject(new Error('nobody looks'))),
    writerInterceptor((_, proceed) => {
      void proceed()
      return 'ignored too'
    }),
    writerInterceptor(() => Promise.reject(new Error('nobody looks'))),
  ),
  again: changing(
    'again',
    readerInterceptor(async (_, proceed) => {
      try {
        return await proceed({ mediaType: 'application/json' })
      } catch (error) {
        return error instanceof HttpError ? `${error.status}: ${String(await proceed())}` : 'lost'
      }
    }),
  ),
})

contract('interceptors change what they wrap, or stop', changes, (test, call) => {
  table<readonly [string, string, number, string, string]>(
    test,
    [
      ['/value', 'Emma', 200, 'Emma, read, written', 'text/plain;charset=UTF-8'],
      ['/type', '"Emma"', 200, '"Emma"', 'application/json'],
      ['/charset', 'E\0m\0', 200, 'Em', 'text/plain;charset=UTF-8'],
      ['/unknown', 'Emma', 200, 'Emma', 'text/x-other;charset=UTF-8'],
      ['/malformed', 'Emma', 500, '', 'application/problem+json'],
      ['/label', 'Emma', 200, 'Emma', 'application/x-sealed-twice'],
      [
        '/stops',
        'Emma',
        200,
        'read by stops.both as text/plain;charset=UTF-8',
        'text/plain;charset=UTF-8',
      ],
      ['/tasks', 'Emma', 200, 'another task', 'text/plain;charset=UTF-8'],
      ['/ignores', 'Emma', 200, 'ignored too', 'text/plain;charset=UTF-8'],
      ['/again', '{', 200, '400: {', 'text/plain;charset=UTF-8'],
      ['/again', '"{"', 200, '{', 'text/plain;charset=UTF-8'],
    ],
    async (target, content, status, expected, type) => {
      const response = await ask(call, `POST ${target}`, {
        headers: { 'Content-Type': 'text/plain' },
        body: content,
      })
      const received = await response.text()
      assert.is(response.status, status, received)
      if (status === 200) assert.is(received, expected)
      assert.is(response.headers.get('Content-Type'), type)
    },
  )
})
