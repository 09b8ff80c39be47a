import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { memoizeHeader } from '../../src/body/memoize-header.ts'
import { describe, law } from '../support/describe.ts'

/** A function that tells how often it was called. */
const counting = (): { readonly f: (text: string | undefined) => string; calls: number } => {
  const counter = {
    calls: 0,
    f: (text: string | undefined): string => {
      counter.calls++
      return `<${text}>`
    },
  }
  return counter
}

describe('remember', (test) => {
  test('asks once for a text', () => {
    const counter = counting()
    const remembered = memoizeHeader(counter.f)
    assert.equal(['a', 'b', 'a', 'a'].map(remembered), ['<a>', '<b>', '<a>', '<a>'])
    assert.is(counter.calls, 2)
  })
  test('remembers what stands for no text at all', () => {
    const counter = counting()
    const remembered = memoizeHeader(counter.f)
    assert.equal([undefined, 'undefined', undefined].map(remembered), Array(3).fill('<undefined>'))
    assert.is(counter.calls, 2)
  })
  test('makes a new start when it is full', () => {
    const counter = counting()
    const remembered = memoizeHeader(counter.f)
    for (let i = 0; i < 256; i++) remembered(String(i))
    for (let i = 0; i < 256; i++) remembered(String(i))
    assert.is(counter.calls, 256)
    remembered('one more')
    remembered('0')
    assert.is(counter.calls, 258)
  })
  test('knows the latest text also behind a new start', () => {
    const counter = counting()
    const remembered = memoizeHeader(counter.f)
    for (let i = 0; i < 257; i++) remembered(String(i))
    assert.equal(['256', '256', '0', '256'].map(remembered), ['<256>', '<256>', '<0>', '<256>'])
    assert.is(counter.calls, 258)
  })
  test('does not remember a long text', () => {
    const counter = counting()
    const remembered = memoizeHeader(counter.f)
    for (const length of [512, 512, 513, 513]) remembered('a'.repeat(length))
    assert.is(counter.calls, 3)
  })
  law(
    test,
    'says what the function says',
    fc.array(fc.oneof(fc.constant(undefined), fc.string({ maxLength: 1 })), { maxLength: 600 }),
    (texts) => assert.equal(texts.map(memoizeHeader(counting().f)), texts.map(counting().f)),
  )
})
