import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import type { BackEnd } from '../../../src/codec/generated/compiled-codec.ts'
import { compileCodec } from '../../../src/codec/generated/compiled-codec.ts'
import { decodeInSteps as stepsOf } from '../../../src/codec/generated/decode-in-steps.ts'
import type { Steps } from '../../../src/codec/generated/large-values.ts'
import { maxReportedErrors } from '../../../src/http/failure.ts'
import { describe, law, table } from '../../support/describe.ts'
import { assertSame } from '../../support/same-value.ts'
import { backEnds } from '../back-ends.ts'
import { codecCase } from './codec-case.ts'

/** An opaque codec of numbers that increments them and counts its calls. */
const counter = () => {
  const counted = { calls: 0 }
  const codec: t.Type<number> = new t.Type(
    'counted',
    t.number.is,
    (value, context) => {
      counted.calls++
      return typeof value === 'number' ? t.success(value + 1) : t.failure(value, context)
    },
    t.identity,
  )
  return { codec, counted }
}

/** Runs all steps. Returns the result, and the number of calls that were counted in each step. */
const runSteps = <A>(steps: Steps<A>, counted = { calls: 0 }) => {
  const calls: number[] = []
  for (;;) {
    const before = counted.calls
    const { done, value } = steps.next()
    calls.push(counted.calls - before)
    if (done === true) return { value, calls }
  }
}

const decodeInSteps = (codec: Codec, backEnd: BackEnd, input: unknown, stepCost: number) =>
  runSteps(stepsOf(compileCodec(codec, 'drop', backEnd), input, stepCost)).value

const decode = (codec: Codec, backEnd: BackEnd, input: unknown) =>
  compileCodec(codec, 'drop', backEnd).decode(input)

/** The keys on the way to each error, and its message. */
const errorsOf = (result: t.Validation<unknown>): unknown =>
  E.isRight(result)
    ? result
    : result.left
        .slice(0, maxReportedErrors + 1)
        .map(({ context, message }) => [...context.map(({ key }) => key), message])

/** For each array and object in `input`, whether `output` contains it. */
const sharedParts = (input: unknown, output: unknown): ReadonlyArray<boolean> => {
  const contained = new Set(partsOf(output))
  return partsOf(input).map((part) => contained.has(part))
}

const partsOf = (value: unknown): ReadonlyArray<object> =>
  typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(partsOf)]
    : []

const numbers = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index)

const counted = counter()
const dates = list(counted.codec)
const literalTag = (name: string): Codec => t.refinement(t.string, (text) => text === name, name)

/** Codecs with values that contain 3,000 numbers in different structures. */
const structures: ReadonlyArray<[title: string, codec: Codec, value: unknown]> = [
  ['a list', dates, numbers(3000)],
  ['a set', set(counted.codec), numbers(3000)],
  ['a list of lists', list(dates), numbers(30).map(() => numbers(100))],
  ['two long lists', t.type({ a: dates, b: dates }), { a: numbers(1500), b: numbers(1500) }],
  [
    'many short lists',
    t.type(Object.fromEntries(numbers(300).map((key) => [key, dates] as const))),
    Object.fromEntries(numbers(300).map((key) => [key, numbers(10)] as const)),
  ],
  [
    'a record',
    t.record(t.string, counted.codec),
    Object.fromEntries(numbers(3000).map((key) => [`k${key}`, key])),
  ],
  ['a record of lists', t.record(t.string, dates), { a: numbers(1000), b: numbers(2000) }],
  ['a tuple', t.tuple([dates, t.string, dates]), [numbers(1500), '', numbers(1500)]],
  ['a refinement', t.refinement(dates, () => true), numbers(3000)],
  [
    'an intersection',
    t.intersection([t.type({ a: dates }), t.type({ b: t.string })]),
    { a: numbers(3000), b: '' },
  ],
  ['an untagged union', t.union([t.string, dates]), numbers(3000)],
  [
    'a tagged union',
    t.union([
      t.type({ kind: t.literal('a'), all: dates }),
      t.type({ kind: t.literal('b'), all: dates }),
    ]),
    { kind: 'b', all: numbers(3000) },
  ],
  [
    'a union of objects that a member distinguishes',
    t.union([
      t.type({ all: dates, kind: literalTag('a') }),
      t.type({ all: dates, kind: literalTag('b') }),
    ]),
    { kind: 'b', all: numbers(3000) },
  ],
  ['a recursion', t.recursion('recursion', () => dates), numbers(3000)],
]

