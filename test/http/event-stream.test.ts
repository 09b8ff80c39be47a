/** Messages of event streams: their octets, and what a client makes of them. */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as EventStream from '../../src/http/event-stream.ts'
import { describe, law, table } from '../support/describe.ts'
import { EventSource } from '../support/event-source.ts'

/** Texts in which what divides lines and fields is frequent. */
const texts = (units: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      fc.constantFrom(...units),
      fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
    ),
  })
const line = texts([' ', ':', 'data: ', '\ufeff']).map((any) => any.replaceAll(/[\r\n\0]/g, ''))
const lines = texts(['\r', '\n', '\r\n', ' ', ':', '\0', '\ufeff', 'data: ', 'id: 1'])

describe('EventStream.format', (test) => {
  table(
    test,
    [
      ['R-068: data', { data: 'OK' }, 'data: OK\n\n'],
      ['R-068: data that is empty', { data: '' }, 'data: \n\n'],
      ['G10: a space in front of data stays', { data: ' a' }, 'data:  a\n\n'],
      ['R-069: a name', { name: 'add', data: '1' }, 'event: add\ndata: 1\n\n'],
      ['R-069: no name', { name: '', data: '1' }, 'data: 1\n\n'],
      ['R-070: an id', { id: '7', data: '1' }, 'id: 7\ndata: 1\n\n'],
      ['R-070: an id that takes back the one before', { id: '', data: '1' }, 'id: \ndata: 1\n\n'],
      ['R-071: a delay', { retry: 0, data: '1' }, 'retry: 0\ndata: 1\n\n'],
      ['R-071: a negative delay', { retry: -1, data: '1' }, 'data: 1\n\n'],
      ['R-072: a comment alone', { comment: 'a' }, ': a\n\n'],
      ['R-072: a comment of two lines', { comment: 'a\r\nid: 1' }, ': a\n: id: 1\n\n'],
      [
        'R-073, R-076: the order of fields, and no other field',
        { data: '1', retry: 5, name: 'n', id: 'i', comment: 'c' },
        ': c\nid: i\nevent: n\nretry: 5\ndata: 1\n\n',
      ],
      ['R-074: LF', { data: 'a\nb' }, 'data: a\ndata: b\n\n'],
      ['R-074: CR', { data: 'a\rb' }, 'data: a\ndata: b\n\n'],
      ['R-074: CR LF is one break', { data: 'a\r\nb' }, 'data: a\ndata: b\n\n'],
      ['R-074: LF CR are two', { data: 'a\n\rb' }, 'data: a\ndata: \ndata: b\n\n'],
      ['R-074: a break at the end', { data: 'a\n' }, 'data: a\ndata: \n\n'],
      [
        'R-074: other breaks of Unicode are none',
        { data: 'a\u2028b\v\f\x85' },
        'data: a\u2028b\v\f\x85\n\n',
      ],
    ] as const,
    (_, message, text) => assert.is(EventStream.format(message), text),
  )
  for (const text of ['\n', '\r', '\0', 'a\r\nb', 'a\ndata: b', 'a\r\revent: b'])
    test(`R-075, R05: no name or id holds ${JSON.stringify(text)}`, () => {
      assert.throws(() => EventStream.format({ name: text }), TypeError)
      assert.throws(() => EventStream.format({ id: text }), TypeError)
    })
  for (const retry of [1.5, NaN, Infinity, 1e21])
    test(`R-071: ${retry} is no delay`, () =>
      assert.throws(() => EventStream.format({ retry }), RangeError))
  law(
    test,
    'G10, R05: a client reads what was written, and nothing else',
    fc.array(
      fc.record(
        {
          name: fc.option(line, { nil: undefined }),
          id: fc.option(line, { nil: undefined }),
          retry: fc.option(fc.nat(), { nil: undefined }),
          comment: fc.option(lines, { nil: undefined }),
          data: fc.option(lines, { nil: undefined }),
        },
        { noNullPrototype: true },
      ),
    ),
    (messages) => {
      const client = new EventSource()
      let [id, retry] = ['', undefined as number | undefined]
      const expected = messages.flatMap((message) => {
        id = message.id ?? id
        retry = message.retry ?? retry
        return message.data === undefined
          ? []
          : [
              {
                type: message.name === undefined || message.name === '' ? 'message' : message.name,
                data: message.data.replaceAll(/\r\n|\r/g, '\n'),
                lastEventId: id,
              },
            ]
      })
      for (const message of messages) {
        client.take(EventStream.format(message))
        assert.ok(client.isBetween)
        client.take(EventStream.heartbeat)
      }
      assert.equal(client.events, expected)
      assert.equal([client.lastEventId, client.reconnectionTime], [id, retry])
    },
  )
})
