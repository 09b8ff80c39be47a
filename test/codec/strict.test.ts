import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../src/codec/optional.ts'
import { attempt, encoded } from '../../src/codec/structure/parameter-codecs.ts'
import type { Codec } from '../../src/codec/codec.ts'
import { list, separated, set } from '../../src/codec/collection.ts'
import { ConstrainedType, length } from '../../src/codec/constraint.ts'
import { undeclaredMessage } from '../../src/codec/structure/undeclared-members.ts'
import type { CompiledCodec } from '../../src/codec/compiled/compiled-codec.ts'
import { compileCodec } from '../../src/codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../src/codec/compiled/interpreted-back-end.ts'
import type { UndeclaredHandling } from '../../src/codec/structure/undeclared-members.ts'
import { strict } from '../../src/codec/strict.ts'
import { int, string } from '../../src/codec/scalar.ts'
import { describe, table } from '../support/describe.ts'
import { hex } from '../support/sample.ts'

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

/** `rejected` are the paths of the members that are rejected. */
const rows: ReadonlyArray<
  [name: string, codec: Codec, input: unknown, value: unknown, rejected: ReadonlyArray<string>]
> = [
  ['an object', A, { z: 0, a: 'f' }, { a: 15 }, ['z']],
  ['a partial object', t.partial({ a: hex }), { z: 0 }, {}, ['z']],
  ['strict', t.strict({ a: hex }), { a: 'f', z: 0 }, { a: 15 }, ['z']],
  ['exact', t.exact(both), { a: 'f', b: 'f', z: 0 }, { a: 15, b: 15 }, ['0.z', '1.z']],
  ['several members', A, { y: 0, a: 'f', z: 0 }, { a: 15 }, ['y', 'z']],
  ['an object without declared members', t.type({}), { z: 0 }, {}, ['z']],
  ['a nested object', t.type({ x: A }), { x: { a: 'f', z: 0 } }, { x: { a: 15 } }, ['x.z']],
  ['an intersection', both, { b: 'f', z: 0, a: 'f' }, { b: 15, a: 15 }, ['0.z', '1.z']],
  [
    'a member that several objects declare',
    overlapping,
    { x: { a: 'f', b: 'e' }, y: 1 },
    { x: { a: 15, b: 14 }, y: 1 },
    [],
  ],
  [
    'an undeclared member of such a member',
    overlapping,
    { x: { a: 'f', b: 'e', z: 0 }, y: 1 },
    { x: { a: 15, b: 14 }, y: 1 },
    ['0.x.z', '1.x.z'],
  ],
  [
    'elements of a list that several objects declare',
    elements,
    { x: [{ a: 'f', b: 'e', z: 0 }] },
    { x: [{ a: 15, b: 14 }] },
    ['0.x.0.z', '1.x.0.z'],
  ],
  ['an intersection with a union', variants, { id: 1, a: 'f' }, { id: 1, a: 15 }, []],
  ['another alternative', variants, { id: 1, b: 'f', c: 2 }, { id: 1, b: 15, c: 2 }, []],
  [
    'an undeclared member with a union',
    variants,
    { id: 1, b: 'f', c: 2, z: 0 },
    { id: 1, b: 15, c: 2 },
    ['0.z', '1.0.a', '1.0.b', '1.0.c', '1.0.z', '1.1.z'],
  ],
  [
    'an intersection with an unknown record',
    t.intersection([t.type({ x: A }), t.UnknownRecord]),
    { x: { a: 'f', z: 0 }, z: 0 },
    { x: { a: 15, z: 0 }, z: 0 },
    [],
  ],
  [
    'an intersection with a record',
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
    'a record with literal keys',
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
    'a recursive codec in an intersection',
    t.intersection([Tree, Id]),
    { id: 1, n: 'f', below: [{ n: 'e', below: [], id: 1 }] },
    { id: 1, n: 15, below: [{ n: 14, below: [] }] },
    ['0.below.0.id'],
  ],
  ['__proto__', A, JSON.parse('{"a":"f","__proto__":{"z":0}}'), { a: 15 }, ['__proto__']],
  [
    'a record key named __proto__',
    t.record(string, A),
    JSON.parse('{"__proto__":{"a":"f"}}'),
    {},
    ['__proto__'],
  ],
]

/** Returns the path of each error. */
const errorPaths = (result: t.Validation<unknown>): ReadonlyArray<string> =>
  E.isLeft(result) ? result.left.map(({ context }) => keys(context).slice(1).join('.')) : []

const keys = (context: t.Context): ReadonlyArray<string> => context.map(({ key }) => key)

const compiled = (codec: Codec, undeclared: UndeclaredHandling): CompiledCodec =>
  compileCodec(codec, undeclared, interpretedBackEnd)

describe("undeclared members with 'drop'", (test) => {
  table(test, rows, (_, codec, input, value, _rejected) =>
    assert.equal(compiled(codec, 'drop').decode(input), E.right(value)),
  )
})

describe("undeclared members with 'reject'", (test) => {
  table(test, rows, (_, codec, input, value, rejected) => {
    const result = compiled(codec, 'reject').decode(input)
    assert.equal(errorPaths(result), rejected)
    if (rejected.length === 0) assert.equal(result, E.right(value))
  })

  test('reports undeclared members after the errors of declared members', () => {
    const result = compiled(A, 'reject').decode({ z: 0, a: '?' })
    assert.equal(errorPaths(result), ['a', 'z'])
    assert.equal(E.isLeft(result) && result.left.map(({ value, message }) => [value, message]), [
      ['?', undefined],
      [0, undeclaredMessage],
    ])
  })
  test('a union uses the first codec that declares all members', () => {
    const codec = t.union([A, t.type({ a: hex, z: int })])
    assert.equal(compiled(codec, 'reject').decode({ a: 'f', z: 0 }), E.right({ a: 15, z: 0 }))
    assert.equal(compiled(codec, 'drop').decode({ a: 'f', z: 0 }), E.right({ a: 15 }))
  })
  test('attempt returns the error of an undeclared member as a Left', () => {
    const result = compiled(attempt(A), 'reject').decode({ a: 'f', z: 0 })
    assert.ok(E.isRight(result))
    const { left } = Object(result.right)
    assert.equal(errorPaths(E.left(left)), ['z'])
  })
})

