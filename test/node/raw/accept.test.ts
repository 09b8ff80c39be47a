import type { Expected, Row } from '../../support/raw.ts'
import { keepsOpen, rawRequests, rawRequest } from '../../support/raw.ts'

const responds = (type: string, body = 'one'): Expected =>
  keepsOpen([200, body, { 'content-type': type, vary: 'Accept' }])
const json = responds('application/json', '"one"')
const plain = responds('text/plain;charset=UTF-8')
const html = responds('text/html;charset=UTF-8')
const notAcceptable = keepsOpen([
  406,
  /"supported":\["application\/json","text\/plain","text\/html"\]/,
  { vary: 'Accept' },
])

/** The operation produces, in this order, application/json, text/plain and text/html. */
const values: ReadonlyArray<readonly [accept: string, expected: Expected]> = [
  ['*/*', json], // RFC 9110, 12.5.1
  ['', json], // an empty list is ignored
  [',', json], // RFC 9110, 5.6.1.2
  ['application/json', json],
  ['text/plain', plain],
  ['TEXT/Plain', plain],
  ['text/html', html],
  ['text/*', plain],
  ['text/plain, text/html', plain],
  ['text/plain;q=0.1, text/html;q=0.2', html],
  ['text/html;q=0.1, text/*;q=0.9', plain], // the most specific range applies
  ['*/*, application/json;q=0', plain],
  ['text/plain;q=0, */*;q=0.001', json],
  ['text/html;level=1, text/plain;q=0.5', plain], // a parameter that the representation lacks
  ['text/plain;charset=utf-16', plain],
  ['text/plain; q=1.000 ,', plain],
  ['text/plain, hunter2', plain], // only the malformed member is ignored
  ['"text/html", text/plain', plain],
  ['image/png', notAcceptable], // RFC 9110, 15.5.7
  ['text/plain;q=0', notAcceptable],
  ['*/*;q=0', notAcceptable],
  ['application/problem+json', json], // only a type of errors
  [`a/${'b'.repeat(5000)}`, notAcceptable],
  [Array.from({ length: 2000 }, (_, index) => `a/b${index}`).join(), notAcceptable],
  ['hunter2', keepsOpen(400)],
  ['*/plain', keepsOpen(400)],
  ['text/plain;q=2', keepsOpen(400)],
  ['text/plain;q=1.0000', keepsOpen(400)],
  ['text/plain;q=-1', keepsOpen(400)],
  ['\xe9', keepsOpen(400)],
]

const others: ReadonlyArray<Row> = [
  ['no Accept', rawRequest('GET /choice'), json],
  [
    'Accept for an operation without a response body',
    rawRequest('DELETE /thing', 'Accept: image/png'),
    keepsOpen(204),
  ],
  [
    'an operation with one representation',
    rawRequest('GET /vendor', 'Accept: application/*'),
    keepsOpen([200, '"one"', { vary: undefined }]),
  ],
  [
    'application/json for a +json suffix',
    rawRequest('GET /vendor', 'Accept: application/json'),
    keepsOpen(406),
  ],
  [
    '404 for a browser',
    rawRequest('GET /nothing', 'Accept: text/html'),
    keepsOpen([404, /^<!doctype html>/, { 'content-type': 'text/html;charset=UTF-8' }]),
  ],
  [
    '404 as text',
    rawRequest('GET /nothing', 'Accept: text/plain'),
    keepsOpen([404, /^404 Not Found\n/]),
  ],
  [
    '404 as JSON',
    rawRequest('GET /nothing', 'Accept: application/json'),
    keepsOpen([404, /^{/, { 'content-type': 'application/problem+json' }]),
  ],
  [
    '404 with an unavailable media type',
    rawRequest('GET /nothing', 'Accept: image/png'),
    keepsOpen([404, /^{/]),
  ],
  [
    '404 with a malformed Accept',
    rawRequest('GET /nothing', 'Accept: hunter2'),
    keepsOpen([404, /^{/]),
  ],
  [
    'Accept-Encoding',
    rawRequest('GET /alive', 'Accept-Encoding: gzip, br'),
    keepsOpen([200, 'alive', { 'content-encoding': undefined }]),
  ],
  ['Accept-Charset', rawRequest('GET /alive', 'Accept-Charset: utf-16'), keepsOpen([200, 'alive'])],
  [
    'Range for an operation without ranges',
    rawRequest('GET /alive', 'Range: bytes=0-1'),
    keepsOpen([200, 'alive']),
  ], // RFC 9110, 14.2
]

rawRequests('Accept', 'RFC 9110, 12.5.1', [
  ...values.map(([accept, expected]): Row => [
    accept,
    rawRequest('GET /choice', `Accept: ${accept}`),
    expected,
  ]),
  ...others,
])
