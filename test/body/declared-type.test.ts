import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { memoizeHeader, memoizeHeaders, parseDeclaredType } from '../../src/body/declared-type.ts'
import { describe, law, table } from '../support/describe.ts'

/** Creates a function that counts its calls. */
const countingFunction = (): {
  readonly f: (text: string | undefined) => string
  calls: number
} => {
  const counter = {
    calls: 0,
    f: (text: string | undefined): string => {
      counter.calls++
      return `<${text}>`
    },
  }
  return counter
}

describe('memoizeHeader', (test) => {
  test('calls the function once per value', () => {
    const counter = countingFunction()
    const memoized = memoizeHeader(counter.f)
    assert.equal(['a', 'b', 'a', 'a'].map(memoized), ['<a>', '<b>', '<a>', '<a>'])
    assert.is(counter.calls, 2)
  })
  test('distinguishes undefined from the string undefined', () => {
    const counter = countingFunction()
    const memoized = memoizeHeader(counter.f)
    assert.equal([undefined, 'undefined', undefined].map(memoized), Array(3).fill('<undefined>'))
    assert.is(counter.calls, 2)
  })
  test('clears the cache when it is full', () => {
    const counter = countingFunction()
    const memoized = memoizeHeader(counter.f)
    for (let i = 0; i < 256; i++) memoized(String(i))
    for (let i = 0; i < 256; i++) memoized(String(i))
    assert.is(counter.calls, 256)
    memoized('one more')
    memoized('0')
    assert.is(counter.calls, 258)
  })
  test('keeps the latest value after the cache was cleared', () => {
    const counter = countingFunction()
    const memoized = memoizeHeader(counter.f)
    for (let i = 0; i < 257; i++) memoized(String(i))
    assert.equal(['256', '256', '0', '256'].map(memoized), ['<256>', '<256>', '<0>', '<256>'])
    assert.is(counter.calls, 258)
  })
  test('does not memoize values of more than 512 characters', () => {
    const counter = countingFunction()
    const memoized = memoizeHeader(counter.f)
    for (const length of [512, 512, 513, 513]) memoized('a'.repeat(length))
    assert.is(counter.calls, 3)
  })
  law(
    test,
    'returns the same values as the function',
    fc.array(fc.oneof(fc.constant(undefined), fc.string({ maxLength: 1 })), { maxLength: 600 }),
    (texts) =>
      assert.equal(texts.map(memoizeHeader(countingFunction().f)), texts.map(countingFunction().f)),
  )
})

describe('parseDeclaredType', (test) => {
  table(
    test,
    [
      ['text/csv', 'text/csv;charset=UTF-8'],
      ['text/csv;qs=0.5', 'text/csv;charset=UTF-8'],
      ['text/event-stream', 'text/event-stream'],
      ['application/vnd.x+json', 'application/vnd.x+json'],
      ['application/*', 'application/*'],
      ['*/*', '*/*'],
      // an asterisk must be the whole subtype
      ['application/*+json', undefined],
      ['text/a*', undefined],
      ['text/**', undefined],
      ['text', undefined],
      ['text/a;qs=2', undefined],
    ] as const,
    (text, expected) => assert.is(parseDeclaredType(text)?.contentType, expected),
  )
})

describe('memoizeHeaders', (test) => {
  test('computes a result once per pair of values', () => {
    let calls = 0
    const memoized = memoizeHeaders((first, second) => `${first}|${second}|${++calls}`)
    assert.equal([memoized('a', 'b'), memoized('a', 'b')], ['a|b|1', 'a|b|1'])
    assert.equal([memoized('ab', ''), memoized('', 'ab')], ['ab||2', '|ab|3'])
  })
  test('a missing value is an empty one', () => {
    const memoized = memoizeHeaders((first, second) => [first, second])
    assert.equal(memoized(undefined, undefined), ['', ''])
  })
})
