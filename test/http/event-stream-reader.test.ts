import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as EventStream from '../../src/http/event-stream.ts'
import type { DispatchedEvent } from '../../src/http/event-stream.ts'
import { EventStreamReader } from '../../src/http/event-stream.ts'
import { describe, law, table } from '../support/describe.ts'
import { EventSource } from '../support/event-source.ts'

const message = (data: string, id = '', name = 'message', comment?: string): DispatchedEvent => ({
  name,
  data,
  id,
  comment,
})

/** Parses a text character by character. */
const parseByCharacter = (text: string): ReadonlyArray<DispatchedEvent> => {
  const reader = new EventStreamReader()
  return Array.from({ length: text.length }, (_, at) => reader.push(text.charAt(at))).flat()
}

// HTML, 9.2.6
describe('EventStreamReader.push', (test) => {
  table(
    test,
    [
      ['data: YHOO\ndata: +2\ndata: 10\n\n', [message('YHOO\n+2\n10')]],
      [
        ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
        [message('first event', '1'), message('second event'), message(' third event')],
      ],
      ['data\n\ndata\ndata\n\ndata:', [message(''), message('\n')]],
      ['data:test\n\ndata: test\n\n', [message('test'), message('test')]],
      ['\ufeffdata: x\r\rdata: y\r\n\r\n', [message('x'), message('y')]],
      ['\ufeff\ufeffdata: x\n\ndata: y\n\n', [message('y')]],
      ['event: add\ndata: 1\n\nevent: none\n\n', [message('1', '', 'add')]],
      ['event: add\n\ndata: 1\n\n', [message('1')]], // the name belongs to the message without data
      ['id: 1\n\ndata: x\nid: a\0b\n\n', [message('x', '1')]],
      ['DATA: x\nunknown: y\n\n', []],
      [': one\n:\n:two\ndata: x\n\n', [message('x', '', 'message', 'one\ntwo')]],
      [':\n\ndata: x\n\n', [message('x')]], // a heartbeat is not a comment
      ['data: x\n', []], // an incomplete event
      ['', []],
    ] as const,
    (text, events) => {
      assert.equal(new EventStreamReader().push(text), [...events])
      assert.equal(parseByCharacter(text), [...events])
    },
  )
  test('retry accepts digits only', () => {
    const reader = new EventStreamReader()
    reader.push('retry: 10\n\nretry: 1e3\n\nretry: -1\n\nretry\n\n')
    assert.is(reader.retry, 10)
  })
  test('lastEventId is the id of the last complete message, with or without data', () => {
    const reader = new EventStreamReader('a')
    assert.is(reader.lastEventId, 'a')
    assert.equal(reader.push('data: x\n\n'), [message('x', 'a')])
    reader.push('id: b\n')
    assert.is(reader.lastEventId, 'a')
    reader.push('\n')
    assert.is(reader.lastEventId, 'b')
  })
  test('an id with control characters is the id of its event, but not the lastEventId', () => {
    const reader = new EventStreamReader('a')
    assert.equal(reader.push('id: b\x01\ndata: x\n\n'), [message('x', 'b\x01')])
    assert.is(reader.lastEventId, 'a')
  })
  test('size is the length of the incomplete message', () => {
    const reader = new EventStreamReader()
    reader.push('data: 1\ndata')
    assert.is(reader.size, 11)
    reader.push(': 2\n\n')
    assert.is(reader.size, 0)
  })
  const texts = fc.string({
    unit: fc.constantFrom(
      'data',
      'id',
      'event',
      'retry',
      ':',
      ' ',
      '\r',
      '\n',
      '\r\n',
      '7',
      'x',
      '\0',
      '\ufeff',
    ),
    maxLength: 60,
  })
  law(
    test,
    'dispatches the same events as EventSource for any chunks',
    fc.tuple(texts, fc.array(fc.nat(60))),
    ([text, cuts]) => {
      const expected = new EventSource()
      // the reference parser waits for more text after a final carriage return
      expected.take(`${text}\0`)
      const reader = new EventStreamReader()
      const boundaries = [0, ...cuts.toSorted((a, b) => a - b), text.length, text.length]
      const events = boundaries.flatMap((at, index) =>
        index === 0 ? [] : reader.push(text.slice(boundaries[index - 1], at)),
      )
      assert.equal(
        events.map(({ name, data, id }) => ({ type: name, data, lastEventId: id })),
        expected.events,
      )
      assert.is(reader.lastEventId, expected.lastEventId)
      assert.is(reader.retry, expected.reconnectionTime)
    },
  )
  law(
    test,
    'parses the messages that EventStream.format writes',
    fc.array(
      fc.record({
        data: fc.string({ unit: fc.constantFrom('a', '\n', ' ', ':', '😀') }),
        name: fc.string({ unit: fc.constantFrom('a', ' ', ':') }),
        id: fc.string({ unit: fc.constantFrom('1', ' ', ':') }),
      }),
    ),
    (messages) =>
      assert.equal(
        new EventStreamReader().push(messages.map(EventStream.format).join('')),
        messages.map(({ data, name, id }) => message(data, id, name === '' ? 'message' : name)),
      ),
  )
})
