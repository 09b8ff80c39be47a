import * as assert from 'uvu/assert'
import { filters, mapTagged, priority, reply, responseFilter } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

const filter = responseFilter(() => undefined)

describe('priority', (test) => {
  test('applies to each part of a combined filter', () => {
    const placed = priority(-Infinity)(filters(filter, filters(filter)))
    assert.ok('filters' in placed)
    assert.equal(
      placed.filters.flatMap((one) => ('filters' in one ? one.filters : [one])),
      [priority(-Infinity)(filter), priority(-Infinity)(filter)],
    )
    const mappers = priority(1)(mapTagged({ A: () => reply(409), B: () => reply(410) }))
    assert.ok('mappers' in mappers)
    assert.equal(
      mappers.mappers.map((one) => 'priority' in one && one.priority),
      [1, 1],
    )
  })
  test('NaN throws a RangeError', () => {
    assert.throws(
      () => priority(NaN),
      (error: unknown) => error instanceof RangeError,
    )
  })
})
