import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { needs, path, slot } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

describe('slot', (test) => {
  test('is its key, and nothing at run time for its type', () =>
    assert.equal(slot<Date>()('clock'), { _tag: 'Slot', key: 'clock' }))
  test('is told from others by its key alone', () =>
    assert.equal(slot<Date>()('clock'), slot<string>()('clock')))
})

describe('needs', (test) => {
  const [books, clock] = [slot<string>()('books'), slot<Date>()('clock')]
  test('holds slots by the names of the input, and adds up', () =>
    assert.equal(
      [...pipe(path('/'), needs({ library: books }), needs({ clock })).definition.needs],
      [
        ['library', books],
        ['clock', clock],
      ],
    ))
})
