/** `sse`: event framing, data encoding, headers, negotiation and configuration errors. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  byteStream,
  bytes,
  cache,
  comment,
  entity,
  event,
  file,
  get,
  handle,
  header,
  instant,
  json,
  lastEventId,
  ok,
  path,
  post,
  produces,
  representation,
  responseFilter,
  responseHeader,
  routes,
  sse,
  status,
  string,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import type { Events, Representation } from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'
import { EventSource } from '../../support/event-source.ts'
import { turns } from '../../support/wait-until.ts'

const Book = t.type({ title: t.string })
/** A representation that writes bytes with a line break. */
const csv = representation({
  mediaType: 'text/csv',
  write: (row: ReadonlyArray<number>) => Buffer.from(`${row.join()}\r\n.`),
})
const events = (name: string) => pipe(path(`/${name}`), get(), produces(sse(string)))

const operations = () =>
  pipe(
    routes({
      words: pipe(
        events('words'),
        handle(() => ['OK', 'a\r\nb', '']),
      ),
      books: pipe(
        path('/books'),
        get(),
        produces(sse(Book)),
        handle(async function* () {
          // the undeclared member is not sent
          const emma = { title: 'Emma', shelf: 7 }
          yield emma
          await turns()
          yield event('late', { title: 'Persuasion' }, { id: '2', retry: 100, comment: 'last' })
        }),
      ),
      dates: pipe(
        path('/dates'),
        get(),
        produces(sse(instant)),
        handle(() => [instantOf('2026-01-02T03:04:05Z')]),
      ),
      quoted: pipe(
        path('/quoted'),
        get(),
        produces(sse(json(string))),
        handle(() => ['a\nb', event('named', '', { id: '1' })]),
      ),
      rows: pipe(
        path('/rows'),
        get(),
        produces(sse(csv)),
        handle(() => [[1, 2], event('named', [3])]),
      ),
      unreadable: pipe(
        path('/unreadable'),
        get(),
        produces(sse(representation({ mediaType: 'text/x', write: () => Buffer.of(0xff) }))),
        handle(() => [1]),
      ),
      comments: pipe(
        events('comments'),
        handle(() => [comment('only'), event('a', 'b')]),
      ),
      empty: pipe(
        events('empty'),
        handle(() => []),
      ),
      resumed: pipe(
        events('resumed'),
        header({ lastEventId }),
        handle(({ header: { lastEventId: last } }) => [`after ${String(last)}`]),
      ),
      cached: pipe(
        events('cached'),
        cache({ maxAge: 5 }),
        responseHeader('X-Accel-Buffering', 'yes'),
        handle(() => ['a']),
      ),
      created: pipe(
        events('created'),
        status(201),
        handle(() => ['a']),
      ),
      reply: pipe(
        events('reply'),
        handle(() =>
          pipe(ok(['a']), withHeader('X-A', 'b'), withHeader('Cache-Control', 'no-store')),
        ),
      ),
      negotiated: pipe(
        path('/negotiated'),
        get(),
        produces(text),
        handle(() => 'text'),
      ),
      negotiatedEvents: pipe(
        events('negotiated'),
        handle(() => ['event']),
      ),
    }),
    withFilter(
      responseFilter((response) => withHeader('X-Filter', String(response.status))(response)),
    ),
  )

const instantOf = (instantText: string) => {
  const decoded = instant.decode(instantText)
  if (decoded._tag === 'Left') throw new Error(instantText)
  return decoded.right
}

