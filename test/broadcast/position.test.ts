/** Positions of messages in a relay. */
import * as assert from 'uvu/assert'
import { isAfter, isPosition } from '../../src/broadcast/position.ts'
import { describe, table } from '../support/describe.ts'

describe('isPosition', (test) => {
  table(
    test,
    [
      ['42', true],
      ['0', true],
      ['0-0', true],
      ['1700000000000-0', true],
      ['9999999999999999999', true],
      ['10000000000000000000', false],
      ['', false],
      ['-', false],
      ['+', false],
      ['$', false],
      ['1-', false],
      ['01', false],
      ['1-2-3', false],
      [' 1', false],
      ['1\n', false],
      ['ab12cd34-7', false],
      ['１', false],
    ] as const,
    (text, expected) => assert.is(isPosition(text), expected),
  )
})

describe('isAfter', (test) => {
  const ordered = ['0', '0-0', '0-1', '7', '7-0', '9-10', '10-9', '10-10', '1700000000000-0']
  for (const [index, position] of ordered.entries())
    test(`${position} is after those that precede it`, () =>
      assert.equal(
        ordered.map((other) => isAfter(position, other)),
        ordered.map((_, other) => other < index),
      ))
})