for (const [name, backEnd] of backEnds) {
  describe(`decodeInSteps, ${name} back end`, (test) => {
    law(
      test,
      'long arrays result in the same values and errors as without steps',
      fc.tuple(codecCase, fc.array(fc.nat(), { maxLength: 60 }), fc.integer({ min: 1, max: 200 })),
      ([{ codec, inputs }, choices, stepCost]) => {
        const input = choices.map((choice) => inputs[choice % inputs.length])
        const resultOf = (run: typeof decodeInSteps) => {
          try {
            return errorsOf(run(list(codec), backEnd, input, stepCost))
          } catch (error) {
            return String(error)
          }
        }
        assertSame(resultOf(decodeInSteps), resultOf(decode))
      },
    )
    law(
      test,
      'arrays and objects that do not change are returned as the same objects',
      fc.jsonValue({ maxDepth: 3 }),
      (value) => {
        const input = { a: [value, value], b: { c: [[value], 1] } }
        const codec = t.type({
          a: list(t.unknown),
          b: t.record(t.string, list(t.union([counted.codec, list(t.unknown)]))),
        })
        assert.equal(
          sharedParts(input, decodeInSteps(codec, backEnd, input, 1)),
          sharedParts(input, decode(codec, backEnd, input)),
        )
      },
    )
    test('many invalid values among valid ones: the first errors, with few values in one step', () => {
      const input = numbers(30_000).map((index) => (index % 1000 === 999 ? null : index))
      const steps = stepsOf(compileCodec(dates, 'drop', backEnd), input, 20 * 16)
      const { value, calls } = runSteps(steps, counted.counted)
      assert.equal(errorsOf(value), errorsOf(decode(dates, backEnd, input)))
      assert.ok(Math.max(...calls) <= 60, String(Math.max(...calls)))
    })
    test('a primitive value whose union costs more than a step: decoded', () => {
      const codec = list(t.union([dates, counted.codec]))
      assert.equal(decodeInSteps(codec, backEnd, [1, 2, 3], 1), E.right([2, 3, 4]))
    })
    test('a class instance as a record of intersections: copied, as by decode', () => {
      class Instance {
        readonly member = { a: 1, b: 2 }
      }
      const opaque = new t.Type<unknown>('opaque', t.unknown.is, t.success, t.identity)
      const member = t.intersection([t.type({ a: opaque }), t.partial({ b: t.number })])
      const compiled = compileCodec(t.record(t.string, member), 'reject', backEnd)
      const input = new Instance()
      assertSame(runSteps(stepsOf(compiled, input, 1)).value, compiled.decode(input))
    })
    test('a small value: one step', () => {
      const steps = stepsOf(compileCodec(dates, 'drop', backEnd), [1, 2])
      assert.equal(steps.next(), { done: true, value: E.right([2, 3]) })
    })
    test('a recursive union in which two members describe each level: decoded in linear time', () => {
      const tree: t.Mixed = t.recursion('tree', () =>
        t.union([
          t.type({ child: tree, all: dates, a: t.string }),
          t.type({ child: tree, all: dates }),
          t.null,
        ]),
      )
      const value = numbers(60).reduce<unknown>((child) => ({ child, all: numbers(10) }), null)
      const before = counted.counted.calls
      assertSame(decodeInSteps(tree, backEnd, value, 64), decode(tree, backEnd, value))
      assert.ok(counted.counted.calls - before < 20_000)
    })
    test('a large array at level 95: read as often as at level 1', () => {
      const tree: t.Mixed = t.recursion('tree', () => list(t.union([tree, t.number])))
      const nest = (value: unknown, levels: number): unknown =>
        levels === 0 ? value : nest([value], levels - 1)
      const readsAt = (level: number): number => {
        let reads = 0
        const array = new Proxy([...numbers(1500)], {
          get: (target, key, receiver) => {
            reads++
            return Reflect.get(target, key, receiver)
          },
        })
        assert.ok(E.isRight(decodeInSteps(tree, backEnd, nest(array, level), 4096)))
        return reads
      }
      assert.ok(readsAt(95) < 2 * readsAt(1), `${readsAt(95)} and ${readsAt(1)} reads`)
    })
    test('an exception of a codec: thrown by the step that decodes the value', () => {
      const failing = new t.Type<unknown>(
        'failing',
        t.unknown.is,
        (value) => {
          if (value === 2999) throw new TypeError('failed')
          return t.success(value)
        },
        t.identity,
      )
      const steps = stepsOf(compileCodec(list(failing), 'drop', backEnd), numbers(3000))
      assert.equal(steps.next(), { done: false, value: undefined })
      assert.throws(() => runSteps(steps), 'failed')
    })
  })
  describe(`decodeInSteps, ${name} back end: each value is decoded once, at most 20 in one step`, (test) =>
    table(test, structures, (_, codec, value) => {
      const before = counted.counted.calls
      const steps = stepsOf(compileCodec(codec, 'drop', backEnd), value, 20 * 16)
      const { value: result, calls } = runSteps(steps, counted.counted)
      assert.is(counted.counted.calls - before, 3000)
      assert.ok(Math.max(...calls) <= 20, String(Math.max(...calls)))
      assertSame(result, decode(codec, backEnd, value))
    }))
  describe(`decodeInSteps, ${name} back end: the position of an invalid value is reported, without decoding the others again`, (test) =>
    table(test, [[0], [1], [20], [21], [1500], [2999]], (position) => {
      const before = counted.counted.calls
      const input = numbers(3000).map((index) => (index === position ? null : index))
      const steps = stepsOf(compileCodec(dates, 'drop', backEnd), input, 20 * 16)
      const { value, calls } = runSteps(steps, counted.counted)
      assert.equal(errorsOf(value), [['', String(position), undefined]])
      assert.ok(Math.max(...calls) <= 60)
      assert.ok(counted.counted.calls - before <= 3000 + 60)
    }))
}
