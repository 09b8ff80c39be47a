import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { differences, formatDifferences } from '../../src/cli/difference.ts'
import { describe, law, table } from '../support/describe.ts'

describe('differences', (test) => {
  table<readonly [committed: unknown, generated: unknown, found: ReadonlyArray<string>]>(
    test,
    [
      [1, 2, ['changed ']],
      [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
      [{ a: 1 }, {}, ['removed /a']],
      [{}, { a: null }, ['added /a']],
      [{ a: undefined }, {}, ['removed /a']],
      [{ 'a/b': { '~': 1 } }, { 'a/b': { '~': 2 } }, ['changed /a~1b/~0']],
      [{ a: {} }, { a: [] }, ['changed /a']],
      [{ a: null }, { a: {} }, ['changed /a']],
      [['a', 'b', 'c'], ['a', 'c'], ['removed /1']],
      [['a', 'c'], ['a', 'b', 'c'], ['added /1']],
      [
        ['a', 'b'],
        ['b', 'a'],
        ['changed /0', 'changed /1'],
      ],
      [[{ x: 1 }, { y: [1, 2] }], [{ x: 1 }, { y: [1, 3] }], ['changed /1/y/1']],
      [['a', 'a'], ['a'], ['removed /1']],
    ],
    (committed, generated, found) =>
      assert.equal(
        differences(committed, generated).map(({ kind, pointer }) => `${kind} ${pointer}`),
        found,
      ),
  )
  law(test, 'equal values have no differences', fc.jsonValue(), (value) =>
    assert.equal(differences(value, structuredClone(value)), []),
  )
  law(
    test,
    'different values have differences',
    fc.tuple(fc.jsonValue(), fc.jsonValue()),
    ([a, b]) => {
      const isEqual = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
      assert.is(differences(a, b).length === 0, isEqual)
    },
  )
})

/** Sorts the members of all objects. `-0` is written as `0`. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, member]) => [name, sorted(member)])
          .concat([['{}']])
      : value

describe('formatDifferences', (test) => {
  test('prints pointers, old and new values', () =>
    assert.equal(
      formatDifferences(
        differences({ a: 'x', b: [1], d: 0 }, { a: 'y', b: [1, { c: true }] }),
      ).split('\n'),
      [
        '~ /a',
        '    committed: "x"',
        '    generated: "y"',
        '+ /b/1',
        '    generated: {"c":true}',
        '- /d',
        '    committed: 0',
      ],
    ))
  test('names the document for a different root', () =>
    assert.match(formatDifferences(differences([], {})), /^~ \(the document\)\n/))
  test('limits the number of differences and the length of values', () => {
    const committed = Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [`m${at}`, 'x'.repeat(1000)]),
    )
    const lines = formatDifferences(differences(committed, {})).split('\n')
    assert.is(lines.length, 41)
    assert.is(lines.at(-1), '… and 5 more')
    assert.ok(lines.every((line) => line.length < 150))
  })
})
