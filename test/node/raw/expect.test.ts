import type { Row } from '../../support/raw.ts'
import {
  chunkedRequest,
  head,
  maxBodySize,
  keepsOpen,
  rawRequests,
  requestWithBody,
  closes,
  rawRequest,
} from '../../support/raw.ts'

const continues = 'Expect: 100-continue'
const length = 'Content-Length: 3'

/** RFC 9110, 10.1.1. The client sends the body only after 100, so earlier errors save the transfer of the body. */
const rows: ReadonlyArray<Row> = [
  [
    'an operation with a body',
    `${rawRequest('POST /text', continues, length)}abc`,
    keepsOpen(100, [200, 'abc']),
  ],
  [
    'a chunked body',
    chunkedRequest('POST /text', ['abc'], continues),
    keepsOpen(100, [200, 'abc']),
  ],
  [
    'in another case',
    `${rawRequest('POST /text', 'Expect: 100-Continue', length)}abc`,
    keepsOpen(100, 200),
  ],
  [
    'valid parameters',
    `${rawRequest('POST /numbered/1', continues, length)}abc`,
    keepsOpen(100, 200),
  ],
  ['an unknown path', rawRequest('POST /nothing', continues, length), closes(404)],
  ['an unsupported method', rawRequest('DELETE /text', continues, length), closes(405)],
  [
    'an unsupported media type',
    rawRequest('POST /json', continues, length, 'Content-Type: text/plain'),
    closes(415),
  ],
  [
    'an unsupported content coding',
    rawRequest('POST /text', continues, length, 'Content-Encoding: gzip'),
    closes(415),
  ],
  [
    'no acceptable representation',
    rawRequest('POST /text', continues, length, 'Accept: image/png'),
    closes(406),
  ],
  ['an invalid parameter', rawRequest('POST /numbered/hunter2', continues, length), closes(404)],
  ['a handler that returns 401', rawRequest('POST /guarded', continues, length), closes(401)],
  [
    'a body above the limit',
    rawRequest('POST /text', continues, `Content-Length: ${maxBodySize + 1}`),
    closes(413),
  ],
  ['an invalid head', head('POST /text HTTP/1.1', continues, length), closes(400)],
  [
    'a transfer coding other than chunked',
    rawRequest('POST /text', continues, 'Transfer-Encoding: gzip'),
    closes(400),
  ],
  ['a body sent without waiting', requestWithBody('POST /nothing', 'abc', continues), closes(404)],
  ['no body', rawRequest('GET /alive', continues), closes([200, 'alive'])],
  [
    'no body for an operation that reads one',
    rawRequest('POST /text', continues),
    keepsOpen(100, [200, '']),
  ],
  ['an empty body', requestWithBody('POST /text', '', continues), keepsOpen(100, [200, ''])],
  ['HTTP/1.0', `${head('POST /text HTTP/1.0', continues, length)}abc`, closes([200, 'abc'])], // must be ignored
  [
    'an unknown expectation',
    `${rawRequest('POST /text', 'Expect: hunter2', length)}abc`,
    closes(417),
  ], // RFC 9110, 15.5.18
  ['an unknown expectation without a body', rawRequest('GET /alive', 'Expect: a=b'), closes(417)],
  [
    'malformed chunks after 100',
    `${rawRequest('POST /text', continues, 'Transfer-Encoding: chunked')}z\r\n`,
    closes(100, 400),
  ],
]

rawRequests('Expect', 'RFC 9110, 10.1.1', rows)
