import type { Row } from '../../support/raw.ts'
import { open, raw, sending, to } from '../../support/raw.ts'

const contents: ReadonlyArray<Row> = [
  ['GET', to('GET /alive'), open([200, 'alive', { 'content-length': '5' }])], // RFC 9110, 8.6
  ['HEAD', to('HEAD /alive'), open([200, '', { 'content-length': '5' }])], // RFC 9110, 9.3.2
  ['HEAD of text beyond ASCII', to('HEAD /framed'), open([200, '', { 'content-length': '2' }])],
  ['HEAD of an error', to('HEAD /nothing'), open([404, '', { 'content-length': /^\d+$/ }])],
  ['HEAD of a defect', to('HEAD /broken'), open([500, ''])],
  [
    'HEAD where there is no GET',
    to('HEAD /text'),
    open([405, '', { allow: 'POST, PUT, OPTIONS' }]),
  ],
  ['HEAD, three of them', to('HEAD /alive').repeat(3), open([200, ''], [200, ''], [200, ''])],
  ['204', to('DELETE /thing'), open([204, '', { 'content-length': undefined }])], // RFC 9110, 15.3.5
  ['204 and then more', to('DELETE /thing') + to('GET /alive'), open([204, ''], [200, 'alive'])],
  ['204 of a request with content', sending('PUT /text', 'abc'), open([204, ''])],
  ['205', to('GET /reset'), open([205, '', { 'content-length': '0' }])], // RFC 9110, 15.3.6
  ['205 and then more', to('GET /reset') + to('GET /alive'), open([205, ''], [200, 'alive'])],
  ['HEAD of 205', to('HEAD /reset'), open([205, ''])],
  ['304', to('GET /fresh'), open([304, '', { etag: '"1"', 'content-length': undefined }])], // RFC 9110, 15.4.5
  ['304 and then more', to('GET /fresh') + to('GET /alive'), open([304, ''], [200, 'alive'])],
  ['HEAD of 304', to('HEAD /fresh'), open([304, ''])],
  ['a handler that frames', to('GET /framed'), open([200, 'é', { 'content-length': '2' }])], // RFC 9112, 6
  ['an empty text', sending('POST /text', ''), open([200, '', { 'content-length': '0' }])],
]

const methods: ReadonlyArray<Row> = [
  ['OPTIONS', to('OPTIONS /alive'), open([204, '', { allow: 'GET, HEAD, OPTIONS' }])], // RFC 9110, 9.3.7
  ['OPTIONS without GET', to('OPTIONS /text'), open([204, '', { allow: 'POST, PUT, OPTIONS' }])],
  ['OPTIONS with content', sending('OPTIONS /alive', 'abc'), open(204)],
  ['OPTIONS of nothing', to('OPTIONS /nothing'), open(404)],
  ['OPTIONS of what cannot be decoded', to('OPTIONS /segment/%FF'), open(400)],
  ['PUT', to('PUT /alive'), open([405, /./, { allow: 'GET, HEAD, OPTIONS' }])], // RFC 9110, 15.5.6
  ['PATCH', to('PATCH /text'), open([405, /./, { allow: 'POST, PUT, OPTIONS' }])],
  ['PUT of nothing', to('PUT /nothing'), open(404)],
  ['TRACE', to('TRACE /alive', 'X: hunter2'), open([405, /./, { allow: 'GET, HEAD, OPTIONS' }])], // RFC 9110, 9.3.8: not reflected
  ['an undeclared PROPFIND', to('PROPFIND /alive'), open(501)], // RFC 9110, 9.1
  ['M-SEARCH', to('M-SEARCH /alive'), open(501)],
  [
    'POST where a method is overridden',
    to('POST /alive', 'X-HTTP-Method-Override: GET'),
    open(405),
  ],
]

const upgrades: ReadonlyArray<Row> = [
  [
    'WebSocket',
    to('GET /alive', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'),
    open([200, 'alive', { upgrade: undefined }]),
  ], // RFC 9110, 7.8
  [
    'HTTP/2',
    to(
      'GET /alive',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABk',
    ),
    open([200, 'alive']),
  ], // RFC 9113, 3.1
  ['TLS', to('OPTIONS *', 'Connection: Upgrade', 'Upgrade: TLS/1.0'), open(204)], // RFC 2817, 3.2
  [
    'with content',
    sending('POST /text', 'abc', 'Connection: Upgrade', 'Upgrade: x'),
    open([200, 'abc']),
  ],
  ['without Connection', to('GET /alive', 'Upgrade: websocket'), open([200, 'alive'])],
]

const errors: ReadonlyArray<Row> = [
  ['a handler that throws', to('GET /broken'), open([500, /"title":"Internal Server Error"/])],
  ['a handler that throws, twice', to('GET /broken').repeat(2), open(500, 500)],
  [
    'a handler that throws, for a browser',
    to('GET /broken', 'Accept: text/html, */*;q=0.1'),
    open([500, /<h1>500/]),
  ],
  ['a handler that refuses', to('GET /forbidden'), open([403, /"detail":"Not on Sundays."/])],
  [
    'a handler that asks for credentials',
    to('POST /guarded'),
    open([401, /./, { 'www-authenticate': 'Basic' }]),
  ],
]

raw('contents of answers', 'RFC 9110, 6.4.1', contents)
raw('methods', 'RFC 9110, 9', methods)
raw('Upgrade', 'RFC 9110, 7.8', upgrades)
raw('errors', 'RFC 9110, 15.5 and 15.6', errors)
