import type { Expected, Row } from '../../support/raw.ts'
import { head, keepsOpen, rawRequests, closes } from '../../support/raw.ts'

const lines: ReadonlyArray<Row> = [
  ['missing', head('GET /alive HTTP/1.1'), closes(400)], // RFC 9112, 3.2
  ['missing, with another header', head('GET /alive HTTP/1.1', 'X-Host: a'), closes(400)],
  ['missing in HTTP/1.0', head('GET /alive HTTP/1.0'), closes(200)], // RFC 9112, 3.2: required only in HTTP/1.1
  ['twice', head('GET /alive HTTP/1.1', 'Host: a', 'Host: a'), closes(400)], // RFC 9112, 3.2
  ['twice, in another case', head('GET /alive HTTP/1.1', 'Host: a', 'hOST: b'), closes(400)],
  ['twice in HTTP/1.0', head('GET /alive HTTP/1.0', 'Host: a', 'Host: b'), closes(400)],
  ['after other headers', head('GET /alive HTTP/1.1', 'X: 1', 'Y: 2', 'Host: a'), keepsOpen(200)],
]

const values: ReadonlyArray<readonly [value: string, expected: Expected]> = [
  ['a.example', keepsOpen(200)], // RFC 9110, 7.2
  ['A.EXAMPLE', keepsOpen(200)], // RFC 3986, 3.2.2
  ['a.example:8080', keepsOpen(200)],
  ['a.example:', keepsOpen(200)], // RFC 3986, 3.2.3: the port may be empty
  ['a_b', keepsOpen(200)],
  ['%61', keepsOpen(200)],
  ['127.0.0.1', keepsOpen(200)],
  ['[::1]', keepsOpen(200)],
  ['[::ffff:127.0.0.1]:80', keepsOpen(200)],
  ['', keepsOpen(200)], // RFC 9112, 3.2: for a target without an authority
  ['a.example:65536', closes(400)],
  ['a.example:80:80', closes(400)],
  ['a.example:x', closes(400)],
  ['a b', closes(400)],
  ['a/hunter2', closes(400)],
  ['a?hunter2', closes(400)],
  ['a#hunter2', closes(400)],
  ['hunter2@a.example', closes(400)], // no user information in uri-host
  ['a, b c', closes(400)],
  ['a%zz', closes(400)],
  ['a\\b', closes(400)],
  ['[::1', closes(400)],
  ['[:::1]', closes(400)],
  ['::1', closes(400)],
  ['[fe80::1%25eth0]', closes(400)],
  ['\xe9.example', closes(400)],
  ['http://a.example', closes(400)],
]

rawRequests('Host', 'RFC 9112, 3.2', lines)
rawRequests(
  'values of Host',
  'RFC 9110, 7.2',
  values.map(([value, expected]): Row => [
    value,
    head('GET /alive HTTP/1.1', `Host: ${value}`),
    expected,
  ]),
)
