/** Tests of the event stream parser, with the examples of the HTML standard. */
import * as assert from 'uvu/assert'
import { describe, table } from './describe.ts'
import { EventSource } from './event-source.ts'

const message = (data: string, lastEventId = '', type = 'message') => ({ type, data, lastEventId })

// HTML, 9.2.6
describe('EventSource', (test) => {
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
      ['event: add\ndata: 1\n\nevent: none\n\n', [message('1', '', 'add')]],
      ['id: 1\n\ndata: x\nid: a\0b\n\n', [message('x', '1')]],
      ['DATA: x\nunknown: y\n\n', []],
    ] as const,
    (text, events) => {
      assert.equal(new EventSource().take(text).events, [...events])
      const slow = new EventSource()
      for (const character of text) slow.take(character)
      assert.equal(slow.events.slice(0, events.length), [...events])
    },
  )
  test('retry accepts digits only', () => {
    assert.is(new EventSource().take('retry: 10\n\nretry: 1e3\n\n').reconnectionTime, 10)
  })
})
