/** Readers and writers. */
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
} from '../../src/index.ts'
import { ask, faultsOf } from '../support/ask.ts'
import { Book, emma, lines } from '../support/books.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const decode = (octets: Uint8Array): string => new TextDecoder().decode(octets)

/** `Emma|474`. */
const bars = reader({
  mediaType: 'text/x-bars',
  read: (octets) => {
    const [title, pages] = decode(octets).split('|')
    if (title === 'throw') throw new Error('secret')
    if (title === 'refuse') throw new UnprocessableContent('refused')
    return { title, pages: Number(pages), undeclared: true }
  },
})
/** The same, later. */
const later = reader({
  mediaType: 'text/x-later',
  read: async (octets) => {
    const [title, pages] = decode(octets).split('|')
    if (title === 'throw') throw new Error('secret')
    return { title, pages: Number(pages) }
  },
})
/** Knows one book by heart, and says more than its codec does. */
const exact = reader({
  mediaType: 'text/x-exact',
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
  withReader(bars, later, exact),
)
const sending = (type: string, content: string): RequestInit => ({
  headers: { 'Content-Type': type },
  body: content,
})

contract('bodies are read by readers', books, (test, call) => {
  table<readonly [string, string, number, string | RegExp]>(
    test,
    [
      ['text/x-bars', 'Emma|474', 200, '{"title":"Emma","pages":474}'],
      ['text/x-bars;charset=utf-8', 'Emma|474', 200, '{"title":"Emma","pages":474}'],
      ['text/x-later', 'Emma|474', 200, '{"title":"Emma","pages":474}'],
      [
        'text/x-exact;v=1',
        '',
        200,
        '{"title":"text/x-exact;v=1 for send","pages":0}', // not decoded again
      ],
      ['application/json', '{"title":"Emma","pages":474}', 200, '{"title":"Emma","pages":474}'],
      ['application/json', '{"title":"Emma"}', 400, /pages/],
      ['text/x-bars', 'Emma', 400, /"pointer":"#\/pages"/], // what a reader gives is decoded
      ['text/x-later', 'Emma', 400, /"pointer":"#\/pages"/],
      ['text/x-bars', 'throw|1', 400, /cannot be read/],
      ['text/x-later', 'throw|1', 400, /cannot be read/],
      ['text/x-bars', 'refuse|1', 422, /422/],
      ['text/csv', 'Emma', 415, /text\/x-bars/],
    ],
    async (type, content, status, expected) => {
      const response = await ask(call, 'POST /books', sending(type, content))
      const received = await response.text()
      assert.is(response.status, status, received)
      if (typeof expected === 'string') assert.is(received, expected)
      else assert.match(received, expected)
      assert.not.match(received, /secret/)
    },
  )
  test('without a media type the preferred reader is assumed', async () => {
    const content = new TextEncoder().encode('Emma|474')
    const response = await ask(call, 'POST /books', { body: content })
    assert.is(await response.text(), '{"title":"text/x-exact for send","pages":0}')
  })
  test('what nobody reads is refused with what somebody does', async () => {
    const response = await ask(call, 'POST /books', sending('text/csv', ''))
    assert.is(
      response.headers.get('Accept'),
      'text/x-exact, text/x-bars, text/x-later, application/json',
    )
  })
  test('every fault of a decoded body is told', async () => {
    const response = await ask(call, 'POST /books', sending('text/x-bars', ''))
    assert.equal(await faultsOf(response), [['body', undefined, 'must be an integer']])
  })
})

const bare = (name: string, template = '/book') =>
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
const shelf = pipe(
  routes({
    near: pipe(
      routes({ get: bare('near', '/near') }),
      withWriter(lines('near', 'text/x-lines'), lines('range', 'image/*')),
    ),
    far: bare('far', '/far'),
    missing: bare('missing', '/missing'),
    plain: pipe(
      path('/plain'),
      get(),
      produces(json(Book)),
      handle(() => emma),
    ),
    bound: pipe(bare('bound', '/bound'), bind('special')),
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
    onlyOn('client')(lines('client', 'text/x-client')),
    onlyOn('server')(lines('server', 'text/x-server')),
  ),
)

contract('contents are written by writers', shelf, (test, call) => {
  const wire = '{"title":"Emma","pages":474}'
  table<readonly [string, string, number, string, string?]>(
    test,
    [
      ['GET /near', 'text/x-lines', 200, `near text/x-lines;charset=UTF-8\n${wire}`],
      ['GET /near', '*/*', 200, `near text/x-lines;charset=UTF-8\n${wire}`],
      ['GET /near', 'application/json', 200, wire, 'application/json'],
      ['GET /near', 'image/png', 200, `range image/png\n${wire}`, 'image/png'],
      ['GET /far', 'text/x-lines', 200, `far text/x-lines;charset=UTF-8\n${wire}`],
      ['GET /far', 'image/png', 406, ''],
      ['GET /missing', 'text/x-lines', 404, 'far text/x-lines;charset=UTF-8\n{"missing":"Emma"}'],
      ['GET /missing', 'application/json', 404, '{"missing":"Emma"}', 'application/json'],
      ['GET /plain', 'application/json', 200, wire], // a representation says how it travels
      ['GET /plain', 'text/x-lines', 406, ''],
      ['GET /far', 'text/x-server', 200, `server text/x-server;charset=UTF-8\n${wire}`],
      ['GET /far', 'text/x-client', 406, ''],
      ['GET /count', 'text/plain', 200, '7', 'text/plain;charset=UTF-8'],
      ['GET /count', 'application/json', 200, '7', 'application/json'],
      ['GET /name', '*/*', 200, '<b>', 'text/html;charset=UTF-8'],
    ],
    async (line, accept, status, content, type) => {
      const response = await ask(call, line, { headers: { Accept: accept } })
      assert.is(response.status, status)
      const received = await response.text()
      if (status !== 406) assert.is(received, content)
      if (type !== undefined) assert.is(response.headers.get('Content-Type'), type)
    },
  )
  test('what a writer gives in octets is sent as it is', async () => {
    const response = await ask(call, 'GET /bound', { headers: { Accept: 'text/x-lines' } })
    const sent = Buffer.from(await response.arrayBuffer()).toString('latin1')
    assert.equal([response.status, sent], [200, 'exactly Emma\u00c3'])
  })
  test('a writer adds header fields', async () => {
    const response = await ask(call, 'GET /bound')
    assert.is(response.headers.get('X-Title'), 'Emma')
  })
  test('caches are told that Accept has a say', async () => {
    assert.is((await ask(call, 'GET /near')).headers.get('Vary'), 'Accept')
  })
  test('HEAD is what GET would answer', async () => {
    const response = await ask(call, 'HEAD /bound')
    assert.equal(
      [response.status, response.headers.get('X-Title'), response.headers.get('Content-Length')],
      [200, 'Emma', '13'],
    )
  })
})

const surroundings = pipe(
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

contract('answers of filters are entities too', surroundings, (test, call) => {
  test('the handler answers', async () => {
    const response = await ask(call, 'GET /')
    assert.equal(
      [response.status, (await response.text()).slice(0, 18)],
      [201, 'outer text/x-lines'],
    )
  })
  test('the filter answers', async () => {
    const response = await ask(call, 'GET /', { headers: { 'X-Stop': 'yes' } })
    assert.equal(
      [response.status, (await response.text()).slice(0, 18)],
      [409, 'outer text/x-lines'],
    )
  })
})
