import type { Expected, ExpectedResponse, Row } from '../../support/raw.ts'
import {
  byConnection,
  head,
  keepsOpen,
  rawRequests,
  requestWithBody,
  closes,
  rawRequest,
} from '../../support/raw.ts'

const host = 'Host: a.example'

/** Formats a request whose request line has `length` bytes without the line end. */
const withLength = (length: number): string => {
  const others = 'GET /target? HTTP/1.1'.length
  return rawRequest(`GET /target?${'a'.repeat(length - others)}`)
}

/** Expects that an unknown method is the last on the connection, unless connections are read directly. */
const unknownMethod = (...responses: ReadonlyArray<ExpectedResponse>): Expected =>
  byConnection({ node: closes(...responses), direct: keepsOpen(...responses) })

/** Expects that several spaces are accepted, unless connections are read directly. RFC 9112, 3 allows both. */
const severalSpaces = byConnection({ node: keepsOpen(200), direct: closes(400) })

const rows: ReadonlyArray<Row> = [
  ['a request', head('GET /alive HTTP/1.1', host), keepsOpen([200, 'alive'])], // RFC 9112, 3
  ['an empty line before it', `\r\n${rawRequest('GET /alive')}`, keepsOpen([200, 'alive'])], // 2.2
  ['five empty lines before it', `${'\r\n'.repeat(5)}${rawRequest('GET /alive')}`, keepsOpen(200)], // 2.2
  ['lines that end in LF', `GET /alive HTTP/1.1\n${host}\n\n`, closes(400)], // 2.2
  ['a line that ends in CR', `GET /alive HTTP/1.1\r${host}\r\n\r\n`, closes(400)], // 2.2
  ['a space before the first header', head('GET /alive HTTP/1.1', ' X: 1', host), closes(400)], // 2.2
  ['data other than HTTP', 'hunter2\r\n\r\n', closes(400)], // 2.2
  ['a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', closes(400)], // 2.2
  ['NUL', '\0\0\0\0\r\n\r\n', closes(400)], // 2.2
  ['a response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', closes(400)], // 2.1
  ['HTTP/1.0', head('GET /alive HTTP/1.0'), closes([200, 'alive'])], // 2.3, 9.3
  [
    'HTTP/1.0 with keep-alive',
    head('GET /alive HTTP/1.0', 'Connection: keep-alive'),
    keepsOpen([200, 'alive', { connection: 'keep-alive' }]),
  ], // 9.3
  ['HTTP/2.0', head('GET /alive HTTP/2.0', host), closes(505)], // 2.3; RFC 9110, 15.6.6
  ['HTTP/3.0', head('GET /alive HTTP/3.0', host), closes(505)], // 2.3
  [
    'HTTP/1.2',
    head('GET /alive HTTP/1.2', host),
    byConnection({ node: closes(505), direct: keepsOpen([200, 'alive']) }),
  ], // RFC 9110, 2.5
  ['HTTP/0.9', head('GET /alive HTTP/0.9', host), closes(505)], // 2.3
  [
    'no version',
    head('GET /alive', host),
    byConnection({ node: closes(505), direct: closes(400) }),
  ], // 2.3
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', closes(505)], // RFC 9113, 3.4
  ['HTTP/1', head('GET /alive HTTP/1', host), closes(400)], // 2.3
  ['HTTP/1.10', head('GET /alive HTTP/1.10', host), closes(400)], // 2.3
  ['HTTP/01.1', head('GET /alive HTTP/01.1', host), closes(400)], // 2.3
  ['HTTP/1,1', head('GET /alive HTTP/1,1', host), closes(400)], // 2.3
  ['HTTP/x.y', head('GET /alive HTTP/x.y', host), closes(400)], // 2.3
  ['http/1.1', head('GET /alive http/1.1', host), closes(400)], // 2.3: case-sensitive
  ['HTTPS/1.1', head('GET /alive HTTPS/1.1', host), closes(400)], // 2.3
  ['two spaces before the target', head('GET  /alive HTTP/1.1', host), severalSpaces], // 3: may be accepted
  ['a tab before the target', head('GET\t/alive HTTP/1.1', host), closes(400)], // 3
  ['two spaces before the version', head('GET /alive  HTTP/1.1', host), severalSpaces], // 3: may be accepted
  ['a space after the version', head('GET /alive HTTP/1.1 ', host), closes(400)], // 3
  ['no target', head('GET HTTP/1.1', host), closes(400)], // 3
  ['a space in the target', head('GET /al ive HTTP/1.1', host), closes(400)], // 3.2
  ['no method', head('/alive HTTP/1.1', host), closes(400)], // 3.1
  ['a method in lower case', rawRequest('get /alive'), unknownMethod(501)], // 3.1: case-sensitive; RFC 9110, 9.1
  ['an unknown method', rawRequest('CHEESE /alive'), unknownMethod(501)], // RFC 9110, 9.1
  ['an unknown method and an unknown path', rawRequest('CHEESE /nothing'), unknownMethod(501)],
  ['an unknown method that begins a known one', rawRequest('GE /alive'), unknownMethod(501)],
  ['an unknown method that begins with a known one', rawRequest('GETS /alive'), unknownMethod(501)],
  ['an unknown method that begins with GET!', rawRequest('GET! /alive'), unknownMethod(501)],
  ['an unknown method of punctuation', rawRequest("!#$%&'*+-.^_`|~ /alive"), unknownMethod(501)],
  ['an unknown method with a digit first', rawRequest('1GET /alive'), unknownMethod(501)],
  [
    'an unknown method in absolute form',
    rawRequest('CHEESE http://a.example/alive'),
    unknownMethod(501),
  ],
  [
    'an unknown method after an empty line',
    `\r\n${rawRequest('CHEESE /alive')}`,
    unknownMethod(501),
  ],
  ['a method of RTSP', rawRequest('DESCRIBE /alive'), unknownMethod(501)],
  ['an unknown method in HTTP/1.0', head('CHEESE /alive HTTP/1.0'), closes(501)],
  [
    'an unknown method after a request',
    rawRequest('GET /alive') + rawRequest('CHEESE /alive'),
    unknownMethod(200, 501),
  ],
  [
    'an unknown method after a body',
    requestWithBody('POST /text', '{"a":1}') + rawRequest('CHEESE /alive'),
    unknownMethod(200, 501),
  ],
  ['an unknown method and an invalid version', head('CHEESE /alive HTTP/1,1', host), closes(400)],
  [
    'an unknown method and a line that ends in LF',
    `CHEESE /alive HTTP/1.1\n${host}\n\n`,
    closes(400),
  ],
  ['an unknown method and a malformed target', rawRequest('CHEESE /al"ive'), closes(400)],
  ['an unknown method without a target', head('CHEESE HTTP/1.1', host), closes(400)],
  ['an unknown method that the parser knows', rawRequest('MKCOL /alive'), keepsOpen(501)],
  [
    'an undeclared WebDAV method and an unknown path',
    rawRequest('PROPFIND /nothing'),
    keepsOpen(501),
  ],
  ['an undeclared SEARCH', rawRequest('SEARCH /alive'), keepsOpen(501)],
  ['a method with a space before it', rawRequest(' GET /alive'), closes(400)], // 3.1
  ['a method that is not a token', rawRequest('G(T /alive'), closes(400)], // 3.1
  [
    'an unknown method of 5,000 letters',
    rawRequest(`${'A'.repeat(5000)} /alive`),
    unknownMethod(501),
  ], // 3.1
  ['a line of 8,191 bytes', withLength(8191), keepsOpen(200)], // 3
  ['a line of 8,192 bytes', withLength(8192), keepsOpen(200)], // 3
  ['a line of 8,193 bytes', withLength(8193), closes(414)], // 3; RFC 9110, 15.5.15
  ['a line of 20,000 bytes', withLength(20_000), closes(414)], // 3
  ['a line of 100,000 bytes', withLength(100_000), closes(414)], // 3
  ['a line without an end', `GET /${'a'.repeat(50_000)}`, closes(414)], // 3
]

rawRequests('request line', 'RFC 9112, 3', rows)
