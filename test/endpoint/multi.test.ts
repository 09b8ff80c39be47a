import * as assert from 'uvu/assert'
import { multi } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

describe('multi: options of demand', (test) => {
  test('accepts any positive integer and Infinity', () => {
    for (const demand of [1, 2, 1001, 1e9, Number.MAX_SAFE_INTEGER, Infinity])
      assert.is(multi([], { demand }).entity.demand, demand)
  })
  for (const demand of [0, -1, 1.5, -Infinity, NaN])
    test(`rejects a demand of ${demand}`, () =>
      assert.throws(
        () => multi([], { demand }),
        (error: Error) =>
          error instanceof RangeError &&
          error.message === `demand must be a positive integer or Infinity, got ${demand}`,
      ))
  test('rejects a limit of 0', () =>
    assert.throws(
      () => multi([], { demand: 5, capDemands: 0 }),
      (error: Error) =>
        error instanceof RangeError &&
        error.message === 'capDemands must be a positive integer, Infinity or a function, got 0',
    ))
  test('a limit that is a number is a function of the outstanding demand', () => {
    const { capDemands } = multi([], { demand: 5, capDemands: 2 }).entity
    assert.equal([capDemands?.(1), capDemands?.(2), capDemands?.(3)], [1, 2, 2])
  })
  test('options of untyped programs are quoted', () => {
    const options: Parameters<typeof multi>[1] = JSON.parse('{ "demand": "5" }')
    assert.throws(() => multi([], options), /got "5"$/)
  })
})
