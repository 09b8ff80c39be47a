import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../src/codec/absence.ts'
import { attempt } from '../../src/codec/attempt.ts'
import type { Codec } from '../../src/codec/codec.ts'
import { list, separated, set } from '../../src/codec/collection.ts'
import { lengthBetween } from '../../src/codec/constraint.ts'
import { encoded } from '../../src/codec/encoded.ts'
import { exact, exactly } from '../../src/codec/exact.ts'
import { boolean, int, string } from '../../src/codec/scalar.ts'
import { describe, law, table } from '../support/describe.ts'
import { closed, hex, instance, sample } from '../support/sample.ts'

interface Tree {
  readonly n: number
  readonly below: ReadonlyArray<Tree>
}
const Tree: t.Type<Tree, unknown> = t.recursion('Tree', () => t.type({ n: hex, below: list(Tree) }))

const A = t.type({ a: hex })
const B = t.type({ b: hex })
const Id = t.type({ id: int })
const One = t.type({ kind: t.literal(1), a: hex })
const Two = t.type({ kind: t.literal(2), b: hex })
const both = t.intersection([A, t.partial({ b: hex })])
const overlapping = t.intersection([t.type({ x: A }), t.type({ x: B, y: int })])
const variants = t.intersection([Id, t.union([A, t.type({ b: hex, c: int })])])
const elements = t.intersection([t.type({ x: list(A) }), t.type({ x: list(B) })])
const opaque = new t.Type<object, object>(
  'opaque',
  (value): value is object => typeof value === 'object',
  (value, context) =>
    typeof value === 'object' && value !== null ? t.success(value) : t.failure(value, context),
  t.identity,
)

// codec, input, its value, the members that are refused
const rows: ReadonlyArray<
  readonly [what: string, Codec, input: unknown, value: unknown, refused: ReadonlyArray<string>]
