import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import { attempt } from '../../../src/codec/structure/parameter-codecs.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { length } from '../../../src/codec/constraint.ts'
import { instant } from '../../../src/codec/temporal/date-time.ts'
import { strict } from '../../../src/codec/strict.ts'
import { enumOf, int } from '../../../src/codec/scalar.ts'
import * as BodyErrors from '../../../src/body/decode-body.ts'
import { maxReportedErrors } from '../../../src/http/failure.ts'
import { backEnds } from '../back-ends.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe, table } from '../../support/describe.ts'

const Item = t.type({ id: int, name: t.string })
const tagged = t.union([
  t.type({ kind: t.literal('a'), values: t.array(t.number) }),
  t.type({ kind: t.literal('b'), values: t.array(t.string) }),
])
const tree: t.Mixed = t.recursion('tree', () => t.type({ below: t.array(tree) }))
/** Both alternatives contain the codec, and `tag` is decoded after `child`. */
const ambiguous: t.Mixed = t.recursion('ambiguous', () =>
  t.union([
    t.type({ child: ambiguous, tag: t.type({ a: t.string }) }),
    t.type({ child: ambiguous, tag: t.type({ b: t.string }) }),
    t.null,
  ]),
)
const doubled: t.Mixed = t.recursion('doubled', () =>
  t.union([
    t.intersection([t.type({ child: doubled, a: t.string }), t.type({ child: doubled })]),
    t.null,
  ]),
)

const nested = (depth: number, level: object, innermost: unknown): unknown => {
  let value = innermost
  for (let count = 0; count < depth; count++) value = { ...level, child: value }
  return value
}

const count = 200_000
const many = (element: unknown): ReadonlyArray<unknown> => Array<unknown>(count).fill(element)

const wide: unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [key, '']))

const rows: ReadonlyArray<[title: string, codec: Codec, rejected: unknown]> = [
  ['an array of unions', t.array(t.union([Item, t.string, t.null])), many(0)],
  ['an array of numbers', t.array(t.number), many(null)],
  ['an array of optional values', t.array(optional(int)), many('')],
  ['an array of enum values', t.array(enumOf('a', 'b')), many('c')],
  ['an array of objects', t.array(Item), many({})],
  ['an array in a member', t.type({ a: t.partial({ b: list(int) }) }), { a: { b: many('') } }],
  ['an array of dates', list(instant), many('')],
  ['an array of strings with a constraint', list(length(1, 3)(t.string)), many('')],
  ['an array of intersections', t.array(t.intersection([Item, t.partial({ a: int })])), many({})],
  ['an array of tagged unions', t.array(tagged), many({ kind: 'c' })],
  ['an array in a tagged union', tagged, { kind: 'a', values: many('') }],
  ['an array in a union', t.union([t.array(t.number), t.array(t.string)]), many(null)],
  ['an array of tuples', t.array(t.tuple([t.number, t.string])), many([])],
  ['an array of strict objects', t.array(strict(Item)), many({ a: 1 })],
  ['a strict array', strict(t.array(t.number)), many('')],
  ['a set', set(int), many('')],
  ['a refinement of an array', t.refinement(t.array(t.number), () => true), many('')],
  ['an intersection of arrays', t.intersection([list(t.number), t.array(t.number)]), many('')],
  ['an array with a default', withDefault(list(int), []), many('')],
  [
    'a member with the name of an inherited one',
    t.type({ toString: list(int) }),
    { toString: many('') },
  ],
  ['a record', t.record(t.string, int), wide],
  ['a record of literal keys', t.record(enumOfKeys(), list(int)), { a: many('') }],
  ['a recursive codec', tree, { below: many({}) }],
]

function enumOfKeys(): t.Mixed {
  return t.keyof({ a: null })
}

const deep: ReadonlyArray<
  [title: string, codec: Codec, level: object, innermost: unknown, isValid: boolean]
