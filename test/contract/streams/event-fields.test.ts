/** Serialization of the fields of server-sent events. */
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

type Element = string | ReturnType<typeof event<string>> | ReturnType<typeof comment>

type Row = readonly [title: string, create: () => Element, sent: string]

const rows: ReadonlyArray<Row> = [
  ['data', () => 'OK', 'data: OK\n\n'],
  ['a name', () => event('add', '1'), 'event: add\ndata: 1\n\n'],
  ['an id', () => event('add', '1', { id: '7' }), 'id: 7\nevent: add\ndata: 1\n\n'],
  ['a delay', () => event('', '1', { retry: 100 }), 'retry: 100\ndata: 1\n\n'],
  ['a negative delay is omitted', () => event('', '1', { retry: -1 }), 'data: 1\n\n'],
  ['a comment alone', () => comment('hi'), ': hi\n\n'],
  [
    'all fields in order',
    () => event('add', '1', { id: '7', retry: 100, comment: 'hi' }),
    ': hi\nid: 7\nevent: add\nretry: 100\ndata: 1\n\n',
  ],
  ['a line feed in data', () => 'a\nb', 'data: a\ndata: b\n\n'],
  ['a carriage return in data', () => 'a\rb', 'data: a\ndata: b\n\n'],
  ['CR LF in data is one line break', () => 'a\r\nb', 'data: a\ndata: b\n\n'],
]

/** Names and ids that would start another field. */
const breaks = ['a\nb', 'a\rb', 'a\r\nb']

const elements = new Map(rows.map(([title, create]) => [title, create]))

const events = routes({
  operation: pipe(
    path('/events/{title}'),
    get(),
    produces(sse(string)),
    handle(function* ({ path: { title } }) {
      yield elements.get(title)?.() ?? 'no such row'
    }),
  ),
  broken: pipe(
    path('/broken/{field}/{index}'),
    get(),
    produces(sse(string)),
    handle(function* ({ path: { field, index } }) {
      const text = breaks[Number(index)] ?? ''
      yield field === 'name' ? event(text, '1') : event('a', '1', { id: text })
    }),
  ),
})

valueContract('server-sent event fields', events, (test, call) => {
  table<Row>(test, rows, async (title, _, sent) => {
    const response = await sendRequest(call, `GET /events/${encodeURIComponent(title)}`)
    assert.equal([response.status, await response.text()], [200, sent])
  })
  for (const field of ['name', 'id'])
    for (const [index, text] of breaks.entries())
      test(`a line break in the ${field} returns 500: ${JSON.stringify(text)}`, async () => {
        const response = await sendRequest(call, `GET /broken/${field}/${index}`)
        assert.is(response.status, 500)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
        await response.text()
      })
})
