import * as assert from 'uvu/assert'
import { isTemporal, temporal } from '../../../src/codec/temporal/temporal-api.ts'
import { describe, table } from '../../support/describe.ts'

describe('temporal', (test) => {
  test('is available on every runtime', () =>
    assert.is(String(temporal().PlainDate.from('2024-02-29').add({ years: 1 })), '2025-02-28'))

  test('returns the Temporal of the runtime if it exists', () => {
    const original = Object.getOwnPropertyDescriptor(globalThis, 'Temporal')
    const native = { Now: {} }
    Object.defineProperty(globalThis, 'Temporal', { value: native, configurable: true })
    try {
      assert.is(temporal(), native)
    } finally {
      if (original === undefined) Reflect.deleteProperty(globalThis, 'Temporal')
      else Object.defineProperty(globalThis, 'Temporal', original)
    }
  })

  test('returns the same object for each call', () => assert.is(temporal(), temporal()))
})

describe('isTemporal', (test) => {
  const { PlainDate, PlainDateTime } = temporal()
  table(
    test,
    [
      ['a date', PlainDate.from('2024-01-31'), true],
      ['a date and time', PlainDateTime.from('2024-01-31T10:15'), false],
      ['the text of a date', '2024-01-31', false],
      ['the class', PlainDate, false],
      ['an object with its fields', { year: 2024, month: 1, day: 31 }, false],
      ['null', null, false],
      ['undefined', undefined, false],
    ] as const,
    (_, value, expected) => assert.is(isTemporal('PlainDate')(value), expected),
  )
})
