import type { Expected, Row } from '../../support/raw.ts'
import { head, open, raw, shut } from '../../support/raw.ts'

const fields: ReadonlyArray<Row> = [
  ['missing', head('GET /alive HTTP/1.1'), shut(400)], // RFC 9112, 3.2
  ['missing, other fields there', head('GET /alive HTTP/1.1', 'X-Host: a'), shut(400)],
  ['missing in HTTP/1.0', head('GET /alive HTTP/1.0'), shut(200)], // RFC 9112, 3.2: of 1.1 alone
  ['twice', head('GET /alive HTTP/1.1', 'Host: a', 'Host: a'), shut(400)], // RFC 9112, 3.2
  ['twice, in another case', head('GET /alive HTTP/1.1', 'Host: a', 'hOST: b'), shut(400)],
  ['twice in HTTP/1.0', head('GET /alive HTTP/1.0', 'Host: a', 'Host: b'), shut(400)],
  ['last of all fields', head('GET /alive HTTP/1.1', 'X: 1', 'Y: 2', 'Host: a'), open(200)],
]

const values: ReadonlyArray<readonly [value: string, expected: Expected]> = [
  ['a.example', open(200)], // RFC 9110, 7.2
  ['A.EXAMPLE', open(200)], // RFC 3986, 3.2.2
  ['a.example:8080', open(200)],
  ['a.example:', open(200)], // RFC 3986, 3.2.3: the port may be empty
  ['a_b', open(200)],
  ['%61', open(200)],
  ['127.0.0.1', open(200)],
  ['[::1]', open(200)],
  ['[::ffff:127.0.0.1]:80', open(200)],
  ['', open(200)], // RFC 9112, 3.2: for a target without an authority
  ['a.example:65536', shut(400)],
  ['a.example:80:80', shut(400)],
  ['a.example:x', shut(400)],
  ['a b', shut(400)],
  ['a/hunter2', shut(400)],
  ['a?hunter2', shut(400)],
  ['a#hunter2', shut(400)],
  ['hunter2@a.example', shut(400)], // no user information in uri-host
  ['a, b c', shut(400)],
  ['a%zz', shut(400)],
  ['a\\b', shut(400)],
  ['[::1', shut(400)],
  ['[:::1]', shut(400)],
  ['::1', shut(400)],
  ['[fe80::1%25eth0]', shut(400)],
  ['\xe9.example', shut(400)],
  ['http://a.example', shut(400)],
]

raw('Host', 'RFC 9112, 3.2', fields)
raw(
  'values of Host',
  'RFC 9110, 7.2',
  values.map(([value, expected]): Row => [
    value,
    head('GET /alive HTTP/1.1', `Host: ${value}`),
    expected,
  ]),
)
