import type { Expected, Row } from '../../support/raw.ts'
import {
  chunkedRequest,
  maxBodySize,
  keepsOpen,
  rawRequests,
  requestWithBody,
  closes,
  rawRequest,
  utf8,
} from '../../support/raw.ts'

const repeat = (count: number): string => 'x'.repeat(count)

const sizes: ReadonlyArray<Row> = [
  [
    'Content-Length below the limit',
    requestWithBody('POST /bytes', repeat(maxBodySize - 1)),
    keepsOpen([200, `${maxBodySize - 1}`]),
  ],
  [
    'Content-Length at the limit',
    requestWithBody('POST /bytes', repeat(maxBodySize)),
    keepsOpen([200, `${maxBodySize}`]),
  ],
  [
    'Content-Length above the limit',
    requestWithBody('POST /bytes', repeat(maxBodySize + 1)),
    closes(413),
  ], // RFC 9110, 15.5.14
  [
    'a chunk below the limit',
    chunkedRequest('POST /bytes', [repeat(maxBodySize - 1)]),
    keepsOpen([200, `${maxBodySize - 1}`]),
  ],
  [
    'a chunk at the limit',
    chunkedRequest('POST /bytes', [repeat(maxBodySize)]),
    keepsOpen([200, `${maxBodySize}`]),
  ],
  [
    'a chunk above the limit',
    chunkedRequest('POST /bytes', [repeat(maxBodySize + 1)]),
    closes(413),
  ],
  [
    'two chunks above the limit',
    chunkedRequest('POST /bytes', [repeat(maxBodySize), 'x']),
    closes(413),
  ],
  [
    'Content-Length above the limit without a body',
    rawRequest('POST /bytes', `Content-Length: ${maxBodySize + 1}`),
    closes(413),
  ],
  [
    'Content-Length of 2^53 without a body',
    rawRequest('POST /bytes', 'Content-Length: 9007199254740992'),
    closes(413),
  ],
  [
    'a body above the limit for an operation that reads none',
    requestWithBody('POST /guarded', repeat(maxBodySize + 1)),
    closes(401),
  ],
  [
    'a body at the limit for an operation that reads none',
    requestWithBody('POST /guarded', repeat(maxBodySize)),
    keepsOpen(401),
  ],
  [
    'a byte after the body',
    `${rawRequest('POST /text', 'Content-Length: 3')}abc\0`,
    closes([200, 'abc'], 400),
  ], // RFC 9112, 6.3
  [
    'a request after the body',
    requestWithBody('POST /text', 'abc') + rawRequest('GET /alive'),
    keepsOpen(200, 200),
  ],
  ['an empty body', requestWithBody('POST /text', ''), keepsOpen([200, ''])],
  ['binary bytes', requestWithBody('POST /bytes', '\0\r\n\r\n\xff'), keepsOpen([200, '6'])],
]

/** RFC 9110, 8.3 and 5.6.6: the operation accepts only JSON. */
const types: ReadonlyArray<readonly [contentType: string, expected: Expected]> = [
  ['application/json', keepsOpen(200)],
  ['APPLICATION/Json', keepsOpen(200)],
  ['application/json;charset=utf-8', keepsOpen(200)],
  ['application/json ; charset=UTF-8', keepsOpen(200)],
  ['application/json;charset="utf-8"', keepsOpen(200)],
  ['application/json;CHARSET=us-ascii', keepsOpen(200)],
  ['application/json;', keepsOpen(200)],
  ['application/json; x=y', keepsOpen(200)],
  ['  application/json\t', keepsOpen(200)],
  ['application/json\t;charset=utf-8', keepsOpen(200)],
  ['application/json;charset=utf-16', keepsOpen(415)],
  ['application/json;charset=hunter2', keepsOpen([415, /./])],
  [
    'application/jsonx',
    keepsOpen([415, /./, { accept: 'application/json', 'accept-post': 'application/json' }]),
  ],
  ['application/vnd.x+json', keepsOpen(415)],
  ['text/plain', keepsOpen(415)],
  ['multipart/form-data', keepsOpen(415)],
  ['application/x-www-form-urlencoded', keepsOpen(415)],
  ['application/json, text/plain', keepsOpen(415)],
  ['text/plain, application/json', keepsOpen(415)],
  ['text/plain;a="application/json"', keepsOpen(415)],
  ['application/json x', keepsOpen(415)],
  ['application/json;x', keepsOpen(415)],
  ['application/json;x="', keepsOpen(415)],
  ['application/json/x', keepsOpen(415)],
  ['application /json', keepsOpen(415)],
  ['application/', keepsOpen(415)],
  ['/json', keepsOpen(415)],
  ['json', keepsOpen(415)],
  ['application/*', keepsOpen(415)],
  ['*/*', keepsOpen(415)],
  ['application/json\xa0', keepsOpen(415)],
  ['', keepsOpen(415)],
]

