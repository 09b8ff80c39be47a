import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { needs, path, slot } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

describe('slot', (test) => {
  test('has only its key at run time', () =>
    assert.equal(slot<Date>()('clock'), { _tag: 'Slot', key: 'clock' }))
  test('is identified by its key', () =>
    assert.equal(slot<Date>()('clock'), slot<string>()('clock')))
})

describe('needs', (test) => {
  const [books, clock] = [slot<string>()('books'), slot<Date>()('clock')]
  test('merges the slots of several calls by local name', () =>
    assert.equal(
      [...pipe(path('/'), needs({ library: books }), needs({ clock })).definition.needs],
      [
        ['library', books],
        ['clock', clock],
      ],
    ))
})
