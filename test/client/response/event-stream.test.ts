/** Tests the events that a client receives. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ReceivedEvent } from '../../../src/index.ts'
import {
  comment,
  event,
  get,
  handle,
  instant,
  int,
  json,
  path,
  produces,
  routes,
  sse,
  string,
} from '../../../src/index.ts'
import { xml } from '../../../src/xml.ts'
import { clientContract, right } from '../../support/clients.ts'
import { readAll } from '../read-stream.ts'

const Book = t.type({ title: t.string }, 'Book')
const emma = { title: 'Emma\n<é>' }
const now = instant.decode('2026-01-02T03:04:05Z')

const api = routes({
  books: pipe(
    path('/books'),
    get(),
    produces(sse(Book)),
    handle(() => [
      emma,
      event('added', emma, { id: '7', comment: 'a\nb' }),
      comment('ignored', { id: '8', retry: 5 }),
      event(emma),
    ]),
  ),
  texts: pipe(
    path('/texts'),
    get(),
    produces(sse(string)),
    handle(() => ['', ' a\r\nb', '"']),
  ),
  numbers: pipe(
    path('/numbers'),
    get(),
    produces(sse(int)),
    handle(() => [1, -2]),
  ),
  quoted: pipe(
    path('/quoted'),
    get(),
    produces(sse(json(string))),
    handle(() => ['a', '']),
  ),
  xml: pipe(
    path('/xml'),
    get(),
    produces(sse(xml(Book))),
    handle(() => [emma]),
  ),
  instants: pipe(
    path('/instants'),
    get(),
    produces(sse(instant)),
    handle(() => (now._tag === 'Right' ? [now.right] : [])),
  ),
})

const data = async <A>(values: AsyncIterable<ReceivedEvent<A>>): Promise<A[]> =>
  (await readAll(values)).map((received) => received.data)

clientContract('event streams', api, (test, calling) => {
  test('events have a name, an id, data and a comment', async () => {
    const response = await right(calling().books())
    assert.equal(
      [response.status, response.headers.get('content-type')],
      [200, 'text/event-stream'],
    )
    assert.equal(await readAll(response.body), [
      { data: emma, name: 'message', id: '' },
      { data: emma, name: 'added', id: '7', comment: 'a\nb' },
      { data: emma, name: 'message', id: '8' },
    ])
  })
  test('strings and numbers are not encoded as JSON', async () => {
    // line breaks in data are normalized to LF
    assert.equal(await data((await right(calling().texts())).body), ['', ' a\nb', '"'])
    assert.equal(await data((await right(calling().numbers())).body), [1, -2])
  })
  test('data is decoded by its representation', async () => {
    assert.equal(await data((await right(calling().quoted())).body), ['a', ''])
    assert.equal(await data((await right(calling().xml())).body), [emma])
  })
  test('data of opaque codecs is decoded as text', async () => {
    const [first] = await data((await right(calling().instants())).body)
    assert.is(String(first), '2026-01-02T03:04:05Z')
  })
})
