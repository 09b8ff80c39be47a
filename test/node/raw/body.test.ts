import type { Expected, Row } from '../../support/raw.ts'
import { chunked, mostContent, open, raw, sending, shut, to, utf8 } from '../../support/raw.ts'

const octets = (count: number): string => 'x'.repeat(count)
const most = mostContent

const sizes: ReadonlyArray<Row> = [
  ['one less, announced', sending('POST /octets', octets(most - 1)), open([200, `${most - 1}`])],
  ['as many, announced', sending('POST /octets', octets(most)), open([200, `${most}`])],
  ['one more, announced', sending('POST /octets', octets(most + 1)), shut(413)], // RFC 9110, 15.5.14
  ['one less, in a chunk', chunked('POST /octets', [octets(most - 1)]), open([200, `${most - 1}`])],
  ['as many, in a chunk', chunked('POST /octets', [octets(most)]), open([200, `${most}`])],
  ['one more, in a chunk', chunked('POST /octets', [octets(most + 1)]), shut(413)],
  ['one more, in two', chunked('POST /octets', [octets(most), 'x']), shut(413)],
  ['one more, none of it sent', to('POST /octets', `Content-Length: ${most + 1}`), shut(413)],
  ['2^53 octets, none sent', to('POST /octets', 'Content-Length: 9007199254740992'), shut(413)],
  ['too many for one that reads none', sending('POST /guarded', octets(most + 1)), shut(401)],
  ['as many for one that reads none', sending('POST /guarded', octets(most)), open(401)],
  [
    'more than was announced',
    `${to('POST /text', 'Content-Length: 3')}abc\0`,
    shut([200, 'abc'], 400),
  ], // RFC 9112, 6.3
  [
    'a request more than was announced',
    sending('POST /text', 'abc') + to('GET /alive'),
    open(200, 200),
  ],
  ['no octets', sending('POST /text', ''), open([200, ''])],
  ['octets of every kind', sending('POST /octets', '\0\r\n\r\n\xff'), open([200, '6'])],
]

/** RFC 9110, 8.3 and 5.6.6: one operation takes JSON alone. */
const types: ReadonlyArray<readonly [contentType: string, expected: Expected]> = [
  ['application/json', open(200)],
  ['APPLICATION/Json', open(200)],
  ['application/json;charset=utf-8', open(200)],
  ['application/json ; charset=UTF-8', open(200)],
  ['application/json;charset="utf-8"', open(200)],
  ['application/json;CHARSET=us-ascii', open(200)],
  ['application/json;', open(200)],
  ['application/json; x=y', open(200)],
  ['  application/json\t', open(200)],
  ['application/json\t;charset=utf-8', open(200)],
  ['application/json;charset=utf-16', open(415)],
  ['application/json;charset=hunter2', open([415, /./])],
  [
    'application/jsonx',
    open([415, /./, { accept: 'application/json', 'accept-post': 'application/json' }]),
  ],
  ['application/vnd.x+json', open(415)],
  ['text/plain', open(415)],
  ['multipart/form-data', open(415)],
  ['application/x-www-form-urlencoded', open(415)],
  ['application/json, text/plain', open(415)],
  ['text/plain, application/json', open(415)],
  ['text/plain;a="application/json"', open(415)],
  ['application/json x', open(415)],
  ['application/json;x', open(415)],
  ['application/json;x="', open(415)],
  ['application/json/x', open(415)],
  ['application /json', open(415)],
  ['application/', open(415)],
  ['/json', open(415)],
  ['json', open(415)],
  ['application/*', open(415)],
  ['*/*', open(415)],
  ['application/json\xa0', open(415)],
  ['', open(415)],
]

const others: ReadonlyArray<Row> = [
  ['no Content-Type', sending('POST /json', '{"name":"a"}'), open([200, '{"name":"a"}'])], // RFC 9110, 8.3
  ['Content-Type without content', to('GET /alive', 'Content-Type: hunter2'), open(200)],
  [
    'gzip',
    sending('POST /text', 'abc', 'Content-Encoding: gzip'),
    open([415, /./, { 'accept-encoding': 'identity' }]),
  ], // RFC 9110, 15.5.16
  ['gzip and br', sending('POST /text', 'abc', 'Content-Encoding: gzip, br'), open(415)], // RFC 9110, 8.4
  ['an unknown coding', sending('POST /text', 'abc', 'Content-Encoding: hunter2'), open(415)],
  [
    'two codings on two lines',
    sending('POST /text', 'abc', 'Content-Encoding: identity', 'Content-Encoding: gzip'),
    open(415),
  ],
  [
    'what only looks like identity',
    sending('POST /text', 'abc', 'Content-Encoding: identity\xa0'),
    open(415),
  ],
  ['identity', sending('POST /text', 'abc', 'Content-Encoding: Identity'), open([200, 'abc'])],
  ['text in UTF-8', sending('POST /text', utf8('é€😀')), open([200, 'é€😀'])],
  ['text with a BOM', sending('POST /text', utf8('\uFEFFa')), open([200, 'a'])], // RFC 3629, 6
  ['text that is not UTF-8', sending('POST /text', 'hunter2\xff'), open(400)], // RFC 3629, 3
  ['text in overlong UTF-8', sending('POST /text', '\xc0\xaf'), open(400)], // RFC 3629, 3
  ['text of a surrogate', sending('POST /text', '\xed\xa0\x80'), open(400)], // RFC 3629, 3
  ['text cut short', sending('POST /text', '\xe2\x82'), open(400)], // RFC 3629, 3
  [
    'text in Latin-1',
    sending('POST /text', '\xe9', 'Content-Type: text/plain;charset=iso-8859-1'),
    open([200, 'é']),
  ], // RFC 9110, 8.3.2
  [
    'text in what nobody knows',
    sending('POST /text', 'a', 'Content-Type: text/plain;charset=x-hunter'),
    open(415),
  ], // RFC 9110, 8.3.2
]

raw('size of contents', 'RFC 9110, 15.5.14', sizes)
raw(
  'Content-Type',
  'RFC 9110, 8.3',
  types.map(([type, expected]): Row => [
    type,
    sending('POST /json', '{"name":"a"}', `Content-Type: ${type}`),
    expected,
  ]),
)
raw('contents', 'RFC 9110, 8.3 and 8.4', others)
