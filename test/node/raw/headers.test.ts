import type { Row } from '../../support/raw.ts'
import { head, keepsOpen, rawRequests, closes, rawRequest, utf8 } from '../../support/raw.ts'

const host = 'Host: a.example'

const withHeaders = (...lines: ReadonlyArray<string>): string =>
  rawRequest('GET /headers', ...lines)

const withCount = (count: number): string =>
  withHeaders(...Array.from({ length: count - 1 }, (_, index) => `X-${index + 2}: ${index + 2}`))

/** Formats a request whose header lines have `size` bytes. */
const withSize = (size: number): string => {
  const others = `${host}\r\nX: \r\n`.length
  return withHeaders(`X: ${'x'.repeat(size - others)}`)
}

const syntax: ReadonlyArray<Row> = [
  ['a header', withHeaders('X: a'), keepsOpen([200, '2 a'])], // RFC 9112, 5
  ['whitespace around a value', withHeaders('X: \t a \t '), keepsOpen([200, '2 a'])], // 5.1
  ['no whitespace', withHeaders('X:a'), keepsOpen([200, '2 a'])], // 5
  ['an empty value', withHeaders('X:'), keepsOpen([200, '2 '])], // RFC 9110, 5.5
  ['a space before the colon', withHeaders('X : a'), closes(400)], // 5.1
  ['a tab before the colon', withHeaders('X\t: a'), closes(400)], // 5.1
  ['no name', withHeaders(': a'), closes(400)], // RFC 9110, 5.1
  ['no colon', withHeaders('hunter2'), closes(400)], // 5
  ['a name that is not a token', withHeaders('X(y): a'), closes(400)], // RFC 9110, 5.1
  ['a control in a name', withHeaders('X\x01: a'), closes(400)], // RFC 9110, 5.1
  ['a non-ASCII byte in a name', withHeaders('X\xe9: a'), closes(400)], // RFC 9110, 5.1
  ['a line folded by a space', withHeaders('X: a', ' b'), closes(400)], // 5.2
  ['a line folded by a tab', withHeaders('X: a', '\tb'), closes(400)], // 5.2
  ['a line folded after Host', head('GET /headers HTTP/1.1', 'Host: a', ' b'), closes(400)], // 5.2
  ['a control in a value', withHeaders('X: a\x01'), closes(400)], // RFC 9110, 5.5
  ['NUL in a value', withHeaders('X: a\0b'), closes(400)], // RFC 9110, 5.5
  ['DEL in a value', withHeaders('X: a\x7f'), closes(400)], // RFC 9110, 5.5
  ['CR in a value', withHeaders('X: a\rb'), closes(400)], // RFC 9110, 5.5
  ['LF in a value', withHeaders('X: a\nY: b'), closes(400)], // RFC 9112, 2.2
  ['a tab in a value', withHeaders('X: a\tb'), keepsOpen([200, '2 a\tb'])], // RFC 9110, 5.5
  ['a non-ASCII byte in a value', withHeaders('X: \xe9'), keepsOpen([200, '2 é'])], // RFC 9110, 5.5: obs-text
  ['UTF-8 in a value', withHeaders(`X: ${utf8('é')}`), keepsOpen([200, '2 Ã©'])], // RFC 9110, 5.5: opaque
]

const repeated: ReadonlyArray<Row> = [
  ['two Content-Type', withHeaders('Content-Type: a/b', 'Content-Type: a/c'), closes(400)], // RFC 9110, 5.3
  ['two equal Content-Type', withHeaders('Content-Type: a/b', 'content-type: a/b'), closes(400)], // RFC 9110, 5.3
  ['two Authorization', withHeaders('Authorization: a', 'Authorization: hunter2'), closes(400)], // RFC 9110, 5.3
  [
    'a list on two lines',
    rawRequest('GET /header', 'X-All: a', 'X-One: b', 'x-all: c'),
    keepsOpen([200, '{"x-one":"b","x-all":["a","c"]}']),
  ], // RFC 9110, 5.3
  [
    'two lines of a single-value header',
    rawRequest('GET /header', 'X-One: a', 'X-One: b'),
    keepsOpen([200, /"x-one":"a"/]),
  ],
  [
    'two Cookie lines',
    rawRequest('GET /cookie', 'Cookie: a=1', 'Cookie: id=2'),
    keepsOpen([200, '2']),
  ], // RFC 6265, 5.4
  [
    'two Accept lines',
    rawRequest('GET /choice', 'Accept: a/b', 'Accept: text/plain'),
    keepsOpen([200, 'one']),
  ], // RFC 9110, 5.3
]

const names: ReadonlyArray<Row> = [
  ['__proto__', withHeaders('__proto__: a'), keepsOpen([200, '2 a'])],
  [
    '__proto__ is not a parameter',
    rawRequest('GET /header', '__proto__: a'),
    keepsOpen([200, '{"x-all":[]}']),
  ],
  ['constructor missing', rawRequest('GET /header'), keepsOpen([200, '{"x-all":[]}'])],
  [
    'constructor sent',
    rawRequest('GET /header', 'constructor: a'),
    keepsOpen([200, /"constructor":"a"/]),
  ],
  [
    'hasOwnProperty',
    rawRequest('GET /header', 'hasOwnProperty: a'),
    keepsOpen([200, '{"x-all":[]}']),
  ],
  [
    '__proto__ as a cookie',
    rawRequest('GET /cookie', 'Cookie: __proto__=1; id=2'),
    keepsOpen([200, '2']),
  ],
  [
    'a cookie without a name',
    rawRequest('GET /cookie', 'Cookie: =1; id=2; x'),
    keepsOpen([200, '2']),
  ],
]

const sizes: ReadonlyArray<Row> = [
  ['199 headers', withCount(199), keepsOpen([200, '199 199'])], // RFC 9110, 5.4
  ['200 headers', withCount(200), keepsOpen([200, '200 200'])],
  ['201 headers', withCount(201), closes(431)], // RFC 6585, 5
  ['1,100 headers', withCount(1100), closes(431)], // by default, Node.js drops some of these
  ['16,383 bytes', withSize(16_383), keepsOpen([200, /^2 x+$/])],
  ['16,384 bytes', withSize(16_384), keepsOpen([200, /^2 x+$/])],
  ['16,385 bytes', withSize(16_385), closes(431)], // RFC 6585, 5
  ['100,000 bytes', withSize(100_000), closes(431)],
  ['a header without an end', `GET /headers HTTP/1.1\r\nX: ${'x'.repeat(30_000)}`, closes(431)],
  [
    'a long target with large headers',
    rawRequest(`GET /target?${'a'.repeat(8000)}`, `X: ${'x'.repeat(16_000)}`),
    keepsOpen(200),
  ],
]

rawRequests('header syntax', 'RFC 9112, 5', syntax)
rawRequests('repeated headers', 'RFC 9110, 5.3', repeated)
rawRequests('header names of object members', 'RFC 9110, 5.1', names)
rawRequests('header count and size', 'RFC 6585, 5', sizes)
