import type { Row } from '../../support/raw.ts'
import { head, open, raw, sending, shut, to } from '../../support/raw.ts'

const host = 'Host: a.example'

/** A request whose request line has so many octets, its end not counted. */
const ofLength = (octets: number): string => {
  const others = 'GET /target? HTTP/1.1'.length
  return to(`GET /target?${'a'.repeat(octets - others)}`)
}

const rows: ReadonlyArray<Row> = [
  ['a request', head('GET /alive HTTP/1.1', host), open([200, 'alive'])], // RFC 9112, 3
  ['an empty line before it', `\r\n${to('GET /alive')}`, open([200, 'alive'])], // 2.2
  ['five empty lines before it', `${'\r\n'.repeat(5)}${to('GET /alive')}`, open(200)], // 2.2
  ['lines that end in LF', `GET /alive HTTP/1.1\n${host}\n\n`, shut(400)], // 2.2
  ['a line that ends in CR', `GET /alive HTTP/1.1\r${host}\r\n\r\n`, shut(400)], // 2.2
  ['a space before the first field', head('GET /alive HTTP/1.1', ' X: 1', host), shut(400)], // 2.2
  ['no octet of HTTP', 'hunter2\r\n\r\n', shut(400)], // 2.2
  ['a handshake of TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', shut(400)], // 2.2
  ['NUL', '\0\0\0\0\r\n\r\n', shut(400)], // 2.2
  ['a response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', shut(400)], // 2.1
  ['HTTP/1.0', head('GET /alive HTTP/1.0'), shut([200, 'alive'])], // 2.3, 9.3
  [
    'HTTP/1.0 that keeps the connection',
    head('GET /alive HTTP/1.0', 'Connection: keep-alive'),
    open([200, 'alive', { connection: 'keep-alive' }]),
  ], // 9.3
  ['HTTP/2.0, which is not there', head('GET /alive HTTP/2.0', host), shut(505)], // 2.3; RFC 9110, 15.6.6
  ['HTTP/3.0', head('GET /alive HTTP/3.0', host), shut(505)], // 2.3
  ['HTTP/1.2', head('GET /alive HTTP/1.2', host), shut(505)], // 2.3
  ['HTTP/0.9', head('GET /alive HTTP/0.9', host), shut(505)], // 2.3
  ['no version', head('GET /alive', host), shut(505)], // 2.3
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', shut(400)], // RFC 9113, 3.4
  ['HTTP/1', head('GET /alive HTTP/1', host), shut(400)], // 2.3
  ['HTTP/1.10', head('GET /alive HTTP/1.10', host), shut(400)], // 2.3
  ['HTTP/01.1', head('GET /alive HTTP/01.1', host), shut(400)], // 2.3
  ['HTTP/1,1', head('GET /alive HTTP/1,1', host), shut(400)], // 2.3
  ['HTTP/x.y', head('GET /alive HTTP/x.y', host), shut(400)], // 2.3
  ['http/1.1', head('GET /alive http/1.1', host), shut(400)], // 2.3: case-sensitive
  ['HTTPS/1.1', head('GET /alive HTTPS/1.1', host), shut(400)], // 2.3
  ['two spaces before the target', head('GET  /alive HTTP/1.1', host), open(200)], // 3: may be read so
  ['a tab before the target', head('GET\t/alive HTTP/1.1', host), shut(400)], // 3
  ['two spaces before the version', head('GET /alive  HTTP/1.1', host), open(200)], // 3: may be read so
  ['a space behind the version', head('GET /alive HTTP/1.1 ', host), shut(400)], // 3
  ['no target', head('GET HTTP/1.1', host), shut(400)], // 3
  ['a space in the target', head('GET /al ive HTTP/1.1', host), shut(400)], // 3.2
  ['no method', head('/alive HTTP/1.1', host), shut(400)], // 3.1
  ['a method in lower case', to('get /alive'), shut(501)], // 3.1: case-sensitive; RFC 9110, 9.1
  ['an unknown method', to('CHEESE /alive'), shut(501)], // RFC 9110, 9.1
  ['an unknown method and an unknown path', to('CHEESE /nothing'), shut(501)],
  ['an unknown method that begins a known one', to('GE /alive'), shut(501)],
  ['an unknown method that begins with a known one', to('GETS /alive'), shut(501)],
  ['an unknown method that begins with GET!', to('GET! /alive'), shut(501)],
  ['an unknown method of punctuation', to("!#$%&'*+-.^_`|~ /alive"), shut(501)],
  ['an unknown method with a digit first', to('1GET /alive'), shut(501)],
  ['an unknown method in absolute form', to('CHEESE http://a.example/alive'), shut(501)],
  ['an unknown method after an empty line', `\r\n${to('CHEESE /alive')}`, shut(501)],
  ['a method of RTSP', to('DESCRIBE /alive'), shut(501)],
  ['an unknown method in HTTP/1.0', head('CHEESE /alive HTTP/1.0'), shut(501)],
  ['an unknown method after a request', to('GET /alive') + to('CHEESE /alive'), shut(200, 501)],
  [
    'an unknown method after a body',
    sending('POST /text', '{"a":1}') + to('CHEESE /alive'),
    shut(200, 501),
  ],
  ['an unknown method and an invalid version', head('CHEESE /alive HTTP/1,1', host), shut(400)],
  [
    'an unknown method and a line that ends in LF',
    `CHEESE /alive HTTP/1.1\n${host}\n\n`,
    shut(400),
  ],
  ['an unknown method and a malformed target', to('CHEESE /al"ive'), shut(400)],
  ['an unknown method without a target', head('CHEESE HTTP/1.1', host), shut(400)],
  ['an unknown method that the parser knows', to('MKCOL /alive'), open(501)],
  ['an undeclared WebDAV method and an unknown path', to('PROPFIND /nothing'), open(501)],
  ['an undeclared SEARCH', to('SEARCH /alive'), open(501)],
  ['a method with a space before it', to(' GET /alive'), shut(400)], // 3.1
  ['a method that is no token', to('G(T /alive'), shut(400)], // 3.1
  ['an unknown method of 5,000 letters', to(`${'A'.repeat(5000)} /alive`), shut(501)], // 3.1
  ['a line of 8,191 octets', ofLength(8191), open(200)], // 3
  ['a line of 8,192 octets', ofLength(8192), open(200)], // 3
  ['a line of 8,193 octets', ofLength(8193), shut(414)], // 3; RFC 9110, 15.5.15
  ['a line of 20,000 octets', ofLength(20_000), shut(414)], // 3
  ['a line of 100,000 octets', ofLength(100_000), shut(414)], // 3
  ['a line without end', `GET /${'a'.repeat(50_000)}`, shut(414)], // 3
]

raw('request line', 'RFC 9112, 3', rows)
