/** Messages of event streams: their format, and how clients parse them. */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as EventStream from '../../src/http/event-stream.ts'
import { describe, law, table } from '../support/describe.ts'
import { EventSource } from '../support/event-source.ts'
import { character } from '../support/unicode-string.ts'

/** Generates texts with many separators of lines and fields. */
const texts = (units: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(fc.constantFrom(...units), character),
  })
const line = texts([' ', ':', 'data: ', '\ufeff']).map((text) => text.replaceAll(/[\r\n\0]/g, ''))
const lines = texts(['\r', '\n', '\r\n', ' ', ':', '\0', '\ufeff', 'data: ', 'id: 1'])

describe('EventStream.format', (test) => {
  table(
    test,
    [
      ['data', { data: 'OK' }, 'data: OK\n\n'],
      ['empty data', { data: '' }, 'data: \n\n'],
      ['data with a leading space', { data: ' a' }, 'data:  a\n\n'],
      ['a name', { name: 'add', data: '1' }, 'event: add\ndata: 1\n\n'],
      ['an empty name', { name: '', data: '1' }, 'data: 1\n\n'],
      ['an id', { id: '7', data: '1' }, 'id: 7\ndata: 1\n\n'],
      ['an empty id', { id: '', data: '1' }, 'id: \ndata: 1\n\n'],
      ['a delay', { retry: 0, data: '1' }, 'retry: 0\ndata: 1\n\n'],
      ['a negative delay', { retry: -1, data: '1' }, 'data: 1\n\n'],
      ['only a comment', { comment: 'a' }, ': a\n\n'],
      ['a comment of two lines', { comment: 'a\r\nid: 1' }, ': a\n: id: 1\n\n'],
      [
        'all members',
        { data: '1', retry: 5, name: 'n', id: 'i', comment: 'c' },
        ': c\nid: i\nevent: n\nretry: 5\ndata: 1\n\n',
      ],
      ['data with LF', { data: 'a\nb' }, 'data: a\ndata: b\n\n'],
      ['data with CR', { data: 'a\rb' }, 'data: a\ndata: b\n\n'],
      ['data with CR LF, one line break', { data: 'a\r\nb' }, 'data: a\ndata: b\n\n'],
      ['data with LF CR, two line breaks', { data: 'a\n\rb' }, 'data: a\ndata: \ndata: b\n\n'],
      ['a final line break', { data: 'a\n' }, 'data: a\ndata: \n\n'],
      [
        'data with other Unicode line separators, which are not line breaks',
        { data: 'a\u2028b\v\f\x85' },
        'data: a\u2028b\v\f\x85\n\n',
      ],
    ] as const,
    (_, message, text) => assert.is(EventStream.format(message), text),
  )
  for (const text of ['\n', '\r', '\0', 'a\r\nb', 'a\ndata: b', 'a\r\revent: b'])
    test(`a name or id with ${JSON.stringify(text)} throws`, () => {
      assert.throws(() => EventStream.format({ name: text }), TypeError)
      assert.throws(() => EventStream.format({ id: text }), TypeError)
    })
  for (const retry of [1.5, NaN, Infinity, 1e21])
    test(`retry: ${retry} throws`, () =>
      assert.throws(() => EventStream.format({ retry }), RangeError))
  law(
    test,
    'a client dispatches exactly the messages that were written',
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
        assert.ok(client.isBetweenEvents)
        client.take(EventStream.heartbeat)
      }
      assert.equal(client.events, expected)
      assert.equal([client.lastEventId, client.reconnectionTime], [id, retry])
    },
  )
})