> = [
  ['a union whose members both fail', ambiguous, { tag: { a: '', b: '' } }, 5, false],
  ['a union whose second member accepts', ambiguous, { tag: { b: '' } }, null, true],
  ['a valid intersection', doubled, { a: '' }, null, true],
  ['an invalid intersection', doubled, { a: '' }, 5, false],
]

const errorsOf = (decoded: t.Validation<unknown>): t.Errors =>
  E.isLeft(decoded) ? decoded.left : []

const cpuMillis = (run: () => unknown): number => {
  const before = cpuTime()
  run()
  return cpuTime() - before
}

for (const [name, backEnd] of backEnds)
  describe(`errors of a rejected value, ${name} back end`, (test) => {
    table(test, rows, (_, codec, rejected) => {
      const { decode } = compileCodec(codec, 'drop', backEnd)
      let errors: t.Errors = []
      const millis = cpuMillis(() => (errors = errorsOf(decode(rejected))))
      assert.ok(errors.length > maxReportedErrors, `${errors.length} errors`)
      assert.ok(errors.length <= 1000, `${errors.length} errors`)
      assert.ok(BodyErrors.bodyErrors(errors).length > maxReportedErrors)
      assert.ok(millis < 250, `${millis} ms`)
    })

    test('attempt has a limited number of errors', () => {
      const { decode } = compileCodec(t.type({ a: attempt(list(int)) }), 'drop', backEnd)
      const decoded = E.toUnion(decode({ a: many('') }))
      const { a } = t.type({ a: t.type({ left: t.UnknownArray }) }).is(decoded)
        ? decoded
        : { a: { left: [] } }
      assert.ok(a.left.length > maxReportedErrors && a.left.length <= 1000)
    })

    test('undeclared members are counted', () => {
      const { decode } = compileCodec(t.type({}), 'reject', backEnd)
      const errors = errorsOf(decode(wide))
      assert.is(errors.length, maxReportedErrors + 1)
    })

    test('errors of a union are discarded if a later member accepts the value', () => {
      const { decode } = compileCodec(
        t.type({ a: t.union([t.array(t.number), t.array(t.string)]), b: int }),
        'drop',
        backEnd,
      )
      const errors = errorsOf(decode({ a: many('x'), b: 'y' }))
      assert.equal(
        BodyErrors.bodyErrors(errors).map(({ pointer }) => pointer),
        ['#/b'],
      )
    })

    test('a late error is found after many valid elements', () => {
      const { decode } = compileCodec(t.array(t.union([Item, t.string])), 'drop', backEnd)
      const errors = errorsOf(decode([...many('a'), 0]))
      assert.equal(BodyErrors.bodyErrors(errors), [
        {
          in: 'body',
          pointer: `#/${count}`,
          detail: 'must be { id: int, name: string } or a string',
        },
      ])
    })

    table(test, deep, (_, codec, level, innermost, isValid) => {
      const { decode, is, encode } = compileCodec(codec, 'drop', backEnd)
      const value = nested(90, level, innermost)
      const millis = cpuMillis(() => {
        assert.is(E.isRight(decode(value)), isValid)
        assert.is(is(value), isValid)
        if (isValid) encode(value)
      })
      assert.ok(millis < 500, `${millis} ms`)
    })
  })

for (const [name, backEnd] of backEnds)
  describe(`arrays that are decoded again, ${name} back end`, (test) => {
    test('an array that has changed is decoded completely', () => {
      const { decode } = compileCodec(
        t.type({ a: attempt(list(int)), b: list(int) }),
        'drop',
        backEnd,
      )
      const array: unknown[] = [1, 2, 'x']
      assert.ok(E.isLeft(decode({ a: array, b: array })))
      array.splice(0, 3, 'x', 2, 3)
      const errors = errorsOf(decode({ a: array, b: array }))
      assert.equal(
        errors.map(({ context }) => context.map(({ key }) => key).join('/')),
        ['/b/0'],
      )
      assert.ok(E.isRight(decode({ a: [1], b: [] })))
    })
  })
