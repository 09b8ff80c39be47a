import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { exactForm } from '../../../src/codec/structure/exact-form.ts'
import { describe, law } from '../../support/describe.ts'
import { closed, instance, sample } from '../../support/sample.ts'

/** Puts members into every object of a value, and into those within. */
const sprinkled = (value: unknown, extra: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(value)) return value.map((one) => sprinkled(one, extra))
  if (!t.UnknownRecord.is(value) || value instanceof Set) return value
  const own = Object.entries(value).map(([key, one]) => [key, sprinkled(one, extra)] as const)
  return Object.fromEntries([...own, ...Object.entries(extra)])
}

const hasObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasObject) : t.UnknownRecord.is(value)

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(0, 1, 'a', 'b', 'f', '?', true, null, undefined),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'it', 'kind', 'z'), tie('value'), {
      noNullPrototype: true,
    }),
  ),
})).value

/** The keys that lead to each error. */
const places = (result: t.Validation<unknown>): ReadonlyArray<ReadonlyArray<string>> =>
  E.isLeft(result) ? result.left.map(({ context }) => context.map(({ key }) => key)) : []

describe('exactly, its laws', (test) => {
  law(test, 'what is declared passes both ways as it did', instance(sample), ({ codec, value }) => {
    const wire: unknown = codec.encode(value)
    for (const undeclared of ['drop', 'reject'] as const) {
      assert.equal(exactForm(codec, undeclared).encode(value), wire)
      assert.equal(exactForm(codec, undeclared).decode(wire), codec.decode(wire))
    }
  })
  law(test, 'what is not declared is dropped', instance(closed), ({ codec, value }) => {
    const form = exactForm(codec, 'drop')
    assert.equal(form.encode(sprinkled(value, { z: 0 })), codec.encode(value))
    assert.equal(
      form.decode(sprinkled(codec.encode(value), { z: 0 })),
      codec.decode(codec.encode(value)),
    )
  })
  law(test, 'what is not declared is refused', instance(closed), ({ codec, value }) => {
    const input = sprinkled(codec.encode(value), { z: 0 })
    const result = exactForm(codec, 'reject').decode(input)
    assert.is(E.isLeft(result), hasObject(input))
    if (E.isLeft(result)) assert.ok(result.left.some(({ context }) => context.at(-1)?.key === 'z'))
  })
  law(test, 'errors are where they were', fc.tuple(sample, json), ([{ codec }, input]) => {
    const [before, after] = [codec.decode(input), exactForm(codec, 'drop').decode(input)]
    assert.equal(places(after), places(before))
    assert.is(E.isRight(after), E.isRight(before))
  })
  law(test, 'no member becomes a prototype', instance(closed), ({ codec, value }) => {
    const extra = JSON.parse(
      '{"__proto__":{"z":0},"constructor":{"prototype":{"z":0}},"prototype":0}',
    )
    const result = exactForm(codec, 'drop').decode(sprinkled(codec.encode(value), extra))
    assert.equal(result, codec.decode(codec.encode(value))) // compares prototypes too
  })
})
