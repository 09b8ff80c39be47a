import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { jsonLines } from '../../src/node/json-lines.ts'
import type { Log, Logger } from '../../src/interpreter/logger.ts'
import { describe, law, table } from '../support/describe.ts'

/** What a logger writes when it is used. */
const written = (use: (logger: Logger) => void): string => {
  let text = ''
  use(jsonLines({ write: (piece) => (text += piece) }))
  return text
}

const line = (members: Parameters<Log>[0], message = ''): Record<string, unknown> =>
  JSON.parse(written((logger) => logger.info(members, message)))

describe('jsonLines', (test) => {
  table<readonly [keyof Logger, boolean]>(
    test,
    [
      ['trace', false],
      ['debug', false],
      ['info', true],
      ['warn', true],
      ['error', true],
    ],
    (level, isWritten) => {
      const text = written((logger) => logger[level]({ id: 1 }, 'said'))
      assert.is(text !== '', isWritten)
      if (!isWritten) return
      const { time, ...rest } = JSON.parse(text)
      assert.equal(rest, { level, message: 'said', id: 1 })
      assert.is(new Date(time).toISOString(), time)
    },
  )

  test('shows an error with its causes', () => {
    const cause = new TypeError('inner')
    const error = new RangeError('outer', { cause })
    assert.equal(line({ err: error })['err'], {
      name: 'RangeError',
      message: 'outer',
      stack: error.stack,
      cause: { name: 'TypeError', message: 'inner', stack: cause.stack },
    })
  })
  test('shows an error inside a value', () =>
    assert.match(JSON.stringify(line({ all: [new Error('inner')] })), '"message":"inner"'))
  test('writes what it can of members that JSON cannot hold', () => {
    const error = new Error('first')
    error.cause = error
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    const { message, id, err, ...rest } = line({ id: 1, err: error, cycle }, 'said')
    assert.equal([message, id, err], ['said', 1, error.stack])
    assert.is(rest['cycle'], '[object Object]')
  })
  test('writes a big integer in digits', () =>
    assert.is(line({ big: 2n ** 64n })['big'], '18446744073709551616'))
  test('cuts a long text', () => {
    assert.is(line({ long: 'a'.repeat(8192) })['long'], 'a'.repeat(8192))
    assert.is(line({ long: 'a'.repeat(8193) })['long'], `${'a'.repeat(8192)}…`)
  })
  test('cuts a long message', () =>
    assert.is(String(line({}, 'a'.repeat(9000))['message']).length, 8193))

  law(
    test,
    'an event is a line',
    fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue()),
    ([message, value]) => {
      const text = written((logger) => logger.warn({ value }, message))
      assert.is(text.indexOf('\n'), text.length - 1)
      assert.equal(JSON.parse(text).value, JSON.parse(JSON.stringify(value)))
      assert.is(JSON.parse(text).message, message)
    },
  )
})
