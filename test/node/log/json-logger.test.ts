import { deepStrictEqual } from 'node:assert/strict'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { jsonLogger, sharedJsonLogger } from '../../../src/node/log/json-logger.ts'
import type { Log, Logger } from '../../../src/compiler/settings/logger.ts'
import { describe, law } from '../../support/describe.ts'
import { unicodeString } from '../../support/unicode-string.ts'

/** Returns the output of a logger. */
const outputOf = (use: (logger: Logger) => void): string => {
  let text = ''
  use(jsonLogger({ write: (chunk) => (text += chunk) }))
  return text
}

const logLine = (members: Parameters<Log>[0], message = ''): Record<string, unknown> =>
  JSON.parse(outputOf((logger) => logger.info(members, message)))

/** Matches text whose only control character or line separator is the final line break. */
const oneLine = /^[^\p{Cc}\u2028\u2029]*\n$/u

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  key: unicodeString,
  values: [
    unicodeString,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
  ],
})

/** Values that cannot be serialized, or whose serialization is misleading. */
const unserializable: ReadonlyArray<() => unknown> = [
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
  () => Object.defineProperty(new Error('no stack'), 'stack', { value: 7n }),
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

describe('jsonLogger', (test) => {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const)
    test(`writes an event of level ${level}`, () => {
      const text = outputOf((logger) => logger[level]({ id: 1 }, 'sent'))
      const { time, ...rest } = JSON.parse(text)
      assert.equal(rest, { level, message: 'sent', id: 1 })
      assert.is(new Date(time).toISOString(), time)
    })

  test('serializes an error with its causes', () => {
    const cause = new TypeError('inner')
    const error = new RangeError('outer', { cause })
    assert.equal(logLine({ err: error })['err'], {
      name: 'RangeError',
      message: 'outer',
      stack: error.stack,
      cause: { name: 'TypeError', message: 'inner', stack: cause.stack },
    })
  })
  test('serializes an error inside a value', () =>
    assert.match(JSON.stringify(logLine({ all: [new Error('inner')] })), '"message":"inner"'))
  test('logs the other members if JSON cannot represent one', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    const { message, id, ...rest } = logLine({ id: 1, cycle }, 'sent')
    assert.equal([message, id], ['sent', 1])
    assert.is(rest['cycle'], '[object Object]')
  })
  test('does not call the toJSON method of an error', () => {
    const error = Object.assign(new Error('failed'), { toJSON: () => ({ token: 'x' }), code: 'E1' })
    assert.equal(logLine({ err: error })['err'], {
      name: 'Error',
      message: 'failed',
      stack: error.stack,
      code: 'E1',
    })
  })
  test('shortens an error with many causes for a shared pipe, without dropping it', () => {
    let text = ''
    const logger = sharedJsonLogger({ write: (line) => (text += line) }, { instance: 1 })
    const errors = Array.from({ length: 16 }, () => {
      const error = new Error('closed')
      error.stack = 'a'.repeat(9000)
      return error
    })
    logger.error({ err: new AggregateError(errors, 'failed') }, 'x'.repeat(200))
    assert.ok(text.length <= 4096)
    assert.match(text, /"message":"failed".*"message":"closed"/)
  })
  test('serializes a bigint as a string', () =>
    assert.is(logLine({ big: 2n ** 64n })['big'], '18446744073709551616'))
  test('truncates a long string', () => {
    assert.is(logLine({ long: 'a'.repeat(1024) })['long'], 'a'.repeat(1024))
    assert.is(logLine({ long: 'a'.repeat(1025) })['long'], `${'a'.repeat(1024)}…`)
  })
  test('truncates a long message', () =>
    assert.is(String(logLine({}, 'a'.repeat(9000))['message']).length, 1025))
  test('truncates the stack of an error at a higher limit', () => {
    const error = new Error('deep')
    error.stack = 'a'.repeat(9000)
    assert.is((logLine({ err: error })['err'] as { stack: string }).stack, `${'a'.repeat(8192)}…`)
  })

  law(
    test,
    'each event is one line of JSON for any values',
    fc.tuple(
      fc.dictionary(unicodeString, anything),
      unicodeString,
      fc.constantFrom(...unserializable),
    ),
    ([some, message, make]) => {
      const members = { ...some, value: make() }
      const text = outputOf((logger) => logger.info(members, message))
      assert.match(text, oneLine)
      const event = JSON.parse(text)
      assert.equal([event.level, event.message], ['info', message])
    },
  )

  for (const [value, escaped] of [
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
  ] as const)
    test(`writes U+${value.charCodeAt(0).toString(16).padStart(4, '0')} as ${escaped}`, () => {
      const text = outputOf((logger) => logger.info({ [value]: value }, value))
      assert.is(text.split(escaped).length, 4)
    })

  law(
    test,
    'each event is one line of JSON with the value of its members',
    fc.tuple(unicodeString, fc.jsonValue()),
    ([message, value]) => {
      const text = outputOf((logger) => logger.warn({ value }, message))
      assert.match(text, oneLine)
      deepStrictEqual(JSON.parse(text).value, JSON.parse(JSON.stringify(value)))
      assert.is(JSON.parse(text).message, message)
    },
  )
})
