import type { Expected, Row } from '../../support/raw.ts'
import { chunked, head, open, raw, sending, shut, to } from '../../support/raw.ts'

const content = '3\r\nabc\r\n0\r\n\r\n'
const length = 'Content-Length: 3'
const coding = 'Transfer-Encoding: chunked'

const lengths: ReadonlyArray<readonly [value: string, expected: Expected]> = [
  ['3', open([200, '3'])], // RFC 9112, 6.2
  ['03', open([200, '3'])], // RFC 9110, 8.6: 1*DIGIT
  ['3 ', open([200, '3'])], // RFC 9112, 5.1
  ['', shut(400)], // RFC 9112, 6.3
  ['+3', shut(400)],
  ['-3', shut(400)],
  ['0x3', shut(400)],
  ['3.0', shut(400)],
  ['3e0', shut(400)],
  ['3 3', shut(400)],
  ['3,3', shut(400)], // RFC 9110, 8.6: may be refused
  ['3, 4', shut(400)],
  ['hunter2', shut(400)],
  ['\xb3', shut(400)],
  ['18446744073709551619', shut(400)], // 3 + 2^64
]

const codings: ReadonlyArray<readonly [value: string, expected: Expected]> = [
  ['chunked', open([200, '3'])], // RFC 9112, 6.1
  ['ChunKed', open([200, '3'])], // RFC 9112, 7: case-insensitive
  ['  chunked  ', open([200, '3'])], // RFC 9112, 5.1
  ['gzip, chunked', shut(501)], // RFC 9112, 6.1
  ['identity, chunked', shut(501)], // RFC 9112, 7: no longer a coding
  ['gzip', shut(400)], // RFC 9112, 6.3: the length cannot be known
  ['identity', shut(400)],
  ['chunked, gzip', shut(400)],
  ['chunked, chunked', shut(400)], // RFC 9112, 6.1
  ['chunked, identity', shut(400)],
  ['chunked;a=b', shut(400)],
  ['"chunked"', shut(400)],
  ['xchunked', shut(400)],
  ['chunkedx', shut(400)],
  ['\xa0chunked', shut(400)], // RFC 9110, 5.6.3: not whitespace
  ['chunked,', shut(400)],
  ['\x0bchunked', shut(400)],
  ['', shut(400)],
]

const together: ReadonlyArray<Row> = [
  ['neither', to('POST /octets'), open([200, '0'])], // RFC 9112, 6.3
  ['two lengths alike', to('POST /octets', length, length), shut(400)], // RFC 9112, 6.3
  ['two lengths', `${to('POST /octets', length, 'Content-Length: 4')}abcd`, shut(400)], // RFC 9112, 6.3
  ['length and chunks', to('POST /octets', length, coding) + content, shut(400)], // RFC 9112, 6.1
  ['chunks and length', to('POST /octets', coding, length) + content, shut(400)], // RFC 9112, 6.1
  ['chunks and length 0', to('POST /octets', coding, 'Content-Length: 0') + content, shut(400)],
  ['chunks twice', to('POST /octets', coding, coding) + content, shut(400)], // RFC 9112, 6.1
  ['gzip and chunks', to('POST /octets', 'Transfer-Encoding: gzip', coding) + content, shut(501)],
  ['a space before the colon', to('POST /octets', 'Transfer-Encoding : chunked'), shut(400)], // RFC 9112, 5.1
  ['a folded coding', to('POST /octets', 'Transfer-Encoding:', ' chunked') + content, shut(400)], // RFC 9112, 5.2
  ['chunks in HTTP/1.0', head('POST /octets HTTP/1.0', coding) + content, shut(400)], // RFC 9112, 6.1
  [
    'chunks in HTTP/1.0 that keeps the connection',
    head('POST /octets HTTP/1.0', coding, 'Connection: keep-alive') + content,
    shut(400),
  ], // RFC 9112, 6.1
  ['a length in HTTP/1.0', `${head('POST /octets HTTP/1.0', length)}abc`, shut([200, '3'])],
  ['a length larger than what comes next', to('GET /alive', 'Content-Length: 0'), open(200)],
  ['GET with content', sending('GET /alive', to('GET /hunter2')), open([200, 'alive'])], // RFC 9110, 9.3.1
  ['HEAD with content', sending('HEAD /alive', to('GET /hunter2')), open([200, ''])], // RFC 9110, 9.3.2
  ['DELETE with content', sending('DELETE /thing', to('GET /hunter2')), open(204)], // RFC 9110, 9.3.5
  ['GET with chunks that nobody wants', chunked('GET /alive', ['abc']), shut([200, 'alive'])], // RFC 9112, 9.6
  ['TE', to('GET /alive', 'TE: trailers, gzip', 'Connection: TE'), open(200)], // RFC 9110, 10.1.4
]

raw(
  'Content-Length',
  'RFC 9110, 8.6',
  lengths.map(([value, expected]): Row => [
    value,
    `${to('POST /octets', `Content-Length: ${value}`)}abc`,
    expected,
  ]),
)
raw(
  'Transfer-Encoding',
  'RFC 9112, 6.1',
  codings.map(([value, expected]): Row => [
    value,
    to('POST /octets', `Transfer-Encoding: ${value}`) + content,
    expected,
  ]),
)
raw('framing', 'RFC 9112, 6.3', together)