const others: ReadonlyArray<Row> = [
  [
    'no Content-Type',
    requestWithBody('POST /json', '{"name":"a"}'),
    keepsOpen([200, '{"name":"a"}']),
  ], // RFC 9110, 8.3
  [
    'Content-Type without a body',
    rawRequest('GET /alive', 'Content-Type: hunter2'),
    keepsOpen(200),
  ],
  [
    'gzip',
    requestWithBody('POST /text', 'abc', 'Content-Encoding: gzip'),
    keepsOpen([415, /./, { 'accept-encoding': 'identity' }]),
  ], // RFC 9110, 15.5.16
  [
    'gzip and br',
    requestWithBody('POST /text', 'abc', 'Content-Encoding: gzip, br'),
    keepsOpen(415),
  ], // RFC 9110, 8.4
  [
    'an unknown content coding',
    requestWithBody('POST /text', 'abc', 'Content-Encoding: hunter2'),
    keepsOpen(415),
  ],
  [
    'two content codings on two lines',
    requestWithBody('POST /text', 'abc', 'Content-Encoding: identity', 'Content-Encoding: gzip'),
    keepsOpen(415),
  ],
  [
    'identity with a no-break space',
    requestWithBody('POST /text', 'abc', 'Content-Encoding: identity\xa0'),
    keepsOpen(415),
  ],
  [
    'identity',
    requestWithBody('POST /text', 'abc', 'Content-Encoding: Identity'),
    keepsOpen([200, 'abc']),
  ],
  ['text in UTF-8', requestWithBody('POST /text', utf8('é€😀')), keepsOpen([200, 'é€😀'])],
  ['text with a BOM', requestWithBody('POST /text', utf8('\uFEFFa')), keepsOpen([200, 'a'])], // RFC 3629, 6
  ['invalid UTF-8', requestWithBody('POST /text', 'hunter2\xff'), keepsOpen(400)], // RFC 3629, 3
  ['overlong UTF-8', requestWithBody('POST /text', '\xc0\xaf'), keepsOpen(400)], // RFC 3629, 3
  ['a surrogate in UTF-8', requestWithBody('POST /text', '\xed\xa0\x80'), keepsOpen(400)], // RFC 3629, 3
  ['truncated UTF-8', requestWithBody('POST /text', '\xe2\x82'), keepsOpen(400)], // RFC 3629, 3
  [
    'text in Latin-1',
    requestWithBody('POST /text', '\xe9', 'Content-Type: text/plain;charset=iso-8859-1'),
    keepsOpen([200, 'é']),
  ], // RFC 9110, 8.3.2
  [
    'text in an unknown charset',
    requestWithBody('POST /text', 'a', 'Content-Type: text/plain;charset=x-hunter'),
    keepsOpen(415),
  ], // RFC 9110, 8.3.2
]

rawRequests('body size', 'RFC 9110, 15.5.14', sizes)
rawRequests(
  'Content-Type',
  'RFC 9110, 8.3',
  types.map(([type, expected]): Row => [
    type,
    requestWithBody('POST /json', '{"name":"a"}', `Content-Type: ${type}`),
    expected,
  ]),
)
rawRequests('bodies', 'RFC 9110, 8.3 and 8.4', others)
