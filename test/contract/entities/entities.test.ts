/** Entities: bodies decoded by readers, responses encoded by writers. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  UnprocessableContent,
  as,
  bind,
  body,
  entity,
  fails,
  get,
  handle,
  int,
  json,
  onlyFor,
  onlyOn,
  onlyWhere,
  path,
  post,
  produces,
  reader,
  reply,
  requestFilter,
  responds,
  routes,
  string,
  text,
  withFilter,
  withReader,
  withWriter,
  writer,
} from '../../../src/index.ts'
import { sendRequest, validationErrorsOf } from '../../support/send-request.ts'
import { Book, emma, lines } from './books.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const decode = (data: Uint8Array): string => new TextDecoder().decode(data)

/** Reads `Emma|474`. */
const separatedReader = reader({
  mediaType: 'text/x-separated',
  read: (data) => {
    const [title, pages] = decode(data).split('|')
    if (title === 'throw') throw new Error('secret')
    if (title === 'reject') throw new UnprocessableContent('rejected')
    return { title, pages: Number(pages), undeclared: true }
  },
})
/** Reads `Emma|474` asynchronously. */
const asyncReader = reader({
  mediaType: 'text/x-async',
  read: async (data) => {
    const [title, pages] = decode(data).split('|')
    if (title === 'throw') throw new Error('secret')
    return { title, pages: Number(pages) }
  },
})
/** Returns a `Book` that shows the reader context, so that it needs no decoding. */
const bookReader = reader({
  mediaType: 'text/x-book',
  of: Book,
  read:
    (_, { mediaType, context }) =>
    () =>
      Promise.resolve({ title: `${mediaType} for ${context.endpoint.name}`, pages: 0 }),
})
const books = pipe(
  routes({
    send: pipe(
      path('/books'),
      post(),
      body(entity(Book)),
      produces(text),
      handle((input) => JSON.stringify(input.body)),
    ),
  }),
  withReader(separatedReader, asyncReader, bookReader),
)
const requestInit = (type: string, content: string): RequestInit => ({
  headers: { 'Content-Type': type },
  body: content,
})

contract('entity readers', books, (test, call) => {
  table<
    readonly [name: string, type: string, content: string, status: number, body: string | RegExp]
  >(
    test,
    [
      ['a reader', 'text/x-separated', 'Emma|474', 200, '{"title":"Emma","pages":474}'],
      [
        'a media type with a charset',
        'text/x-separated;charset=utf-8',
        'Emma|474',
        200,
        '{"title":"Emma","pages":474}',
      ],
      ['an asynchronous reader', 'text/x-async', 'Emma|474', 200, '{"title":"Emma","pages":474}'],
      [
        'a reader of an entity, whose result is not decoded',
        'text/x-book;v=1',
        '',
        200,
        '{"title":"text/x-book;v=1 for send","pages":0}',
      ],
      [
        'built-in JSON',
        'application/json',
        '{"title":"Emma","pages":474}',
        200,
        '{"title":"Emma","pages":474}',
      ],
      ['invalid JSON input', 'application/json', '{"title":"Emma"}', 400, /pages/],
      ['an invalid result of a reader', 'text/x-separated', 'Emma', 400, /"pointer":"#\/pages"/],
      [
        'an invalid result of an asynchronous reader',
        'text/x-async',
        'Emma',
        400,
        /"pointer":"#\/pages"/,
      ],
      ['a reader that throws', 'text/x-separated', 'throw|1', 400, /cannot be read/],
      ['a reader that rejects', 'text/x-async', 'throw|1', 400, /cannot be read/],
      ['a reader that throws an HttpError', 'text/x-separated', 'reject|1', 422, /422/],
      ['a media type without a reader', 'text/csv', 'Emma', 415, /text\/x-separated/],
    ],
    async (_, type, content, status, expected) => {
      const response = await sendRequest(call, 'POST /books', requestInit(type, content))
      const received = await response.text()
      assert.is(response.status, status, received)
      if (typeof expected === 'string') assert.is(received, expected)
      else assert.match(received, expected)
      assert.not.match(received, /secret/)
    },
  )
  test('a body without Content-Type is read by the preferred reader', async () => {
    const content = new TextEncoder().encode('Emma|474')
    const response = await sendRequest(call, 'POST /books', { body: content })
    assert.is(await response.text(), '{"title":"text/x-book for send","pages":0}')
  })
  test('an unsupported media type returns 415 with Accept', async () => {
    const response = await sendRequest(call, 'POST /books', requestInit('text/csv', ''))
    assert.is(
      response.headers.get('Accept'),
      'text/x-book, text/x-separated, text/x-async, application/json',
    )
  })
  test('a validation error of the decoded body is reported', async () => {
    const response = await sendRequest(call, 'POST /books', requestInit('text/x-separated', ''))
    assert.equal(await validationErrorsOf(response), [['body', undefined, 'must be an integer']])
  })
})

const bookOperation = (name: string, template = '/book') =>
  pipe(
    path(template),
    get(),
    produces(entity(Book)),
    fails(404, entity(t.type({ missing: t.string }, 'Missing'))),
    handle(() =>
      name === 'missing'
        ? E.left({ missing: 'Emma' })
        : Object.assign({}, emma, { undeclared: true }),
    ),
  )
