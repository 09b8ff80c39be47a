import * as assert from 'uvu/assert'
import { filters, mapTagged, priority, reply, responseFilter } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

const filter = responseFilter(() => undefined)

describe('priority', (test) => {
  test('applies to each filter of a combined one', () => {
    const prioritized = priority(-Infinity)(filters(filter, filters(filter)))
    assert.ok('filters' in prioritized)
    assert.equal(
      prioritized.filters.flatMap((part) => ('filters' in part ? part.filters : [part])),
      [priority(-Infinity)(filter), priority(-Infinity)(filter)],
    )
    const mappers = priority(1)(mapTagged({ A: () => reply(409), B: () => reply(410) }))
    assert.ok('mappers' in mappers)
    assert.equal(
      mappers.mappers.map((mapper) => 'priority' in mapper && mapper.priority),
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
