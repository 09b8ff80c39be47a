import * as assert from 'uvu/assert'
import { slot } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

describe('slot', (test) => {
  test('is its key, and nothing at run time for its type', () =>
    assert.equal(slot<Date>()('clock'), { _tag: 'Slot', key: 'clock' }))
  test('is told from others by its key alone', () =>
    assert.equal(slot<Date>()('clock'), slot<string>()('clock')))
})
