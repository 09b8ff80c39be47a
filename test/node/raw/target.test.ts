import type { Row } from '../../support/raw.ts'
import { head, keepsOpen, rawRequests, closes, rawRequest } from '../../support/raw.ts'

const forms: ReadonlyArray<Row> = [
  ['origin form', rawRequest('GET /target?a=1'), keepsOpen([200, '/target a=1'])], // RFC 9112, 3.2.1
  ['an empty query', rawRequest('GET /target?'), keepsOpen([200, '/target '])], // 3.2.1
  ['two question marks', rawRequest('GET /target?a?b'), keepsOpen([200, '/target a?b'])], // RFC 3986, 3.4
  ['brackets in the query', rawRequest('GET /target?a[b]=1'), keepsOpen([200, '/target a[b]=1'])], // sent by browsers
  ['absolute form', rawRequest('GET http://b.example/target?a'), keepsOpen([200, '/target a'])], // 3.2.2
  ['absolute form with a port', rawRequest('GET http://b.example:81/target'), keepsOpen(200)], // 3.2.2
  ['absolute form in capitals', rawRequest('GET HTTP://B.EXAMPLE/target'), keepsOpen(200)], // RFC 3986, 3.1
  ['absolute form with an IPv6 address', rawRequest('GET http://[::1]/target'), keepsOpen(200)], // RFC 3986, 3.2.2
  ['absolute form without a path', rawRequest('GET http://b.example'), keepsOpen([200, 'root'])], // 3.2.1
  ['absolute form without Host', head('GET http://b.example/target HTTP/1.1'), closes(400)], // 3.2
  [
    'absolute form with user information',
    rawRequest('GET http://u:hunter2@b.example/'),
    closes(400),
  ], // RFC 9110, 4.2.4
  ['absolute form without a host', rawRequest('GET http:///target'), closes(400)], // RFC 9110, 4.2.1
  ['absolute form with a port too large', rawRequest('GET http://b.example:65536/'), closes(400)], // RFC 3986, 3.2.3
  ['absolute form of another scheme', rawRequest('GET ftp://b.example/target'), closes(400)], // 3.2.2
  ['authority form with GET', rawRequest('GET b.example:80'), closes(400)], // 3.2.3
  [
    'authority form with CONNECT',
    rawRequest('CONNECT b.example:80'),
    closes([405, /./, { allow: '' }]),
  ], // RFC 9110, 9.3.6
  ['CONNECT with tunnel data', `${rawRequest('CONNECT b.example:80')}\x16\x03\x01`, closes(405)], // RFC 9110, 9.3.6
  [
    'CONNECT after a slow request',
    rawRequest('GET /slow') + rawRequest('CONNECT b.example:80'),
    closes(200, 405),
  ], // 9.3.2
  ['CONNECT to a path', rawRequest('CONNECT /alive'), closes(405)], // 3.2.3
  ['asterisk form with OPTIONS', rawRequest('OPTIONS *'), keepsOpen([204, ''])], // 3.2.4
  [
    'OPTIONS in absolute form without a path',
    rawRequest('OPTIONS http://b.example'),
    keepsOpen([204, '']),
  ], // 3.2.4
  ['asterisk form with GET', rawRequest('GET *'), closes(400)], // 3.2.4
  ['asterisk form with HEAD', rawRequest('HEAD *'), closes([400, ''])], // 3.2.4
  ['an asterisk with more characters', rawRequest('OPTIONS *x'), closes(400)], // 3.2.4
  ['a path without a slash', rawRequest('GET alive'), closes(400)], // 3.2.1
  ['a fragment', rawRequest('GET /target#hunter2'), closes(400)], // RFC 9110, 7.1: never sent
  ['a fragment after a query', rawRequest('GET /target?a#hunter2'), closes(400)], // RFC 9110, 7.1
  ['invalid percent-encoding', rawRequest('GET /segment/%zz'), keepsOpen([200, '%zz'])], // URL Standard, 1.3
  ['truncated percent-encoding', rawRequest('GET /segment/%4'), keepsOpen([200, '%4'])], // URL Standard, 1.3
  ['a percent sign alone', rawRequest('GET /target?100%'), keepsOpen([200, '/target 100%'])], // URL Standard, 1.3
  [
    'an invalid character in an absolute form',
    rawRequest('GET http://b.example/a"'),
    closes([400, /percent-encode U\+0022 at index 18/]),
  ],
]

/** Characters that the URL Standard encodes in queries. */
const invalidChars = ['"', '<', '>', '\0', '\x01', '\t', '\x7f', '\xe9', ' ']

/** Characters that the URL Standard encodes in paths, or reads as a slash. */
const invalidInPaths = [...invalidChars, '\\', '`', '{', '}']

const namedAt = (char: string, index: number): RegExp => {
  const digits = char.charCodeAt(0).toString(16).toUpperCase()
  const name = char < '\x80' ? `U\\+${digits.padStart(4, '0')}` : `byte 0x${digits}`
  return RegExp(`percent-encode ${name} at index ${index}`)
}

rawRequests('target', 'RFC 9112, 3.2', [
  ...forms,
  ...invalidInPaths.map((char): Row => [
    `${char} in a path`,
    rawRequest(`GET /segment/a${char}b`),
    closes([400, namedAt(char, 10)]),
  ]),
  ...invalidChars.map((char): Row => [
    `${char} in a query`,
    rawRequest(`GET /target?a${char}b`),
    closes([400, namedAt(char, 9)]),
  ]),
  ...'|^[]%'
    .split('')
    .map((char): Row => [
      `${char} in a path`,
      rawRequest(`GET /segment/a${char}`),
      keepsOpen([200, `a${char}`]),
    ]),
  ...'|^[]%{}`\\'
    .split('')
    .map((char): Row => [
      `${char} in a query`,
      rawRequest(`GET /target?a${char}`),
      keepsOpen([200, `/target a${char}`]),
    ]),
])
