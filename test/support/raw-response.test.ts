import * as assert from 'uvu/assert'
import { describe, table } from './describe.ts'
import type { RawResponse } from './raw-response.ts'
import { takeResponse } from './raw-response.ts'

const date = 'Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n'
const ok = `HTTP/1.1 200 OK\r\n${date}`

type Good = readonly [
  received: string,
  expected: Pick<RawResponse, 'status' | 'body'>,
  rest: string,
]

const good: ReadonlyArray<Good> = [
  [`${ok}Content-Length: 3\r\n\r\nabc`, { status: 200, body: 'abc' }, ''],
  [`${ok}Content-Length: 2\r\n\r\n\xc3\xa9HTTP/`, { status: 200, body: 'é' }, 'HTTP/'],
  [`HTTP/1.1 204 \r\n${date}\r\n`, { status: 204, body: '' }, ''],
  [`HTTP/1.1 304 x\r\n${date}Content-Length: 9\r\n\r\n`, { status: 304, body: '' }, ''],
  [`HTTP/1.1 205 x\r\n${date}Content-Length: 0\r\n\r\n`, { status: 205, body: '' }, ''],
  ['HTTP/1.1 100 Continue\r\n\r\nHTTP', { status: 100, body: '' }, 'HTTP'],
]

type Bad = readonly [received: string]

/** RFC 9112, 4, 5 and 6. */
const bad: ReadonlyArray<Bad> = [
  ['x'],
  ['HTTP/1.0 200 OK\r\n\r\n'],
  ['HTTP/1.1 20 OK\r\n\r\n'],
  ['HTTP/1.1 2000 OK\r\n\r\n'],
  ['HTTP/1.1 200\r\n\r\n'],
  ['\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  [`${ok}\r\n`],
  [`${ok}Content-Length: -1\r\n\r\n`],
  [`${ok}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
  [`${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  [`${ok}Content-Length: 0\r\nX : 1\r\n\r\n`],
  [`${ok}Content-Length: 0\r\nX: 1\r\n 2\r\n\r\n`],
  [`${ok}Content-Length: 0\r\nX: 1\nY: 2\r\n\r\n`],
  [`${ok}Content-Length: 0\r\nX\r\n\r\n`],
  [`${ok}${date}Content-Length: 0\r\n\r\n`],
  ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\nDate: today\r\nContent-Length: 0\r\n\r\n'],
  [`HTTP/1.1 204 x\r\n${date}Content-Length: 0\r\n\r\n`],
  [`HTTP/1.1 205 x\r\n${date}Content-Length: 1\r\n\r\na`],
  ['HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n'],
]

describe('takeResponse', (test) => {
  table<Good>(test, good, (received, expected, rest) => {
    const [response, remaining] = takeResponse(received, 'GET') ?? []
    assert.equal({ status: response?.status, body: response?.body }, expected)
    assert.is(remaining, rest)
  })

  table<Bad>(test, bad, (received) => assert.throws(() => takeResponse(received, 'GET')))

  test('an incomplete response returns undefined', () => {
    const complete = `${ok}Content-Length: 3\r\n\r\nabc`
    for (let length = 0; length < complete.length; length++)
      assert.is(takeResponse(complete.slice(0, length), 'GET'), undefined)
  })

  test('a response to HEAD has a length and no body', () => {
    const [response, rest] = takeResponse(`${ok}Content-Length: 3\r\n\r\n`, 'HEAD') ?? []
    assert.equal([response?.body, rest], ['', ''])
  })
})
