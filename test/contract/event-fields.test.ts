/** The fields of events on the wire, to the letter. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  comment,
  event,
  get,
  handle,
  path,
  produces,
  routes,
  sse,
  string,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

type Element = string | ReturnType<typeof event<string>> | ReturnType<typeof comment>

type Row = readonly [title: string, make: () => Element, sent: string]

const rows: ReadonlyArray<Row> = [
  ['data', () => 'OK', 'data: OK\n\n'],
  ['a name', () => event('add', '1'), 'event: add\ndata: 1\n\n'],
  ['an id', () => event('add', '1', { id: '7' }), 'id: 7\nevent: add\ndata: 1\n\n'],
  ['a delay', () => event('', '1', { retry: 100 }), 'retry: 100\ndata: 1\n\n'],
  ['a negative delay is left out', () => event('', '1', { retry: -1 }), 'data: 1\n\n'],
  ['a comment alone', () => comment('hi'), ': hi\n\n'],
  [
    'all of them in order, and no other',
    () => event('add', '1', { id: '7', retry: 100, comment: 'hi' }),
    ': hi\nid: 7\nevent: add\nretry: 100\ndata: 1\n\n',
  ],
  ['LF', () => 'a\nb', 'data: a\ndata: b\n\n'],
  ['CR', () => 'a\rb', 'data: a\ndata: b\n\n'],
  ['CR LF is one break', () => 'a\r\nb', 'data: a\ndata: b\n\n'],
]

/** Names and ids that would begin another field. */
const breaks = ['a\nb', 'a\rb', 'a\r\nb']

const makes = new Map(rows.map(([title, make]) => [title, make]))

const events = routes({
  one: pipe(
    path('/events/{title}'),
    get(),
    produces(sse(string)),
    handle(function* ({ path: { title } }) {
      yield makes.get(title)?.() ?? 'no such row'
    }),
  ),
  broken: pipe(
    path('/broken/{place}/{at}'),
    get(),
    produces(sse(string)),
    handle(function* ({ path: { place, at } }) {
      const text = breaks[Number(at)] ?? ''
      yield place === 'name' ? event(text, '1') : event('a', '1', { id: text })
    }),
  ),
})

contract('fields of events', events, (test, call) => {
  table<Row>(test, rows, async (title, _, sent) => {
    const response = await ask(call, `GET /events/${encodeURIComponent(title)}`)
    assert.equal([response.status, await response.text()], [200, sent])
  })
  for (const place of ['name', 'id'])
    for (const at of breaks.keys())
      test(`no break in a ${place}: ${JSON.stringify(breaks[at])}`, async () => {
        const response = await ask(call, `GET /broken/${place}/${at}`)
        assert.is(response.status, 500)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
        await response.text()
      })
})
