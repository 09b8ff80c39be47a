import type { Row } from '../../support/raw.ts'
import { head, open, raw, shut, to, utf8 } from '../../support/raw.ts'

const host = 'Host: a.example'

const withField = (...lines: ReadonlyArray<string>): string => to('GET /fields', ...lines)

const counted = (fields: number): string =>
  withField(...Array.from({ length: fields - 1 }, (_, index) => `X-${index + 2}: ${index + 2}`))

/** A request whose field lines have so many octets together. */
const ofSize = (octets: number): string => {
  const others = `${host}\r\nX: \r\n`.length
  return withField(`X: ${'x'.repeat(octets - others)}`)
}

const syntax: ReadonlyArray<Row> = [
  ['a field', withField('X: a'), open([200, '2 a'])], // RFC 9112, 5
  ['whitespace round a value', withField('X: \t a \t '), open([200, '2 a'])], // 5.1
  ['no whitespace', withField('X:a'), open([200, '2 a'])], // 5
  ['an empty value', withField('X:'), open([200, '2 '])], // RFC 9110, 5.5
  ['a space before the colon', withField('X : a'), shut(400)], // 5.1
  ['a tab before the colon', withField('X\t: a'), shut(400)], // 5.1
  ['no name', withField(': a'), shut(400)], // RFC 9110, 5.1
  ['no colon', withField('hunter2'), shut(400)], // 5
  ['a name that is no token', withField('X(y): a'), shut(400)], // RFC 9110, 5.1
  ['a control in a name', withField('X\x01: a'), shut(400)], // RFC 9110, 5.1
  ['an octet above ASCII in a name', withField('X\xe9: a'), shut(400)], // RFC 9110, 5.1
  ['a line folded by a space', withField('X: a', ' b'), shut(400)], // 5.2
  ['a line folded by a tab', withField('X: a', '\tb'), shut(400)], // 5.2
  ['a line folded behind Host', head('GET /fields HTTP/1.1', 'Host: a', ' b'), shut(400)], // 5.2
  ['a control in a value', withField('X: a\x01'), shut(400)], // RFC 9110, 5.5
  ['NUL in a value', withField('X: a\0b'), shut(400)], // RFC 9110, 5.5
  ['DEL in a value', withField('X: a\x7f'), shut(400)], // RFC 9110, 5.5
  ['CR in a value', withField('X: a\rb'), shut(400)], // RFC 9110, 5.5
  ['LF in a value', withField('X: a\nY: b'), shut(400)], // RFC 9112, 2.2
  ['a tab in a value', withField('X: a\tb'), open([200, '2 a\tb'])], // RFC 9110, 5.5
  ['an octet above ASCII in a value', withField('X: \xe9'), open([200, '2 é'])], // RFC 9110, 5.5: obs-text
  ['UTF-8 in a value', withField(`X: ${utf8('é')}`), open([200, '2 Ã©'])], // RFC 9110, 5.5: opaque
]

const repeated: ReadonlyArray<Row> = [
  ['two Content-Type', withField('Content-Type: a/b', 'Content-Type: a/c'), shut(400)], // RFC 9110, 5.3
  ['two Content-Type alike', withField('Content-Type: a/b', 'content-type: a/b'), shut(400)], // RFC 9110, 5.3
  ['two Authorization', withField('Authorization: a', 'Authorization: hunter2'), shut(400)], // RFC 9110, 5.3
  [
    'a list on two lines',
    to('GET /header', 'X-All: a', 'X-One: b', 'x-all: c'),
    open([200, '{"x-one":"b","x-all":["a","c"]}']),
  ], // RFC 9110, 5.3
  ['two lines of one value', to('GET /header', 'X-One: a', 'X-One: b'), open([200, /"x-one":"a"/])],
  ['two Cookie lines', to('GET /cookie', 'Cookie: a=1', 'Cookie: id=2'), open([200, '2'])], // RFC 6265, 5.4
  ['two Accept lines', to('GET /choice', 'Accept: a/b', 'Accept: text/plain'), open([200, 'one'])], // RFC 9110, 5.3
]

const names: ReadonlyArray<Row> = [
  ['__proto__', withField('__proto__: a'), open([200, '2 a'])],
  ['__proto__ is not a parameter', to('GET /header', '__proto__: a'), open([200, '{"x-all":[]}'])],
  ['constructor missing', to('GET /header'), open([200, '{"x-all":[]}'])],
  ['constructor sent', to('GET /header', 'constructor: a'), open([200, /"constructor":"a"/])],
  ['hasOwnProperty', to('GET /header', 'hasOwnProperty: a'), open([200, '{"x-all":[]}'])],
  ['__proto__ as a cookie', to('GET /cookie', 'Cookie: __proto__=1; id=2'), open([200, '2'])],
  ['a cookie without a name', to('GET /cookie', 'Cookie: =1; id=2; x'), open([200, '2'])],
]

const sizes: ReadonlyArray<Row> = [
  ['199 fields', counted(199), open([200, '199 199'])], // RFC 9110, 5.4
  ['200 fields', counted(200), open([200, '200 200'])],
  ['201 fields', counted(201), shut(431)], // RFC 6585, 5
  ['1,100 fields', counted(1100), shut(431)], // Node drops some of these unless told otherwise
  ['16,383 octets', ofSize(16_383), open([200, /^2 x+$/])],
  ['16,384 octets', ofSize(16_384), open([200, /^2 x+$/])],
  ['16,385 octets', ofSize(16_385), shut(431)], // RFC 6585, 5
  ['100,000 octets', ofSize(100_000), shut(431)],
  ['a field without end', `GET /fields HTTP/1.1\r\nX: ${'x'.repeat(30_000)}`, shut(431)],
  [
    'a long target and many octets: each has its own limit',
    to(`GET /target?${'a'.repeat(8000)}`, `X: ${'x'.repeat(16_000)}`),
    open(200),
  ],
]

raw('syntax of fields', 'RFC 9112, 5', syntax)
raw('repeated fields', 'RFC 9110, 5.3', repeated)
raw('names of fields that objects have', 'RFC 9110, 5.1', names)
raw('number and size of fields', 'RFC 6585, 5', sizes)
