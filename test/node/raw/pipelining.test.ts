import type { Row } from '../../support/raw.ts'
import {
  chunkedRequest,
  head,
  keepsOpen,
  rawRequests,
  requestWithBody,
  closes,
  rawRequest,
} from '../../support/raw.ts'

const alive = rawRequest('GET /alive')
const slow = rawRequest('GET /slow')
const garbage = '\0hunter2\r\n\r\n'
const close = 'Connection: close'
const malformed = `${rawRequest('POST /text', 'Transfer-Encoding: chunked')}3\r\nabcd`

/** RFC 9112, 9.3.2: responses are sent in the order of the requests. */
const valid: ReadonlyArray<Row> = [
  ['two requests', alive + alive, keepsOpen([200, 'alive'], [200, 'alive'])],
  ['fifty requests', alive.repeat(50), keepsOpen(...Array.from({ length: 50 }, () => 200))],
  ['a slow request first', slow + alive, keepsOpen([200, 'slow'], [200, 'alive'])],
  [
    'two slow requests first',
    slow + slow + alive,
    keepsOpen([200, 'slow'], [200, 'slow'], [200, 'alive']),
  ],
  [
    'requests with bodies',
    requestWithBody('POST /text', 'a') + chunkedRequest('POST /text', ['b', 'c']) + alive,
    keepsOpen([200, 'a'], [200, 'bc'], [200, 'alive']),
  ],
  ['an empty line between requests', `${alive}\r\n${alive}`, keepsOpen(200, 200)], // 2.2
  [
    'errors between requests',
    rawRequest('GET /nothing') + alive + rawRequest('PUT /alive') + alive,
    keepsOpen(404, 200, 405, 200),
  ],
  ['an unread body', requestWithBody('POST /guarded', alive) + alive, keepsOpen(401, 200)], // 9.3: the body is not a request
  [
    'a rejected body',
    requestWithBody('POST /json', alive, 'Content-Type: a/b') + alive,
    keepsOpen(415, 200),
  ],
  [
    'internal errors',
    rawRequest('GET /broken') + slow + rawRequest('GET /broken'),
    keepsOpen(500, 200, 500),
  ],
]

/** A complete request gets its response even if invalid data follows. */
const invalid: ReadonlyArray<Row> = [
  ['a request, then garbage', alive + garbage, closes([200, 'alive'], 400)], // 2.2
  ['a slow request, then garbage', slow + garbage, closes([200, 'slow'], 400)],
  [
    'three requests, then garbage',
    slow + alive + requestWithBody('POST /text', 'a') + garbage,
    closes(200, 200, [200, 'a'], 400),
  ],
  ['a slow request, then much garbage', slow + '\0'.repeat(2_000_000), closes([200, 'slow'], 400)],
  ['garbage, then a request', garbage + alive, closes(400)], // data after an error is not trusted
  ['a request, then malformed chunks', alive + malformed, closes([200, 'alive'], 400)],
  ['a slow request, then malformed chunks', slow + malformed, closes([200, 'slow'], 400)],
  ['malformed chunks, then a request', malformed + alive, closes(400)], // 9.3
  [
    'a slow request, then an invalid head',
    slow + head('GET /alive HTTP/1.1') + alive,
    closes(200, 400),
  ],
  [
    'a slow request, then a head above the limit',
    slow + rawRequest('GET /alive', `X: ${'x'.repeat(50_000)}`),
    closes(200, 431),
  ],
  [
    'a slow request, then an unsupported version',
    slow + head('GET /alive HTTP/2.0', 'Host: a'),
    closes(200, 505),
  ],
  [
    'a slow request, then an unsupported transfer coding',
    slow + rawRequest('POST /text', 'Transfer-Encoding: gzip'),
    closes(200, 400),
  ],
]

/** RFC 9112, 9.6: data after the last request of a connection gets no response. */
const closed: ReadonlyArray<Row> = [
  ['close', rawRequest('GET /alive', close), closes([200, 'alive'])],
  ['close, then a request', rawRequest('GET /alive', close) + alive, closes([200, 'alive'])],
  ['close, then garbage', rawRequest('GET /alive', close) + garbage, closes([200, 'alive'])],
  ['close and slow, then a request', rawRequest('GET /slow', close) + alive, closes([200, 'slow'])],
  ['close and slow, then garbage', rawRequest('GET /slow', close) + garbage, closes([200, 'slow'])],
  [
    'close in a list',
    rawRequest('GET /alive', 'Connection: x, Close') + alive,
    closes([200, 'alive']),
  ], // RFC 9110, 7.6.1
  ['close on an error', rawRequest('GET /nothing', close) + alive, closes(404)],
  [
    'close on the second request',
    slow + rawRequest('GET /alive', close) + alive,
    closes([200, 'slow'], [200, 'alive']),
  ],
  ['HTTP/1.0, then a request', head('GET /alive HTTP/1.0') + alive, closes([200, 'alive'])], // 9.3
  [
    'a response before the body, then a request',
    rawRequest('POST /guarded', 'Content-Length: 999999') + alive,
    closes(401),
  ],
]

rawRequests('pipelining', 'RFC 9112, 9.3.2', valid)
rawRequests('pipelining and errors', 'RFC 9112, 9.3.2 and 9.6', invalid)
rawRequests('requests after the last', 'RFC 9112, 9.6', closed)
