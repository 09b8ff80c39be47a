import type { Expected, Row } from '../../support/raw.ts'
import {
  chunkedRequest,
  head,
  keepsOpen,
  rawRequests,
  requestWithBody,
  closes,
  rawRequest,
} from '../../support/raw.ts'

const chunks = '3\r\nabc\r\n0\r\n\r\n'
const length = 'Content-Length: 3'
const coding = 'Transfer-Encoding: chunked'

const lengths: ReadonlyArray<readonly [value: string, expected: Expected]> = [
  ['3', keepsOpen([200, '3'])], // RFC 9112, 6.2
  ['03', keepsOpen([200, '3'])], // RFC 9110, 8.6: 1*DIGIT
  ['3 ', keepsOpen([200, '3'])], // RFC 9112, 5.1
  ['', closes(400)], // RFC 9112, 6.3
  ['+3', closes(400)],
  ['-3', closes(400)],
  ['0x3', closes(400)],
  ['3.0', closes(400)],
  ['3e0', closes(400)],
  ['3 3', closes(400)],
  ['3,3', closes(400)], // RFC 9110, 8.6: may be rejected
  ['3, 4', closes(400)],
  ['hunter2', closes(400)],
  ['\xb3', closes(400)],
  ['18446744073709551619', closes(400)], // 3 + 2^64
]

const codings: ReadonlyArray<readonly [value: string, expected: Expected]> = [
  ['chunked', keepsOpen([200, '3'])], // RFC 9112, 6.1
  ['ChunKed', keepsOpen([200, '3'])], // RFC 9112, 7: case-insensitive
  ['  chunked  ', keepsOpen([200, '3'])], // RFC 9112, 5.1
  ['gzip, chunked', closes(501)], // RFC 9112, 6.1
  ['identity, chunked', closes(501)], // RFC 9112, 7: no longer a transfer coding
  ['gzip', closes(400)], // RFC 9112, 6.3: the length is unknown
  ['identity', closes(400)],
  ['chunked, gzip', closes(400)],
  ['chunked, chunked', closes(400)], // RFC 9112, 6.1
  ['chunked, identity', closes(400)],
  ['chunked;a=b', closes(400)],
  ['"chunked"', closes(400)],
  ['xchunked', closes(400)],
  ['chunkedx', closes(400)],
  ['\xa0chunked', closes(400)], // RFC 9110, 5.6.3: not whitespace
  ['chunked,', closes(400)],
  ['\x0bchunked', closes(400)],
  ['', closes(400)],
]

const combinations: ReadonlyArray<Row> = [
  ['no length and no chunks', rawRequest('POST /bytes'), keepsOpen([200, '0'])], // RFC 9112, 6.3
  ['two equal lengths', rawRequest('POST /bytes', length, length), closes(400)], // RFC 9112, 6.3
  [
    'two different lengths',
    `${rawRequest('POST /bytes', length, 'Content-Length: 4')}abcd`,
    closes(400),
  ], // RFC 9112, 6.3
  ['length and chunks', rawRequest('POST /bytes', length, coding) + chunks, closes(400)], // RFC 9112, 6.1
  ['chunks and length', rawRequest('POST /bytes', coding, length) + chunks, closes(400)], // RFC 9112, 6.1
  [
    'chunks and length 0',
    rawRequest('POST /bytes', coding, 'Content-Length: 0') + chunks,
    closes(400),
  ],
  ['chunks twice', rawRequest('POST /bytes', coding, coding) + chunks, closes(400)], // RFC 9112, 6.1
  [
    'gzip and chunks',
    rawRequest('POST /bytes', 'Transfer-Encoding: gzip', coding) + chunks,
    closes(501),
  ],
  [
    'a space before the colon',
    rawRequest('POST /bytes', 'Transfer-Encoding : chunked'),
    closes(400),
  ], // RFC 9112, 5.1
  [
    'a folded transfer coding',
    rawRequest('POST /bytes', 'Transfer-Encoding:', ' chunked') + chunks,
    closes(400),
  ], // RFC 9112, 5.2
  ['chunks in HTTP/1.0', head('POST /bytes HTTP/1.0', coding) + chunks, closes(400)], // RFC 9112, 6.1
  [
    'chunks in HTTP/1.0 with keep-alive',
    head('POST /bytes HTTP/1.0', coding, 'Connection: keep-alive') + chunks,
    closes(400),
  ], // RFC 9112, 6.1
  ['a length in HTTP/1.0', `${head('POST /bytes HTTP/1.0', length)}abc`, closes([200, '3'])],
  ['GET with an empty body', rawRequest('GET /alive', 'Content-Length: 0'), keepsOpen(200)],
  [
    'GET with a body',
    requestWithBody('GET /alive', rawRequest('GET /hunter2')),
    keepsOpen([200, 'alive']),
  ], // RFC 9110, 9.3.1
  [
    'HEAD with a body',
    requestWithBody('HEAD /alive', rawRequest('GET /hunter2')),
    keepsOpen([200, '']),
  ], // RFC 9110, 9.3.2
  [
    'DELETE with a body',
    requestWithBody('DELETE /thing', rawRequest('GET /hunter2')),
    keepsOpen(204),
  ], // RFC 9110, 9.3.5
  ['GET with unread chunks', chunkedRequest('GET /alive', ['abc']), closes([200, 'alive'])], // RFC 9112, 9.6
  ['TE', rawRequest('GET /alive', 'TE: trailers, gzip', 'Connection: TE'), keepsOpen(200)], // RFC 9110, 10.1.4
]

rawRequests(
  'Content-Length',
  'RFC 9110, 8.6',
  lengths.map(([value, expected]): Row => [
    value,
    `${rawRequest('POST /bytes', `Content-Length: ${value}`)}abc`,
    expected,
  ]),
)
rawRequests(
  'Transfer-Encoding',
  'RFC 9112, 6.1',
  codings.map(([value, expected]): Row => [
    value,
    rawRequest('POST /bytes', `Transfer-Encoding: ${value}`) + chunks,
    expected,
  ]),
)
rawRequests('framing', 'RFC 9112, 6.3', combinations)
