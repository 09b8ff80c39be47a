import type { Expected, Row } from '../../support/raw.ts'
import { open, raw, to } from '../../support/raw.ts'

const sends = (type: string, content = 'one'): Expected =>
  open([200, content, { 'content-type': type, vary: 'Accept' }])
const json = sends('application/json', '"one"')
const plain = sends('text/plain;charset=UTF-8')
const html = sends('text/html;charset=UTF-8')
const none = open([
  406,
  /"supported":\["application\/json","text\/plain","text\/html"\]/,
  { vary: 'Accept' },
])

/** On offer, in this order: application/json, text/plain, text/html. */
const fields: ReadonlyArray<readonly [accept: string, expected: Expected]> = [
  ['*/*', json], // RFC 9110, 12.5.1
  ['', json], // an empty list says nothing
  [',', json], // RFC 9110, 5.6.1.2
  ['application/json', json],
  ['text/plain', plain],
  ['TEXT/Plain', plain],
  ['text/html', html],
  ['text/*', plain],
  ['text/plain, text/html', plain],
  ['text/plain;q=0.1, text/html;q=0.2', html],
  ['text/html;q=0.1, text/*;q=0.9', plain], // the more specific range counts
  ['*/*, application/json;q=0', plain],
  ['text/plain;q=0, */*;q=0.001', json],
  ['text/html;level=1, text/plain;q=0.5', plain], // a parameter that the offer lacks
  ['text/plain;charset=utf-16', plain],
  ['text/plain; q=1.000 ,', plain],
  ['text/plain, hunter2', plain], // only the malformed member is ignored
  ['"text/html", text/plain', plain],
  ['image/png', none], // RFC 9110, 15.5.7
  ['text/plain;q=0', none],
  ['*/*;q=0', none],
  ['application/problem+json', none],
  [`a/${'b'.repeat(5000)}`, none],
  [Array.from({ length: 2000 }, (_, index) => `a/b${index}`).join(), none],
  ['hunter2', open(400)],
  ['*/plain', open(400)],
  ['text/plain;q=2', open(400)],
  ['text/plain;q=1.0000', open(400)],
  ['text/plain;q=-1', open(400)],
  ['\xe9', open(400)],
]

const others: ReadonlyArray<Row> = [
  ['no Accept', to('GET /choice'), json],
  ['Accept where nothing is produced', to('DELETE /thing', 'Accept: image/png'), open(204)],
  [
    'one offer',
    to('GET /vendor', 'Accept: application/*'),
    open([200, '"one"', { vary: undefined }]),
  ],
  ['a suffix is not a type', to('GET /vendor', 'Accept: application/json'), open(406)],
  [
    '404 for a browser',
    to('GET /nothing', 'Accept: text/html'),
    open([404, /^<!doctype html>/, { 'content-type': 'text/html;charset=UTF-8' }]),
  ],
  ['404 as text', to('GET /nothing', 'Accept: text/plain'), open([404, /^404 Not Found\n/])],
  [
    '404 as JSON',
    to('GET /nothing', 'Accept: application/json'),
    open([404, /^{/, { 'content-type': 'application/problem+json' }]),
  ],
  ['404 for what there is not', to('GET /nothing', 'Accept: image/png'), open([404, /^{/])],
  ['404 whatever Accept says', to('GET /nothing', 'Accept: hunter2'), open([404, /^{/])],
  [
    'Accept-Encoding',
    to('GET /alive', 'Accept-Encoding: gzip, br'),
    open([200, 'alive', { 'content-encoding': undefined }]),
  ],
  ['Accept-Charset', to('GET /alive', 'Accept-Charset: utf-16'), open([200, 'alive'])],
  ['Range where there are none', to('GET /alive', 'Range: bytes=0-1'), open([200, 'alive'])], // RFC 9110, 14.2
]

raw('Accept', 'RFC 9110, 12.5.1', [
  ...fields.map(([accept, expected]): Row => [
    accept,
    to('GET /choice', `Accept: ${accept}`),
    expected,
  ]),
  ...others,
])
