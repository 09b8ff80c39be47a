/** Tests of the heads of responses: framing, and rejection of invalid headers. */
import * as assert from 'uvu/assert'
import type { ResponseFraming } from '../../../src/node/direct/response-head.ts'
import { createHeadFormatter } from '../../../src/node/direct/response-head.ts'
import { describe, table } from '../../support/describe.ts'

const format = createHeadFormatter(['Keep-Alive', 'timeout=5'])
const framing: ResponseFraming = { length: 3, isChunked: false, closes: false }

/** Formats a head, and replaces the date. */
const formatUndated = (...arguments_: Parameters<typeof format>): string =>
  format(...arguments_).replace(/^Date: .*$/m, 'Date: -')

describe('createHeadFormatter', (test) => {
  table<readonly [title: string, framing: ResponseFraming, lines: ReadonlyArray<string>]>(
    test,
    [
      [
        'a known length',
        framing,
        ['Connection: keep-alive', 'Keep-Alive: timeout=5', 'Content-Length: 3'],
      ],
      [
        'the last response',
        { ...framing, closes: true },
        ['Connection: close', 'Content-Length: 3'],
      ],
      [
        'chunks',
        { ...framing, length: undefined, isChunked: true },
        ['Connection: keep-alive', 'Keep-Alive: timeout=5', 'Transfer-Encoding: chunked'],
      ],
      [
        'neither a length nor chunks',
        { ...framing, length: undefined, closes: true },
        ['Connection: close'],
      ],
    ],
    (_, framed, lines) =>
      assert.is(
        formatUndated(200, ['A', 'b'], framed),
        ['HTTP/1.1 200 OK', 'A: b', 'Date: -', ...lines, '', ''].join('\r\n'),
      ),
  )

  test('the date is the current one', () => {
    const [, date = ''] = /^Date: (.*)\r$/m.exec(format(200, [], framing)) ?? []
    assert.ok(Math.abs(Date.parse(date) - Date.now()) < 30_000, date)
  })

  test('a status that is not registered has a reason phrase', () =>
    assert.match(format(599, [], framing), /^HTTP\/1\.1 599 unknown\r\n/))

  table(
    test,
    [
      ['a line break in a value', 'A', 'b\r\nC: d'],
      ['LF in a value', 'A', 'b\nC: d'],
      ['CR in a value', 'A', 'b\rC: d'],
      ['NUL in a value', 'A', '\0'],
      ['a character above U+00FF in a value', 'A', '\u010d\u010a'],
      ['a line break in a name', 'A\r\nB', 'c'],
      ['a colon in a name', 'A:', 'b'],
      ['a space in a name', 'A ', 'b'],
      ['an empty name', '', 'b'],
    ] as const,
    (_, name, value) =>
      assert.throws(() => format(200, [name, value], framing), /^invalid|invalid/),
  )

  table(
    test,
    [
      ['99', 99],
      ['1000', 1000],
      ['a fraction', 200.5],
      ['NaN', Number.NaN],
    ] as const,
    (_, status) => assert.throws(() => format(status, [], framing), /invalid status/),
  )
})
