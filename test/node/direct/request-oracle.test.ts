/** Tests of what the differential test compares with: the grammar, and the allowed differences. */
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import type { RawResponse } from '../../support/raw-response.ts'
import { chunkedRequest, head, rawRequest, requestWithBody } from '../../support/raw.ts'
import { allowedDifferences } from './allowed-differences.ts'
import { findRequests } from './request-oracle.ts'

describe('requests found in messages', (test) => {
  table(
    test,
    [
      ['a request', rawRequest('GET /a%20b?c=d'), 1, ''],
      ['empty lines', `\r\n\r\n${rawRequest('GET /')}`, 1, ''],
      ['a body and another request', requestWithBody('POST /', 'abc') + rawRequest('GET /'), 2, ''],
      [
        'chunks and another request',
        chunkedRequest('POST /', ['abc']) + rawRequest('GET /'),
        2,
        '',
      ],
      ['a trailer', `${chunkedRequest('POST /', []).slice(0, -2)}A: b\r\n\r\n`, 1, ''],
      ['an incomplete body', rawRequest('POST /', 'Content-Length: 1'), 1, undefined],
      ['the absolute form', rawRequest('GET http://b.example:81?a'), 1, ''],
      ['HTTP/1.2', head('GET / HTTP/1.2', 'Host: a'), 1, ''],
      ['HTTP/1.0 without a host', head('GET / HTTP/1.0'), 1, ''],
      ['HTTP/1.1 without a host', head('GET / HTTP/1.1'), 0, head('GET / HTTP/1.1')],
      ['OPTIONS *', rawRequest('OPTIONS *'), 1, ''],
      ['GET *', rawRequest('GET *'), 0, rawRequest('GET *')],
      [
        'a line that ends in LF',
        'GET / HTTP/1.1\nHost: a\r\n\r\n',
        0,
        'GET / HTTP/1.1\nHost: a\r\n\r\n',
      ],
      ['LF after a request', `${rawRequest('GET /')}\n`, 1, '\n'],
      ['a space before a colon', rawRequest('GET /', 'A : b'), 0, rawRequest('GET /', 'A : b')],
      ['a folded header', rawRequest('GET /', 'A: b', ' c'), 0, rawRequest('GET /', 'A: b', ' c')],
      ['NUL in a value', rawRequest('GET /', 'A: \0'), 0, rawRequest('GET /', 'A: \0')],
      ['a fragment', rawRequest('GET /#a'), 0, rawRequest('GET /#a')],
      [
        'a length and chunks',
        rawRequest('POST /', 'Content-Length: 0', 'Transfer-Encoding: chunked'),
        0,
        rawRequest('POST /', 'Content-Length: 0', 'Transfer-Encoding: chunked'),
      ],
      ['a chunk size with LF', `${chunkedRequest('POST /', []).slice(0, -5)}0\n\r\n`, 1, undefined],
    ] as const,
    (_, message, count, rest) => {
      const found = findRequests(message)
      assert.is(found.requests.length, count)
      assert.is(found.rest, rest)
    },
  )
})

const response = (status: number, connection = 'close'): RawResponse => ({
  status,
  headers: [['connection', connection]],
  body: '',
})

const isAllowed = (text: string, node: RawResponse, direct: RawResponse): boolean =>
  allowedDifferences.some(({ applies }) => applies({ text, node, direct }))

describe('allowed differences between node and direct', (test) => {
  table(
    test,
    [
      ['an unknown method', rawRequest('BREW /'), 501, 400, true],
      ['an unknown method and version', head('BREW / HTTP/2.0', 'Host: a'), 400, 505, true],
      ['an unknown version', head('GET / HTTP/2.0', 'Host: a'), 400, 505, false],
      ['a higher minor version', head('GET / HTTP/1.2', 'Host: a'), 505, 200, true],
      ['a known method', rawRequest('GET /'), 501, 400, false],
      ['LF before a request', `\n${rawRequest('GET /')}`, 200, 400, true],
      ['two spaces', rawRequest('GET  /'), 200, 400, true],
      ['two spaces in a header', rawRequest('GET /', 'A: b  c'), 200, 400, false],
      ['a request line without a version', head('GET /'), 505, 400, true],
      ['another expectation', rawRequest('GET /', 'Expect: a 100-continue'), 200, 417, true],
      ['an accepted request', rawRequest('GET /'), 400, 200, false],
      ['different rejections', rawRequest('GET /', 'A : b'), 431, 400, false],
    ] as const,
    (_, text, node, direct, expected) =>
      assert.is(isAllowed(text, response(node), response(direct)), expected),
  )
})
