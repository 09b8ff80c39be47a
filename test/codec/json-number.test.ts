import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { isJsonNumber, jsonNumber } from '../../src/codec/json-number.ts'
import { describe, table } from '../support/describe.ts'

describe('jsonNumber', (test) => {
  table<readonly [text: string, isDouble: boolean]>(
    test,
    [
      ['0', true],
      ['-1', true],
      ['12.5', true],
      ['0.1', true],
      ['1e+21', true], // as JavaScript formats it
      ['9007199254740991', true],
      ['9007199254740992', true], // a double represents it
      ['-0', false],
      ['1.0', false],
      ['12.50', false],
      ['1e2', false],
      ['1E400', false],
      ['1e-400', false],
      ['9007199254740993', false],
      ['0.1000000000000000055511151231257827', false],
    ],
    (text, isDouble) => {
      const number = jsonNumber(text)
      assert.is(isJsonNumber(number), !isDouble)
      assert.is(String(number), text)
      assert.is(Number(number), Number(text))
    },
  )
  table(
    test,
    [
      [''],
      ['01'],
      ['+1'],
      ['.5'],
      ['1.'],
      ['0x1'],
      ['NaN'],
      ['Infinity'],
      ['1 '],
      ['1\n'],
    ] as const,
    (text) => assert.throws(() => jsonNumber(text), TypeError),
  )
})

describe('isJsonNumber', (test) => {
  table<readonly [name: string, value: unknown]>(
    test,
    [
      ['a number', 1],
      ['undefined', undefined],
      ['null', null],
      ['an object with the same members', { _tag: 'JsonNumber', text: '1.0' }],
    ],
    (_, value) => assert.not(isJsonNumber(value)),
  )
})

describe('JsonNumber', (test) => {
  test('JSON.stringify writes the nearest double', () =>
    assert.is(JSON.stringify([jsonNumber('12.50'), jsonNumber('-0')]), '[12.5,0]'))
  test('JSON.stringify writes a string for a number beyond the range of doubles', () =>
    assert.is(JSON.stringify(jsonNumber('1e400')), '"1e400"'))
  test('codecs of numbers reject it', () => assert.not(t.number.is(jsonNumber('1.0'))))
})