describe('undeclared members: encode', (test) => {
  table(
    test,
    [
      ['an object', t.type({ x: A }), { x: { a: 15, z: 0 }, z: 0 }, { x: { a: 'f' } }],
      [
        'an object with members that are encoded unchanged',
        t.type({ a: int }),
        { a: 1, z: 0 },
        { a: 1 },
      ],
      ['partial', t.partial({ a: hex }), { z: 0 }, {}],
      [
        'members in the order of the value',
        t.type({ a: int, b: int }),
        { b: 1, z: 0, a: 2 },
        { b: 1, a: 2 },
      ],
      ['intersection', both, { a: 15, z: 0, b: 15 }, { a: 'f', b: 'f' }],
      [
        'a member that several objects declare',
        overlapping,
        { x: { a: 15, b: 14, z: 0 }, y: 1 },
        { x: { a: 'f', b: 'e' }, y: 1 },
      ],
      ['array', t.array(A), [{ a: 15, z: 0 }], [{ a: 'f' }]],
      ['tuple', t.tuple([int, A]), [1, { a: 15, z: 0 }], [1, { a: 'f' }]],
      ['set', set(A), new Set([{ a: 15, z: 0 }]), [{ a: 'f' }]],
      ['record', t.record(string, A), { x: { a: 15, z: 0 } }, { x: { a: 'f' } }],
      ['unknown', t.unknown, { z: 0 }, { z: 0 }],
      ['tagged union', t.union([One, Two]), { kind: 2, a: 15, b: 15 }, { kind: 2, b: 'f' }],
      ['a union with one matching codec', t.union([A, B]), { a: '', b: 15 }, { b: 'f' }],
      ['a union with several matching codecs', t.union([A, B]), { a: 15, b: 15 }, { a: 'f' }],
      ['attempt', attempt(A), E.right({ a: 15, z: 0 }), { a: 'f' }],
      [
        'an Error with its own members',
        t.type({ message: string }),
        new Error('m'),
        { message: 'm' },
      ],
    ] as ReadonlyArray<[string, Codec, unknown, unknown]>,
    (_, codec, value, written) => {
      assert.equal(compiled(codec, 'drop').encode(value), written)
      assert.equal(compiled(codec, 'reject').encode(value), written)
    },
  )
})

interface Node {
  readonly a: number
  readonly next: Node | undefined
}
const Node: t.Type<Node> = t.recursion('Node', () =>
  t.type({ a: t.number, next: t.union([Node, t.undefined]) }),
)

describe('undeclared members', (test) => {
  test('terminates for a recursive codec in an intersection with an unknown record', () =>
    assert.equal(
      compiled(t.intersection([Node, t.UnknownRecord]), 'drop').decode({
        a: 1,
        next: { a: 2, z: 0 },
      }),
      E.right({ a: 1, next: { a: 2, z: 0, next: undefined } }),
    ))
  test('does not copy an object without undeclared members', () => {
    const input = { a: 1 }
    const result = compiled(t.type({ a: int }), 'drop').decode(input)
    assert.ok(E.isRight(result) && result.right === input)
  })
  test('keeps the constraint of a codec', () => {
    const named = t.type({ name: length(1, 2)(string) })
    const constrained = new ConstrainedType(
      named,
      'named',
      { minLength: 1 },
      ({ name }) => name !== 'z',
    )
    const { decode } = compiled(constrained, 'drop')
    assert.equal(decode({ name: 'a', z: 0 }), E.right({ name: 'a' }))
    assert.ok(E.isLeft(decode({ name: 'z' })))
  })
})

describe('strict', (test) => {
  test('rejects an undeclared member', () => {
    assert.equal(errorPaths(strict(A).decode({ a: 'f', z: 0 })), ['z'])
    assert.equal(strict(A).decode({ a: 'f' }), E.right({ a: 15 }))
    assert.equal(strict(A).encode({ a: 15 }), { a: 'f' })
  })
  test('rejects members at any depth inside an object that drops them', () => {
    const codec = compiled(t.type({ x: strict(t.type({ y: A })), w: A }), 'drop')
    const input = { x: { y: { a: 'f', z: 0 } }, w: { a: 'f', z: 0 } }
    assert.equal(errorPaths(codec.decode(input)), ['x.y.z'])
  })
  test('accepts members that other codecs of an intersection declare', () => {
    const codec = compiled(t.intersection([strict(A), B]), 'drop')
    assert.equal(codec.decode({ a: 'f', b: 'e' }), E.right({ a: 15, b: 14 }))
    assert.equal(errorPaths(codec.decode({ a: 'f', b: 'e', z: 0 })), ['0.z'])
  })
  test('accepts a recursive codec that is not defined yet', () => {
    const early = strict(t.recursion('Early', (): t.Mixed => late))
    const late = t.type({ a: int })
    assert.equal(early.decode({ a: 1 }), E.right({ a: 1 }))
    assert.equal(errorPaths(early.decode({ a: 1, z: 0 })), ['z'])
  })
})
