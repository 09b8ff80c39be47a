/** Server-Sent Events: what they look like. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { setTimeout as wait } from 'node:timers/promises'
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
} from '../../src/index.ts'
import type { Events, Representation } from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'
import { EventSource } from '../support/event-source.ts'

const Book = t.type({ title: t.string })
/** Octets with a line break in them. */
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
          // what is not declared is not sent
          const emma = { title: 'Emma', shelf: 7 }
          yield emma
          await wait(5)
          yield event('late', { title: 'Persuasion' }, { id: '2', retry: 100, comment: 'last' })
        }),
      ),
      dates: pipe(
        path('/dates'),
        get(),
        produces(sse(instant)),
        handle(() => [Temporal('2026-01-02T03:04:05Z')]),
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
      none: pipe(
        events('none'),
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
      replied: pipe(
        events('replied'),
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
    withFilter(responseFilter((answer) => withHeader('X-Seen', String(answer.status))(answer))),
  )

const Temporal = (instantText: string) => {
  const decoded = instant.decode(instantText)
  if (decoded._tag === 'Left') throw new Error(instantText)
  return decoded.right
}

contract('an event stream', operations, (test, call) => {
  const ask = (target: string, fields: Record<string, string> = {}) =>
    call(new Request(`${base}${target}`, { headers: fields }))
  test('has a message for each element', async () => {
    const response = await ask('/words')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), 'text/event-stream')
    assert.is(response.headers.get('cache-control'), 'no-cache')
    assert.is(response.headers.get('x-accel-buffering'), 'no')
    assert.is(response.headers.get('content-length'), null)
    assert.is(await response.text(), 'data: OK\n\ndata: a\ndata: b\n\ndata: \n\n')
  })
  test('has JSON for what is no single value, and no field that says so', async () => {
    const response = await ask('/books')
    assert.is(response.headers.get('x-sse-content-type'), null)
    assert.is(
      await response.text(),
      'data: {"title":"Emma"}\n\n' +
        ': last\nid: 2\nevent: late\nretry: 100\ndata: {"title":"Persuasion"}\n\n',
    )
  })
  test('has the text form of what has one', async () => {
    assert.is(await (await ask('/dates')).text(), 'data: 2026-01-02T03:04:05Z\n\n')
  })
  test('is written by a representation where one is said', async () => {
    const quoted = await ask('/quoted')
    assert.is(quoted.headers.get('content-type'), 'text/event-stream')
    assert.is(await quoted.text(), 'data: "a\\nb"\n\nid: 1\nevent: named\ndata: ""\n\n')
    assert.is(
      await (await ask('/rows')).text(),
      'data: 1,2\ndata: .\n\nevent: named\ndata: 3\ndata: .\n\n',
    )
    const unreadable = await ask('/unreadable')
    assert.is(unreadable.status, 500)
    await unreadable.text()
  })
  test('has comments, and events with names', async () => {
    assert.is(await (await ask('/comments')).text(), ': only\n\nevent: a\ndata: b\n\n')
  })
  test('may be empty', async () => {
    const response = await ask('/none')
    assert.equal([response.status, await response.text()], [200, ''])
  })
  test('hears where the client was', async () => {
    for (const [fields, heard] of [
      [{}, 'after undefined'],
      [{ 'Last-Event-ID': '7-a' }, 'after 7-a'],
      [{ 'Last-Event-ID': '' }, 'after undefined'],
      [{ 'Last-Event-ID': 'caf\xc3\xa9' }, 'after café'],
    ] as const) {
      const client = new EventSource().take(await (await ask('/resumed', { ...fields })).text())
      assert.is(client.events[0]?.data, heard)
    }
  })
  test('keeps what the operation says of its head', async () => {
    const cached = await ask('/cached')
    assert.is(cached.headers.get('cache-control'), 'max-age=5')
    assert.is(cached.headers.get('x-accel-buffering'), 'yes')
    assert.is(await cached.text(), 'data: a\n\n')
    const created = await ask('/created')
    assert.equal([created.status, await created.text()], [201, 'data: a\n\n'])
    const replied = await ask('/replied')
    assert.is(replied.headers.get('x-a'), 'b')
    assert.is(replied.headers.get('cache-control'), 'no-store')
    await replied.text()
  })
  test('passes the response filters before its head is sent', async () => {
    const response = await ask('/words')
    assert.is(response.headers.get('x-seen'), '200')
    await response.text()
  })
  test('is negotiated', async () => {
    for (const [accept, code, type, content] of [
      ['text/event-stream', 200, 'text/event-stream', 'data: event\n\n'],
      ['text/plain', 200, 'text/plain;charset=UTF-8', 'text'],
    ] as const) {
      const response = await ask('/negotiated', { Accept: accept })
      assert.is(response.status, code)
      assert.is(response.headers.get('content-type'), type)
      assert.is(await response.text(), content)
    }
    const refused = await ask('/negotiated', { Accept: 'image/png' })
    assert.is(refused.status, 406)
    await refused.text()
  })
})

contract(
  'an event stream whose results are checked',
  () =>
    routes({
      wrong: pipe(
        path('/wrong'),
        get(),
        produces(sse(Book)),
        handle(() => [{ title: 5 as unknown as string }]),
      ),
    }),
  (test, call) => {
    test('is refused when an element is not of its type', async () => {
      const response = await call(new Request(`${base}/wrong`))
      assert.is(response.status, 500)
      await response.text()
    })
  },
  { 'fw.rest.check-results': true },
)

/** Compiles an operation that sends such events. */
const compiled =
  <A>(sent: Representation<Events<A>>) =>
  () => {
    const none = pipe(
      path('/'),
      get(),
      produces(sent),
      handle(() => [] as never),
    )
    return inMemory(routes({ none }))
  }

describe('an event stream whose data is no text', (test) => {
  const textless = /FW-MEDIA-001[^]*cannot be the data of events/
  const unwritten = representation({ mediaType: 'text/x', read: () => 1 })
  test('is refused when the tree is compiled', () => {
    assert.throws(compiled(sse(bytes)), textless)
    assert.throws(compiled(sse(byteStream)), textless)
    assert.throws(compiled(sse(file)), textless)
    assert.throws(compiled(sse(entity(Book))), textless)
    assert.throws(compiled(sse(unwritten)), /FW-MEDIA-001[^]*no write function/)
  })
})

describe('an event stream as a body', (test) => {
  const refused = pipe(
    path('/'),
    post(),
    body(sse(string)),
    produces(json(string)),
    handle(() => ''),
  )
  test('is refused when the tree is compiled', () =>
    assert.throws(() => inMemory(routes({ refused })), /FW-MEDIA-001[^]*only sent/))
})
