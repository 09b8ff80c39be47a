import type { Expected, ExpectedResponse, Row } from '../../support/raw.ts'
import {
  byConnection,
  closes,
  keepsOpen,
  rawRequests,
  requestWithBody,
  rawRequest,
} from '../../support/raw.ts'

const bodies: ReadonlyArray<Row> = [
  ['GET', rawRequest('GET /alive'), keepsOpen([200, 'alive', { 'content-length': '5' }])], // RFC 9110, 8.6
  ['HEAD', rawRequest('HEAD /alive'), keepsOpen([200, '', { 'content-length': '5' }])], // RFC 9110, 9.3.2
  [
    'HEAD of non-ASCII text',
    rawRequest('HEAD /framed'),
    keepsOpen([200, '', { 'content-length': '2' }]),
  ],
  [
    'HEAD of an error',
    rawRequest('HEAD /nothing'),
    keepsOpen([404, '', { 'content-length': /^\d+$/ }]),
  ],
  ['HEAD of an internal error', rawRequest('HEAD /broken'), keepsOpen([500, ''])],
  [
    'HEAD of a resource without GET',
    rawRequest('HEAD /text'),
    keepsOpen([405, '', { allow: 'POST, PUT, OPTIONS' }]),
  ],
  [
    'three HEAD requests',
    rawRequest('HEAD /alive').repeat(3),
    keepsOpen([200, ''], [200, ''], [200, '']),
  ],
  ['204', rawRequest('DELETE /thing'), keepsOpen([204, '', { 'content-length': undefined }])], // RFC 9110, 15.3.5
  [
    '204 before another response',
    rawRequest('DELETE /thing') + rawRequest('GET /alive'),
    keepsOpen([204, ''], [200, 'alive']),
  ],
  ['204 to a request with a body', requestWithBody('PUT /text', 'abc'), keepsOpen([204, ''])],
  ['205', rawRequest('GET /reset'), keepsOpen([205, '', { 'content-length': '0' }])], // RFC 9110, 15.3.6
  [
    '205 before another response',
    rawRequest('GET /reset') + rawRequest('GET /alive'),
    keepsOpen([205, ''], [200, 'alive']),
  ],
  ['HEAD of 205', rawRequest('HEAD /reset'), keepsOpen([205, ''])],
  [
    '304',
    rawRequest('GET /fresh'),
    keepsOpen([304, '', { etag: '"1"', 'content-length': undefined }]),
  ], // RFC 9110, 15.4.5
  [
    '304 before another response',
    rawRequest('GET /fresh') + rawRequest('GET /alive'),
    keepsOpen([304, ''], [200, 'alive']),
  ],
  ['HEAD of 304', rawRequest('HEAD /fresh'), keepsOpen([304, ''])],
  [
    'a handler that sets framing headers',
    rawRequest('GET /framed'),
    keepsOpen([200, 'é', { 'content-length': '2' }]),
  ], // RFC 9112, 6
  [
    'an empty body',
    requestWithBody('POST /text', ''),
    keepsOpen([200, '', { 'content-length': '0' }]),
  ],
]

const methods: ReadonlyArray<Row> = [
  ['OPTIONS', rawRequest('OPTIONS /alive'), keepsOpen([204, '', { allow: 'GET, HEAD, OPTIONS' }])], // RFC 9110, 9.3.7
  [
    'OPTIONS of a resource without GET',
    rawRequest('OPTIONS /text'),
    keepsOpen([204, '', { allow: 'POST, PUT, OPTIONS' }]),
  ],
  ['OPTIONS with a body', requestWithBody('OPTIONS /alive', 'abc'), keepsOpen(204)],
  ['OPTIONS of an unknown path', rawRequest('OPTIONS /nothing'), keepsOpen(404)],
  ['OPTIONS of an invalid path', rawRequest('OPTIONS /segment/%FF'), keepsOpen(400)],
  ['PUT', rawRequest('PUT /alive'), keepsOpen([405, /./, { allow: 'GET, HEAD, OPTIONS' }])], // RFC 9110, 15.5.6
  ['PATCH', rawRequest('PATCH /text'), keepsOpen([405, /./, { allow: 'POST, PUT, OPTIONS' }])],
  ['PUT of an unknown path', rawRequest('PUT /nothing'), keepsOpen(404)],
  [
    'TRACE',
    rawRequest('TRACE /alive', 'X: hunter2'),
    keepsOpen([405, /./, { allow: 'GET, HEAD, OPTIONS' }]),
  ], // RFC 9110, 9.3.8: not reflected
  ['an undeclared PROPFIND', rawRequest('PROPFIND /alive'), keepsOpen(501)], // RFC 9110, 9.1
  ['M-SEARCH', rawRequest('M-SEARCH /alive'), keepsOpen(501)],
  [
    'POST with X-HTTP-Method-Override',
    rawRequest('POST /alive', 'X-HTTP-Method-Override: GET'),
    keepsOpen(405),
  ],
]

/** The response to a request whose protocol is not changed. Node.js would drop the bytes behind it. */
const unswitched = (response: ExpectedResponse): Expected =>
  byConnection({ node: closes(response), direct: keepsOpen(response) })

const upgrades: ReadonlyArray<Row> = [
  [
    'WebSocket',
    rawRequest(
      'GET /alive',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
    ),
    unswitched([200, 'alive', { upgrade: undefined }]),
  ], // RFC 9110, 7.8
  [
    'HTTP/2',
    rawRequest(
      'GET /alive',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABk',
    ),
    unswitched([200, 'alive']),
  ], // RFC 9113, 3.1
  ['TLS', rawRequest('OPTIONS *', 'Connection: Upgrade', 'Upgrade: TLS/1.0'), unswitched(204)], // RFC 2817, 3.2
  [
    'a request with a body',
    requestWithBody('POST /text', 'abc', 'Connection: Upgrade', 'Upgrade: x'),
    unswitched([200, 'abc']),
  ],
  [
    'Upgrade without Connection',
    rawRequest('GET /alive', 'Upgrade: websocket'),
    keepsOpen([200, 'alive']),
  ],
]

const errors: ReadonlyArray<Row> = [
  [
    'a handler that throws',
    rawRequest('GET /broken'),
    keepsOpen([500, /"title":"Internal Server Error"/]),
  ],
  ['a handler that throws twice', rawRequest('GET /broken').repeat(2), keepsOpen(500, 500)],
  [
    'a handler that throws, requested by a browser',
    rawRequest('GET /broken', 'Accept: text/html, */*;q=0.1'),
    keepsOpen([500, /<h1>500/]),
  ],
  [
    'a handler that returns 403',
    rawRequest('GET /forbidden'),
    keepsOpen([403, /"detail":"Not on Sundays."/]),
  ],
  [
    'a handler that returns 401',
    rawRequest('POST /guarded'),
    keepsOpen([401, /./, { 'www-authenticate': 'Basic' }]),
  ],
]

rawRequests('response bodies', 'RFC 9110, 6.4.1', bodies)
rawRequests('methods', 'RFC 9110, 9', methods)
rawRequests('Upgrade', 'RFC 9110, 7.8', upgrades)
rawRequests('errors', 'RFC 9110, 15.5 and 15.6', errors)
