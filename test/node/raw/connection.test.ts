import type { Row } from '../../support/raw.ts'
import { head, open, raw, shut, to } from '../../support/raw.ts'

const kept = open([200, 'alive', { connection: 'keep-alive' }])
const closed = shut([200, 'alive', { connection: 'close' }])

const old = (...options: ReadonlyArray<string>): string =>
  head('GET /alive HTTP/1.0', ...options.map((option) => `Connection: ${option}`))

const current = (...options: ReadonlyArray<string>): string =>
  to('GET /alive', ...options.map((option) => `Connection: ${option}`))

/** The value of `Connection`, a line each, and whether it keeps a connection of HTTP/1.0 and of HTTP/1.1. */
const cases: ReadonlyArray<
  readonly [lines: ReadonlyArray<string>, keepsOld: boolean, keeps: boolean]
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

const rows = cases.flatMap(([lines, keepsOld, keeps]): ReadonlyArray<Row> => {
  const title = JSON.stringify(lines)
  return [
    [`HTTP/1.0 with ${title}`, old(...lines), keepsOld ? kept : closed],
    [`HTTP/1.1 with ${title}`, current(...lines), keeps ? kept : closed],
  ]
})

const both = 'Connection: keep-alive, close'

raw('Connection', 'RFC 9112, 9.3', rows)

raw('requests after Connection: keep-alive, close', 'RFC 9112, 9.6', [
  ['HTTP/1.0, then HTTP/1.0', old('keep-alive, close').repeat(2), closed],
  ['HTTP/1.0, then HTTP/1.1', old('keep-alive, close') + current(), closed],
  [
    'a slow one of HTTP/1.0, then another',
    head('GET /slow HTTP/1.0', both) + current(),
    shut([200, 'slow', { connection: 'close' }]),
  ],
  ['an error', head('GET /nothing HTTP/1.0', both) + current(), shut(404)],
  [
    'after a request that keeps the connection',
    old('keep-alive') + old('keep-alive, close') + current(),
    shut([200, 'alive', { connection: 'keep-alive' }], [200, 'alive', { connection: 'close' }]),
  ],
])
