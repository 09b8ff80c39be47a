/** The stored form of responses. */
import * as assert from 'uvu/assert'
import type { EncodedResponse } from '../../../src/interpreter/exchange.ts'
import { readStored, writeStored } from '../../../src/interpreter/idempotency/stored-response.ts'
import { describe, table } from '../../support/describe.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const head = { status: 201, headers: ['Location', '/a\u00e4', 'X-A', '1', 'X-A', '2'] }

const stream: EncodedResponse['body'] = {
  length: undefined,
  next: async () => ({ done: true, value: undefined }),
  close: () => undefined,
}

describe('a stored response', (test) => {
  const rows: ReadonlyArray<
    [title: string, body: EncodedResponse['body'], expected: Uint8Array | undefined]
  > = [
    ['without a body is read as it was', undefined, undefined],
    ['with an empty body is read as it was', '', bytes('')],
    ['with text is read as it was', 'na\u00efve\n\n{}', bytes('na\u00efve\n\n{}')],
    ['with bytes is read as it was', new Uint8Array([10, 0, 255]), new Uint8Array([10, 0, 255])],
  ]
  table(test, rows, (_, body, expected) => {
    const read = readStored(writeStored({ ...head, body }, 1000))
    assert.equal(
      { ...read, body: read.body && [...read.body] },
      { ...head, isOmitted: false, body: expected && [...expected] },
    )
  })

  test('has at most the maximum size, with the body', () => {
    const { length } = writeStored({ ...head, body: 'abc' }, 1000)
    assert.is(readStored(writeStored({ ...head, body: 'abc' }, length)).isOmitted, false)
    assert.equal(readStored(writeStored({ ...head, body: 'abcd' }, length)), {
      status: 201,
      headers: [],
      isOmitted: true,
      body: undefined,
    })
  })

  test('has no body if it was a stream', () => {
    assert.is(readStored(writeStored({ ...head, body: stream }, 1000)).isOmitted, true)
  })

  const malformed: ReadonlyArray<[title: string, stored: string]> = [
    ['that is empty throws an error', ''],
    ['that is not JSON throws an error', '{'],
    ['that is null throws an error', 'null'],
    ['without a numeric status throws an error', '{"status":"200"}'],
    ['that is a list throws an error', '[]'],
  ]
  table(test, malformed, (_, stored) => {
    assert.throws(() => readStored(bytes(stored)))
  })
})
