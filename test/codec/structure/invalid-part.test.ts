import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  between,
  int,
  list,
  nullable,
  optional,
  plainDate,
  set,
  string,
  withDefault,
} from '../../../src/index.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { invalidPart } from '../../../src/codec/structure/invalid-part.ts'
import { describe, table } from '../../support/describe.ts'

interface Tree {
  readonly value: number
  readonly children: ReadonlyArray<Tree>
}
const Tree: t.Type<Tree> = t.recursion('Tree', () =>
  t.type({ value: t.number, children: t.readonlyArray(Tree) }),
)
const pages = between(1, 100)(int)
const Note = t.type({ title: string, pages: optional(pages) }, 'Note')

class Account {
  get title(): number {
    return 1
  }
}

type Row = readonly [
  title: string,
  codec: Codec,
  value: unknown,
  expected: readonly [string, string, boolean?] | undefined,
]

describe('the invalid part of a value', (test) => {
  table<Row>(
    test,
    [
      ['a valid value', Note, { title: 'a', pages: undefined }, undefined],
      ['a scalar', int, 'a', ['', int.name]],
      ['a member', Note, { title: 1 }, ['title', 'string']],
      ['a missing member', Note, {}, ['title', 'string', true]],
      ['an optional member', Note, { title: 'a', pages: 'a' }, ['pages', int.name]],
      ['a constraint', Note, { title: 'a', pages: 101 }, ['pages', pages.name]],
      ['no object', Note, 'a', ['', 'Note']],
      ['null', Note, null, ['', 'Note']],
      ['an element', list(Note), [{ title: 'a', pages: 1 }, { title: 1 }], ['1/title', 'string']],
      ['an element of a set', set(int), new Set([1, 'a']), ['1', int.name]],
      ['a list instead of a set', set(int), [1], ['', set(int).name]],
      ['a member of a record', t.record(t.string, int), { a: 1, b: 'b' }, ['b', int.name]],
      ['a tuple', t.tuple([t.string, int]), ['a', 'b'], ['1', int.name]],
      [
        'an intersection',
        t.intersection([Note, t.type({ id: int })]),
        { title: 'a', pages: 1, id: 'a' },
        ['id', int.name],
      ],
      ['a partial type', t.partial({ a: int, b: int }), { b: 'a' }, ['b', int.name]],
      [
        'a nullable member',
        t.type({ a: nullable(Note) }),
        { a: { title: 1 } },
        ['a/title', 'string'],
      ],
      ['a default', t.type({ a: withDefault(int, 1) }), { a: 'a' }, ['a', int.name]],
      ['an exact type', t.exact(Note), { title: 1 }, ['title', 'string']],
      [
        'a union',
        t.type({ a: t.union([int, t.boolean]) }),
        { a: 'a' },
        ['a', t.union([int, t.boolean]).name],
      ],
      [
        'a union with a tag',
        t.union([
          t.type({ a: int, kind: t.literal('a') }),
          t.exact(t.intersection([t.type({ kind: t.literal('b') }), t.partial({ b: int })])),
        ]),
        { kind: 'b', b: 'x' },
        ['b', int.name],
      ],
      [
        'a recursive type',
        Tree,
        { value: 1, children: [{ value: 'a', children: [] }] },
        ['children/0/value', 'number'],
      ],
      ['a date as text', t.type({ on: plainDate }), { on: '2026-01-01' }, ['on', plainDate.name]],
      ['an accessor', Note, new Account(), ['title', 'string']],
      [
        'an inherited member of all objects',
        t.type({ constructor: string }),
        {},
        ['constructor', 'string', true],
      ],
    ],
    (_, codec, value, expected) => {
      const found = invalidPart(codec, value)
      assert.equal(
        found && [
          found.path.join('/'),
          found.codec.name,
          ...(found.value === undefined ? [true] : []),
        ],
        expected,
      )
    },
  )
  test('a codec that throws rejects the value', () => {
    const throwing = new t.Type(
      'throwing',
      (value): value is never => {
        throw new Error(String(value))
      },
      t.success,
      t.identity,
    )
    assert.is(invalidPart(t.type({ a: throwing }), { a: 1 })?.path.join(), 'a')
  })
  test('the search in a cyclic value ends', () => {
    const cyclic: { value: number; children: unknown[] } = { value: 1, children: [] }
    cyclic.children.push(cyclic)
    assert.is(invalidPart(Tree, cyclic)?.path.length, 100)
  })
})
