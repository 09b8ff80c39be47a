import * as assert from 'uvu/assert'
import { describe, table } from '../support/describe.ts'
import { isDocumented } from './console.ts'

const head = 'HTTP/1.1 200 OK\r\nDate: today\r\nX-A: 1\r\n\r\n'

describe('isDocumented', (test) => {
  table(
    test,
    [
      ['{"a":1}', '{"a":1}', true],
      ['{"a":1,\n "b":2}', '{"a":1,"b":2}\n', true],
      ['{"id":"…"}', '{"id":"7f"}', true],
      ['{"a":1}', '{"a":2}', false],
      ['{"a":1}', '{"a":1}{"b":2}', false],
      ['{"a":1…', '{"a":1}{"b":2}', true],
      ['"a":1}', '{"a":1}', false],
      ['HTTP/1.1 200 OK\nX-A: 1\n\nHello', `${head}Hello`, true],
      ['HTTP/1.1 200 OK', `${head}Hello`, true],
      ['HTTP/1.1 404 Not Found', `${head}Hello`, false],
      ['HTTP/1.1 200 OK\nX-A: 1\nDate: today', head, false],
    ] as const,
    (documented, actual, expected) => assert.is(isDocumented(documented, actual), expected),
  )
})