contract('server-sent events', operations, (test, call) => {
  const send = (target: string, headers: Record<string, string> = {}) =>
    call(new Request(`${base}${target}`, { headers }))
  test('each element is sent as an event', async () => {
    const response = await send('/words')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), 'text/event-stream')
    assert.is(response.headers.get('cache-control'), 'no-cache')
    assert.is(response.headers.get('x-accel-buffering'), 'no')
    assert.is(response.headers.get('content-length'), null)
    assert.is(await response.text(), 'data: OK\n\ndata: a\ndata: b\n\ndata: \n\n')
  })
  test('an object is encoded as JSON without a header for its media type', async () => {
    const response = await send('/books')
    assert.is(response.headers.get('x-sse-content-type'), null)
    assert.is(
      await response.text(),
      'data: {"title":"Emma"}\n\n' +
        ': last\nid: 2\nevent: late\nretry: 100\ndata: {"title":"Persuasion"}\n\n',
    )
  })
  test('a scalar is encoded as text', async () => {
    assert.is(await (await send('/dates')).text(), 'data: 2026-01-02T03:04:05Z\n\n')
  })
  test('data is encoded by a given representation', async () => {
    const quoted = await send('/quoted')
    assert.is(quoted.headers.get('content-type'), 'text/event-stream')
    assert.is(await quoted.text(), 'data: "a\\nb"\n\nid: 1\nevent: named\ndata: ""\n\n')
    assert.is(
      await (await send('/rows')).text(),
      'data: 1,2\ndata: .\n\nevent: named\ndata: 3\ndata: .\n\n',
    )
    const unreadable = await send('/unreadable')
    assert.is(unreadable.status, 500)
    await unreadable.text()
  })
  test('comments and named events are sent', async () => {
    assert.is(await (await send('/comments')).text(), ': only\n\nevent: a\ndata: b\n\n')
  })
  test('an empty stream returns 200 without a body', async () => {
    const response = await send('/empty')
    assert.equal([response.status, await response.text()], [200, ''])
  })
  test('lastEventId reads the Last-Event-ID header', async () => {
    for (const [headers, expected] of [
      [{}, 'after undefined'],
      [{ 'Last-Event-ID': '7-a' }, 'after 7-a'],
      [{ 'Last-Event-ID': '' }, 'after undefined'],
      [{ 'Last-Event-ID': 'caf\xc3\xa9' }, 'after café'],
    ] as const) {
      const client = new EventSource().take(await (await send('/resumed', { ...headers })).text())
      assert.is(client.events[0]?.data, expected)
    }
  })
  test('status and headers of the operation and the reply are kept', async () => {
    const cached = await send('/cached')
    assert.is(cached.headers.get('cache-control'), 'max-age=5')
    assert.is(cached.headers.get('x-accel-buffering'), 'yes')
    assert.is(await cached.text(), 'data: a\n\n')
    const created = await send('/created')
    assert.equal([created.status, await created.text()], [201, 'data: a\n\n'])
    const reply = await send('/reply')
    assert.is(reply.headers.get('x-a'), 'b')
    assert.is(reply.headers.get('cache-control'), 'no-store')
    await reply.text()
  })
  test('response filters run before the headers are sent', async () => {
    const response = await send('/words')
    assert.is(response.headers.get('x-filter'), '200')
    await response.text()
  })
  test('text/event-stream takes part in content negotiation', async () => {
    for (const [accept, code, type, responseBody] of [
      ['text/event-stream', 200, 'text/event-stream', 'data: event\n\n'],
      ['text/plain', 200, 'text/plain;charset=UTF-8', 'text'],
    ] as const) {
      const response = await send('/negotiated', { Accept: accept })
      assert.is(response.status, code)
      assert.is(response.headers.get('content-type'), type)
      assert.is(await response.text(), responseBody)
    }
    const notAcceptable = await send('/negotiated', { Accept: 'image/png' })
    assert.is(notAcceptable.status, 406)
    await notAcceptable.text()
  })
})

contract(
  'server-sent events with fw.rest.check-results',
  () =>
    routes({
      invalid: pipe(
        path('/invalid'),
        get(),
        produces(sse(Book)),
        handle(() => [{ title: 5 as unknown as string }]),
      ),
    }),
  (test, call) => {
    test('an invalid element returns 500', async () => {
      const response = await call(new Request(`${base}/invalid`))
      assert.is(response.status, 500)
      await response.text()
    })
  },
  { 'fw.rest.check-results': true },
)

/** Compiles an operation that produces events of the representation. */
const compiling =
  <A>(representationOfEvents: Representation<Events<A>>) =>
  () => {
    const operation = pipe(
      path('/'),
      get(),
      produces(representationOfEvents),
      handle(() => [] as never),
    )
    return inMemory(routes({ operation }))
  }

describe('sse of a representation that is not text', (test) => {
  const notTextual = /FW-MEDIA-001[^]*cannot be used as event data/
  const readOnly = representation({ mediaType: 'text/x', read: () => 1 })
  test('bytes, files and entities are configuration errors', () => {
    assert.throws(compiling(sse(bytes)), notTextual)
    assert.throws(compiling(sse(byteStream)), notTextual)
    assert.throws(compiling(sse(file)), notTextual)
    assert.throws(compiling(sse(entity(Book))), notTextual)
    assert.throws(compiling(sse(readOnly)), /FW-MEDIA-001[^]*no write function/)
  })
})

describe('sse as a request body', (test) => {
  const operation = pipe(
    path('/'),
    post(),
    body(sse(string)),
    produces(json(string)),
    handle(() => ''),
  )
  test('is a configuration error', () =>
    assert.throws(() => inMemory(routes({ operation })), /FW-MEDIA-001[^]*can only be sent/))
})
