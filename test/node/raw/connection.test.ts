import type { Expected, Row } from '../../support/raw.ts'
import {
  byConnection,
  closes,
  head,
  keepsOpen,
  rawRequest,
  rawRequests,
  requestWithBody,
} from '../../support/raw.ts'

const persistent = keepsOpen([200, 'alive', { connection: 'keep-alive' }])
const closed = closes([200, 'alive', { connection: 'close' }])

const http10 = (...options: ReadonlyArray<string>): string =>
  head('GET /alive HTTP/1.0', ...options.map((option) => `Connection: ${option}`))

const http11 = (...options: ReadonlyArray<string>): string =>
  rawRequest('GET /alive', ...options.map((option) => `Connection: ${option}`))

/** The `Connection` header lines, and whether the connection persists with HTTP/1.0 and with HTTP/1.1. */
const cases: ReadonlyArray<
  readonly [lines: ReadonlyArray<string>, persistsInHttp10: boolean, persistsInHttp11: boolean]
> = [
  [[], false, true],
  [['keep-alive'], true, true],
  [['Keep-Alive'], true, true],
  [['close'], false, false],
  [['keep-alive, close'], false, false],
  [['close, keep-alive'], false, false],
  [['keep-alive,close'], false, false],
  [['KEEP-ALIVE , CLOSE'], false, false],
  [['keep-alive,\tclose'], false, false],
  [['keep-alive, , close,'], false, false],
  [[',, close ,, keep-alive'], false, false],
  [['keep-alive, x, close, y'], false, false],
  [['keep-alive', 'close'], false, false],
  [['close', 'keep-alive'], false, false],
  [['x', 'keep-alive', 'y, Close'], false, false],
  [['keep-alive', ''], true, true],
  [['keep-alive, "close"'], true, true], // a quoted string is not an option
  [['keep-alive, closed'], true, true],
  [['keep-alive, close;q=1'], true, true],
  [['keep-alive, xclose'], true, true],
]

const rows = cases.flatMap(([lines, persistsInHttp10, persistsInHttp11]): ReadonlyArray<Row> => {
  const title = JSON.stringify(lines)
  return [
    [`HTTP/1.0 with ${title}`, http10(...lines), persistsInHttp10 ? persistent : closed],
    [`HTTP/1.1 with ${title}`, http11(...lines), persistsInHttp11 ? persistent : closed],
  ]
})

const keepAliveAndClose = 'Connection: keep-alive, close'

rawRequests('Connection', 'RFC 9112, 9.3', rows)

rawRequests('requests after Connection: keep-alive, close', 'RFC 9112, 9.6', [
  ['HTTP/1.0, then HTTP/1.0', http10('keep-alive, close').repeat(2), closed],
  ['HTTP/1.0, then HTTP/1.1', http10('keep-alive, close') + http11(), closed],
  [
    'a slow HTTP/1.0 request, then another',
    head('GET /slow HTTP/1.0', keepAliveAndClose) + http11(),
    closes([200, 'slow', { connection: 'close' }]),
  ],
  [
    'a request with a 404 response',
    head('GET /nothing HTTP/1.0', keepAliveAndClose) + http11(),
    closes(404),
  ],
  [
    'a persistent request before',
    http10('keep-alive') + http10('keep-alive, close') + http11(),
    closes([200, 'alive', { connection: 'keep-alive' }], [200, 'alive', { connection: 'close' }]),
  ],
])

const upgrade = ['Connection: Upgrade', 'Upgrade: x']
/** Node.js drops the bytes behind such a request. */
const isLast = (status: number, body: string): Expected =>
  byConnection({
    node: closes([status, body, { connection: 'close' }]),
    direct: keepsOpen([status, body], [200, 'alive']),
  })

rawRequests('requests to change the protocol', 'RFC 9110, 7.8', [
  ['GET', rawRequest('GET /alive', ...upgrade) + http11(), isLast(200, 'alive')],
  [
    'a list of options',
    rawRequest('GET /alive', 'Connection: keep-alive, UPGRADE', 'Upgrade: x') + http11(),
    isLast(200, 'alive'),
  ],
  ['a body', requestWithBody('POST /text', 'abc', ...upgrade) + http11(), isLast(200, 'abc')],
  [
    'a slow request first',
    rawRequest('GET /slow') + rawRequest('GET /alive', ...upgrade),
    byConnection({ node: closes(200, [200, 'alive']), direct: keepsOpen(200, [200, 'alive']) }),
  ],
  [
    'Upgrade without Connection: Upgrade',
    rawRequest('GET /alive', 'Upgrade: x') + http11(),
    keepsOpen([200, 'alive'], [200, 'alive']),
  ],
])