> = [
  ['type', A, { z: 0, a: 'f' }, { a: 15 }, ['z']],
  ['partial', t.partial({ a: hex }), { z: 0 }, {}, ['z']],
  ['strict', t.strict({ a: hex }), { a: 'f', z: 0 }, { a: 15 }, ['z']],
  ['exact', t.exact(both), { a: 'f', b: 'f', z: 0 }, { a: 15, b: 15 }, ['0.z', '1.z']],
  ['several members', A, { y: 0, a: 'f', z: 0 }, { a: 15 }, ['y', 'z']],
  ['no members declared', t.type({}), { z: 0 }, {}, ['z']],
  ['nested', t.type({ x: A }), { x: { a: 'f', z: 0 } }, { x: { a: 15 } }, ['x.z']],
  ['intersection', both, { b: 'f', z: 0, a: 'f' }, { b: 15, a: 15 }, ['0.z', '1.z']],
  [
    'member of several',
    overlapping,
    { x: { a: 'f', b: 'e' }, y: 1 },
    { x: { a: 15, b: 14 }, y: 1 },
    [],
  ],
  [
    'beyond several',
    overlapping,
    { x: { a: 'f', b: 'e', z: 0 }, y: 1 },
    { x: { a: 15, b: 14 }, y: 1 },
    ['0.x.z', '1.x.z'],
  ],
  [
    'elements of several',
    elements,
    { x: [{ a: 'f', b: 'e', z: 0 }] },
    { x: [{ a: 15, b: 14 }] },
    ['0.x.0.z', '1.x.0.z'],
  ],
  ['intersection with a union', variants, { id: 1, a: 'f' }, { id: 1, a: 15 }, []],
  ['its other alternative', variants, { id: 1, b: 'f', c: 2 }, { id: 1, b: 15, c: 2 }, []],
  [
    'beyond the alternative',
    variants,
    { id: 1, b: 'f', c: 2, z: 0 },
    { id: 1, b: 15, c: 2 },
    ['0.z', '1.0.a', '1.0.b', '1.0.c', '1.0.z', '1.1.z'],
  ],
  [
    'intersection with unknown members',
    t.intersection([t.type({ x: A }), t.UnknownRecord]),
    { x: { a: 'f', z: 0 }, z: 0 },
    { x: { a: 15, z: 0 }, z: 0 },
    [],
  ],
  [
    'intersection with a record',
    t.intersection([t.type({ x: A }), t.record(string, t.partial({ b: int }))]),
    { x: { a: 'f', b: 1 }, y: { b: 1, z: 0 } },
    { x: { a: 15, b: 1 }, y: { b: 1 } },
    ['1.y.z'],
  ],
  ['array', t.array(A), [{ a: 'f', z: 0 }], [{ a: 15 }], ['0.z']],
  ['list', list(A), [{ a: 'f', z: 0 }], [{ a: 15 }], ['0.z']],
  ['tuple', t.tuple([int, A]), [1, { a: 'f', z: 0 }], [1, { a: 15 }], ['1.z']],
  ['set', set(t.strict({ a: hex })), [{ a: 'f', z: 0 }], new Set([{ a: 15 }]), ['0.z']],
  ['record', t.record(string, A), { x: { a: 'f', z: 0 } }, { x: { a: 15 } }, ['x.z']],
  [
    'record of known keys',
    t.record(t.keyof({ x: null }), A),
    { x: { a: 'f' }, z: 0 },
    { x: { a: 15 } },
    ['z'],
  ],
  ['unknown record', t.type({ x: t.UnknownRecord }), { x: { z: 0 } }, { x: { z: 0 } }, []],
  ['unknown', t.type({ x: t.unknown }), { x: { z: 0 } }, { x: { z: 0 } }, []],
  ['opaque', t.type({ x: opaque }), { x: { z: 0 } }, { x: { z: 0 } }, []],
  ['tagged union', t.union([One, Two]), { kind: 2, b: 'f', a: 'f' }, { kind: 2, b: 15 }, ['1.a']],
  ['untagged union', t.union([A, B]), { b: 'f', z: 0 }, { b: 15 }, ['0.a', '0.b', '0.z', '1.z']],
  ['optional', optional(A), { a: 'f', z: 0 }, { a: 15 }, ['0.z', '1']],
  ['with a default', withDefault(A, { a: 0 }), { a: 'f', z: 0 }, { a: 15 }, ['z']],
  ['readonly', t.readonly(A), { a: 'f', z: 0 }, { a: 15 }, ['z']],
  [
    'refinement',
    t.refinement(A, (value) => Object.keys(value).length === 1),
    { a: 'f', z: 0 },
    { a: 15 },
    ['z'],
  ],
  ['encoded', encoded(A), { a: 'f', z: 0 }, { a: 15 }, ['z']],
  ['separated', separated(',')(list(A)), [{ a: 'f', z: 0 }], [{ a: 15 }], ['0.z']],
  [
    'recursion',
    Tree,
    { n: 'f', below: [{ n: 'e', below: [], z: 0 }] },
    { n: 15, below: [{ n: 14, below: [] }] },
    ['below.0.z'],
  ],
  [
    'recursion beside a sibling',
    t.intersection([Tree, Id]),
    { id: 1, n: 'f', below: [{ n: 'e', below: [], id: 1 }] },
    { id: 1, n: 15, below: [{ n: 14, below: [] }] },
    ['0.below.0.id'],
  ],
  ['prototype', A, JSON.parse('{"a":"f","__proto__":{"z":0}}'), { a: 15 }, ['__proto__']],
  [
    'prototype in a record',
    t.record(string, A),
    JSON.parse('{"__proto__":{"a":"f"}}'),
    {},
    ['__proto__'],
  ],
]

/** The keys that lead to each error. */
const places = (result: t.Validation<unknown>): ReadonlyArray<string> =>
  E.isLeft(result)
    ? result.left.map(({ context }) =>
        context
          .slice(1)
          .map(({ key }) => key)
          .join('.'),
      )
    : []

describe('exactly', (test) => {
  table(
    (name, check) => test(`${name}: undeclared members are dropped`, check),
    rows,
    (_, codec, input, value) => assert.equal(exactly(codec, 'drop').decode(input), E.right(value)),
  )
  table(
    (name, check) => test(`${name}: undeclared members are refused`, check),
    rows,
    (_, codec, input, value, refused) => {
      const result = exactly(codec, 'refuse').decode(input)
      assert.equal(places(result), refused)
      if (refused.length === 0) assert.equal(result, E.right(value))
    },
  )
})
