import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { jsonLines } from '../../src/node/json-logger.ts'
import type { Log, Logger } from '../../src/compiler/settings/logger.ts'
import { describe, law, table } from '../support/describe.ts'

/** What a logger writes when it is used. */
const written = (use: (logger: Logger) => void): string => {
  let text = ''
  use(jsonLines({ write: (piece) => (text += piece) }))
  return text
}

const line = (members: Parameters<Log>[0], message = ''): Record<string, unknown> =>
  JSON.parse(written((logger) => logger.info(members, message)))

/** No control character and no line separator but the one at the end. */
const oneLine = /^[^\p{Cc}\u2028\u2029]*\n$/u

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  stringUnit: 'binary',
})

/** Values that cannot be read, or say something else of themselves. */
const odd: ReadonlyArray<() => unknown> = [
  () => ({ toJSON: () => 'a\nb' }),
  () => ({ toJSON: () => undefined }),
  () => ({
    toJSON: () => {
      throw new Error('no JSON')
    },
  }),
  () => ({
    get unreadable(): never {
      throw new Error('no value')
    },
  }),
  () => Object.defineProperty(new Error('odd'), 'stack', { value: 7n }),
  () => Object.defineProperty({}, Symbol.toStringTag, { get: () => assert.unreachable() }),
  () => Proxy.revocable({}, {}).proxy,
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  () => Symbol('a\nb'),
  () => () => 'a\nb',
  () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    return cycle
  },
]

describe('jsonLines', (test) => {
  table<readonly [Exclude<keyof Logger, 'child'>]>(
    test,
    [['trace'], ['debug'], ['info'], ['warn'], ['error']],
    (level) => {
      const text = written((logger) => logger[level]({ id: 1 }, 'said'))
      const { time, ...rest } = JSON.parse(text)
      assert.equal(rest, { level, message: 'said', id: 1 })
      assert.is(new Date(time).toISOString(), time)
    },
  )

  test('logs an error with its causes', () => {
    const cause = new TypeError('inner')
    const error = new RangeError('outer', { cause })
    assert.equal(line({ err: error })['err'], {
      name: 'RangeError',
      message: 'outer',
      stack: error.stack,
      cause: { name: 'TypeError', message: 'inner', stack: cause.stack },
    })
  })
  test('logs an error inside a value', () =>
    assert.match(JSON.stringify(line({ all: [new Error('inner')] })), '"message":"inner"'))
  test('logs the other members if JSON cannot represent one', () => {
    const error = new Error('first')
    error.cause = error
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    const { message, id, err, ...rest } = line({ id: 1, err: error, cycle }, 'said')
    assert.equal([message, id, err], ['said', 1, error.stack])
    assert.is(rest['cycle'], '[object Object]')
  })
  test('logs a bigint as a string', () =>
    assert.is(line({ big: 2n ** 64n })['big'], '18446744073709551616'))
  test('truncates a long string', () => {
    assert.is(line({ long: 'a'.repeat(1024) })['long'], 'a'.repeat(1024))
    assert.is(line({ long: 'a'.repeat(1025) })['long'], `${'a'.repeat(1024)}…`)
  })
  test('truncates a long message', () =>
    assert.is(String(line({}, 'a'.repeat(9000))['message']).length, 1025))
  test('truncates the stack of an error at a higher limit', () => {
    const error = new Error('deep')
    error.stack = 'a'.repeat(9000)
    assert.is((line({ err: error })['err'] as { stack: string }).stack, `${'a'.repeat(8192)}…`)
  })

  law(
    test,
    'each event is one line of JSON for any values',
    fc.tuple(
      fc.dictionary(fc.string({ unit: 'binary' }), anything),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...odd),
    ),
    ([some, message, make]) => {
      const members = { ...some, odd: make() }
      const text = written((logger) => logger.info(members, message))
      assert.match(text, oneLine)
      const event = JSON.parse(text)
      assert.equal([event.level, event.message], ['info', message])
    },
  )

  table<readonly [string, string]>(
    test,
    [
      ['\n', '\\n'],
      ['\r', '\\r'],
      ['\u0000', '\\u0000'],
      ['\u001b[2J', '\\u001b[2J'], // clears a terminal
      ['\u007f', '\\u007f'],
      ['\u0085', '\\u0085'], // next line
      ['\u009b2J', '\\u009b2J'], // the same command in C1
      ['\u2028', '\\u2028'],
      ['\u2029', '\\u2029'],
      ['é', 'é'],
    ],
    (value, escaped) => {
      const text = written((logger) => logger.info({ [value]: value }, value))
      assert.is(text.split(escaped).length, 4)
    },
  )

  law(
    test,
    'an event is a line',
    fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue()),
    ([message, value]) => {
      const text = written((logger) => logger.warn({ value }, message))
      assert.match(text, oneLine)
      assert.equal(JSON.parse(text).value, JSON.parse(JSON.stringify(value)))
      assert.is(JSON.parse(text).message, message)
    },
  )
})
