import type { Expected, Row } from '../../support/raw.ts'
import { chunkedRequest, keepsOpen, rawRequests, closes, rawRequest } from '../../support/raw.ts'

const lastChunk = '0\r\n\r\n'
const trailers = (count: number): string =>
  Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join('')

const rows: ReadonlyArray<readonly [title: string, message: string, expected: Expected]> = [
  ['one chunk', `3\r\nabc\r\n${lastChunk}`, keepsOpen([200, '3'])], // RFC 9112, 7.1
  ['three chunks', `3\r\nabc\r\n1\r\nd\r\n2\r\nef\r\n${lastChunk}`, keepsOpen([200, '6'])],
  ['no chunks', lastChunk, keepsOpen([200, '0'])],
  ['a size in lower case', `a\r\n0123456789\r\n${lastChunk}`, keepsOpen([200, '10'])],
  ['a size in upper case', `A\r\n0123456789\r\n${lastChunk}`, keepsOpen([200, '10'])],
  ['zeros before a size', `0003\r\nabc\r\n${lastChunk}`, keepsOpen([200, '3'])],
  ['a last chunk of three zeros', '3\r\nabc\r\n000\r\n\r\n', keepsOpen([200, '3'])],
  ['a non-hexadecimal size', `g\r\nabc\r\n${lastChunk}`, closes(400)],
  ['a size with a sign', `+3\r\nabc\r\n${lastChunk}`, closes(400)],
  ['a negative size', `-3\r\nabc\r\n${lastChunk}`, closes(400)],
  ['a size with 0x', `0x3\r\nabc\r\n${lastChunk}`, closes(400)],
  ['a size with an underscore', `0_3\r\nabc\r\n${lastChunk}`, closes(400)],
  ['a size of 2^64 and more', `10000000000000003\r\nabc\r\n${lastChunk}`, closes(400)], // must be bounded
  [
    'a size with 40 leading zeros',
    `${'0'.repeat(40)}3\r\nabc\r\n${lastChunk}`,
    keepsOpen([200, '3']),
  ],
  [
    'a size of 2^64 and more after zeros',
    `0010000000000000003\r\nabc\r\n${lastChunk}`,
    closes(400),
  ],
  ['no size', `\r\nabc\r\n${lastChunk}`, closes(400)],
  ['a space before a size', ` 3\r\nabc\r\n${lastChunk}`, closes(400)],
  ['a space after a size', `3 \r\nabc\r\n${lastChunk}`, closes(400)],
  ['data shorter than its size', `4\r\nabc\r\n${lastChunk}`, closes(400)],
  ['data longer than its size', `2\r\nabc\r\n${lastChunk}`, closes(400)],
  ['no line end after the data', `3\r\nabc${lastChunk}`, closes(400)],
  ['a size that ends in LF', `3\nabc\r\n${lastChunk}`, closes(400)], // RFC 9112, 2.2
  ['a size that ends in CR', `3\rabc\r\n${lastChunk}`, closes(400)],
  ['data that ends in LF', `3\r\nabc\n${lastChunk}`, closes(400)],
  ['an extension', `3;a=b\r\nabc\r\n${lastChunk}`, keepsOpen([200, '3'])], // 7.1.1: to be ignored
  ['an extension without a value', `3;a\r\nabc\r\n${lastChunk}`, keepsOpen([200, '3'])],
  ['a quoted extension', `3;a="b;c"\r\nabc\r\n${lastChunk}`, keepsOpen([200, '3'])],
  ['an extension on the last chunk', '3\r\nabc\r\n0;a=b\r\n\r\n', keepsOpen([200, '3'])],
  ['an extension without a name', `3;\r\nabc\r\n${lastChunk}`, closes(400)],
  ['an extension that ends in LF', `3;a\nabc\r\n${lastChunk}`, closes(400)], // used for request smuggling
  ['an extension that ends in CR', `3;a\rabc\r\n${lastChunk}`, closes(400)],
  ['a control in an extension', `3;a=\x01\r\nabc\r\n${lastChunk}`, closes(400)],
  ['an extension of 20,000 bytes', `3;${'a'.repeat(20_000)}\r\nabc\r\n${lastChunk}`, closes(413)], // 7.1.1: must be bounded
  ['a trailer', '3\r\nabc\r\n0\r\nX: 1\r\n\r\n', keepsOpen([200, '3'])], // 7.1.2
  ['Host in a trailer', '3\r\nabc\r\n0\r\nHost: hunter2\r\n\r\n', keepsOpen([200, '3'])], // RFC 9110, 6.5.1: ignored
  ['Content-Length in a trailer', '0\r\nContent-Length: 9\r\n\r\n', closes(400)], // RFC 9110, 6.5.1
  ['Transfer-Encoding in a trailer', '0\r\nTransfer-Encoding: x\r\n\r\n', closes(400)], // RFC 9110, 6.5.1
  ['a trailer without a colon', '0\r\nhunter2\r\n\r\n', closes(400)],
  ['a space before the colon of a trailer', '0\r\nX : 1\r\n\r\n', closes(400)],
  ['a trailer that ends in LF', '0\r\nX: 1\n\r\n', closes(400)],
  ['a folded trailer', '0\r\nX: 1\r\n 2\r\n\r\n', closes(400)],
  ['300 trailers', `0\r\n${trailers(300)}\r\n`, keepsOpen([200, '0'])],
  ['trailers of 30,000 bytes', `0\r\nX: ${'x'.repeat(30_000)}\r\n\r\n`, closes(431)],
]

rawRequests('chunks', 'RFC 9112, 7.1', [
  ...rows.map(([title, message, expected]): Row => [
    title,
    rawRequest('POST /bytes', 'Transfer-Encoding: chunked') + message,
    expected,
  ]),
  [
    '2,000 chunks of one byte',
    chunkedRequest(
      'POST /bytes',
      Array.from({ length: 2000 }, () => 'x'),
    ),
    keepsOpen([200, '2000']),
  ],
])
