import * as assert from 'uvu/assert'
import * as EventStream from '../../src/http/event-stream.ts'
import { describe, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

describe('EventStream.parseLastEventId', (test) => {
  table(
    test,
    [
      ['', ''],
      ['a-7', 'a-7'],
      ['caf\xc3\xa9', 'café'],
      ['caf\xe9', 'caf\xe9'], // invalid UTF-8
      ['\xf0\x9f\x8e\x88', '🎈'],
    ] as const,
    (value, id) => assert.is(EventStream.parseLastEventId(value), id),
  )
  roundTrip(
    test,
    unicodeString.filter((id) => !/[\r\n\0]/.test(id)),
    EventStream.formatLastEventId,
    EventStream.parseLastEventId,
    (parsed, id) => assert.is(parsed, id),
  )
})

describe('EventStream.isSendableId', (test) => {
  table(
    test,
    [
      ['', true],
      ['a\tb é 🎈', true],
      ['\x85', true], // sent in UTF-8, whose bytes are not control characters
      ['a\0', false],
      ['\x01', false],
      ['a\x1fb', false],
      ['\x7f', false],
    ] as const,
    (id, expected) => assert.is(EventStream.isSendableId(id), expected),
  )
})