const writers = pipe(
  routes({
    near: pipe(
      routes({ get: bookOperation('near', '/near') }),
      withWriter(lines('near', 'text/x-lines'), lines('range', 'image/*')),
    ),
    far: bookOperation('far', '/far'),
    missing: bookOperation('missing', '/missing'),
    plain: pipe(
      path('/plain'),
      get(),
      produces(json(Book)),
      handle(() => emma),
    ),
    bound: pipe(bookOperation('bound', '/bound'), bind('special')),
    count: pipe(
      path('/count'),
      get(),
      produces(entity(int)),
      handle(() => 7),
    ),
    name: pipe(
      path('/name'),
      get(),
      produces(as('text/html')(entity(string))),
      handle(() => '<b>'),
    ),
  }),
  withWriter(
    lines('far', 'text/x-lines'),
    onlyFor('special')(
      writer({
        mediaType: 'text/x-lines',
        of: Book,
        write: async ({ title }, { addHeader }) => {
          addHeader('X-Title', title)
          return new TextEncoder().encode(`exactly ${title}\u00ff`).subarray(0, -1)
        },
      }),
    ),
    onlyWhere(({ name }) => name === 'far')(lines('where', 'text/x-where')),
    onlyOn('client')(lines('client', 'text/x-client')),
    onlyOn('server')(lines('server', 'text/x-server')),
  ),
)

contract('entity writers', writers, (test, call) => {
  const wireForm = '{"title":"Emma","pages":474}'
  type Row = readonly [line: string, accept: string, status: number, body: string, type?: string]
  const rows: ReadonlyArray<Row> = [
    ['GET /near', 'text/x-lines', 200, `near text/x-lines;charset=UTF-8\n${wireForm}`],
    ['GET /near', '*/*', 200, `near text/x-lines;charset=UTF-8\n${wireForm}`],
    ['GET /near', 'application/json', 200, wireForm, 'application/json'],
    ['GET /near', 'image/png', 200, `range image/png\n${wireForm}`, 'image/png'],
    ['GET /far', 'text/x-lines', 200, `far text/x-lines;charset=UTF-8\n${wireForm}`],
    ['GET /far', 'image/png', 406, ''],
    ['GET /missing', 'text/x-lines', 404, 'far text/x-lines;charset=UTF-8\n{"missing":"Emma"}'],
    ['GET /missing', 'application/json', 404, '{"missing":"Emma"}', 'application/json'],
    ['GET /plain', 'application/json', 200, wireForm],
    ['GET /plain', 'text/x-lines', 406, ''], // Writers apply to entities only.
    ['GET /far', 'text/x-server', 200, `server text/x-server;charset=UTF-8\n${wireForm}`],
    ['GET /far', 'text/x-client', 406, ''],
    ['GET /far', 'text/x-where', 200, `where text/x-where;charset=UTF-8\n${wireForm}`],
    ['GET /near', 'text/x-where', 406, ''], // The writer applies to the other operation only.
    ['GET /count', 'text/plain', 200, '7', 'text/plain;charset=UTF-8'],
    ['GET /count', 'application/json', 200, '7', 'application/json'],
    ['GET /name', '*/*', 200, '<b>', 'text/html;charset=UTF-8'],
  ]
  for (const [line, accept, status, expected, type] of rows)
    test(`${line} with Accept: ${accept} returns ${status}`, async () => {
      const response = await sendRequest(call, line, { headers: { Accept: accept } })
      assert.is(response.status, status)
      const received = await response.text()
      if (status !== 406) assert.is(received, expected)
      if (type !== undefined) assert.is(response.headers.get('Content-Type'), type)
    })
  test('bytes returned by a writer are sent unchanged', async () => {
    const response = await sendRequest(call, 'GET /bound', { headers: { Accept: 'text/x-lines' } })
    const received = Buffer.from(await response.arrayBuffer()).toString('latin1')
    assert.equal([response.status, received], [200, 'exactly Emma\u00c3'])
  })
  test('a header added by a writer is sent', async () => {
    const response = await sendRequest(call, 'GET /bound')
    assert.is(response.headers.get('X-Title'), 'Emma')
  })
  test('a negotiated response has Vary: Accept', async () => {
    assert.is((await sendRequest(call, 'GET /near')).headers.get('Vary'), 'Accept')
  })
  test('HEAD sends the headers of GET', async () => {
    const response = await sendRequest(call, 'HEAD /bound')
    assert.equal(
      [response.status, response.headers.get('X-Title'), response.headers.get('Content-Length')],
      [200, 'Emma', '13'],
    )
  })
})

const filtered = pipe(
  routes({
    get: pipe(
      path('/'),
      get(),
      responds(201, entity(Book)),
      handle(() => reply(201, emma)),
    ),
  }),
  withFilter(
    requestFilter({ fails: { 409: entity(Book) } }, ({ request }) =>
      request.header('X-Stop') === undefined ? undefined : reply(409, emma),
    ),
  ),
  withWriter(lines('outer', 'text/x-lines')),
)

contract('entities in responses of handlers and filters', filtered, (test, call) => {
  test('a writer encodes the response of the handler', async () => {
    const response = await sendRequest(call, 'GET /')
    assert.equal(
      [response.status, (await response.text()).slice(0, 18)],
      [201, 'outer text/x-lines'],
    )
  })
  test('a writer encodes the response of a filter', async () => {
    const response = await sendRequest(call, 'GET /', { headers: { 'X-Stop': 'yes' } })
    assert.equal(
      [response.status, (await response.text()).slice(0, 18)],
      [409, 'outer text/x-lines'],
    )
  })
})
