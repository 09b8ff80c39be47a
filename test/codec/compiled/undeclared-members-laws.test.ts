import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import type { CompiledCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import type { UndeclaredHandling } from '../../../src/codec/structure/undeclared-members.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../../src/codec/compiled/interpreted-back-end.ts'
import { describe, law } from '../../support/describe.ts'
import { closedSample, instance, sample } from '../../support/sample.ts'

/** Adds members to every object in a value, at any depth. */
const withExtraMembers = (value: unknown, extra: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(value)) return value.map((element) => withExtraMembers(element, extra))
  if (!t.UnknownRecord.is(value) || value instanceof Set) return value
  const members = Object.entries(value).map(
    ([key, member]) => [key, withExtraMembers(member, extra)] as const,
  )
  return Object.fromEntries([...members, ...Object.entries(extra)])
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

/** Returns the path of each error. */
const errorPaths = (result: t.Validation<unknown>): ReadonlyArray<ReadonlyArray<string>> =>
  E.isLeft(result) ? result.left.map(({ context }) => context.map(({ key }) => key)) : []

const compiled = (codec: Codec, undeclared: UndeclaredHandling): CompiledCodec =>
  compileCodec(codec, undeclared, interpretedBackEnd)

describe('laws of undeclared members', (test) => {
  law(
    test,
    'encodes and decodes declared members like the codec',
    instance(sample),
    ({ codec, value }) => {
      const encoded: unknown = codec.encode(value)
      for (const undeclared of ['drop', 'reject'] as const) {
        assert.equal(compiled(codec, undeclared).encode(value), encoded)
        assert.equal(compiled(codec, undeclared).decode(encoded), codec.decode(encoded))
      }
    },
  )
  law(test, 'drops undeclared members', instance(closedSample), ({ codec, value }) => {
    const form = compiled(codec, 'drop')
    assert.equal(form.encode(withExtraMembers(value, { z: 0 })), codec.encode(value))
    assert.equal(
      form.decode(withExtraMembers(codec.encode(value), { z: 0 })),
      codec.decode(codec.encode(value)),
    )
  })
  law(test, 'rejects undeclared members', instance(closedSample), ({ codec, value }) => {
    const input = withExtraMembers(codec.encode(value), { z: 0 })
    const result = compiled(codec, 'reject').decode(input)
    assert.is(E.isLeft(result), hasObject(input))
    if (E.isLeft(result)) assert.ok(result.left.some(({ context }) => context.at(-1)?.key === 'z'))
  })
  law(test, 'reports errors at the same paths', fc.tuple(sample, json), ([{ codec }, input]) => {
    const [expected, actual] = [codec.decode(input), compiled(codec, 'drop').decode(input)]
    assert.equal(errorPaths(actual), errorPaths(expected))
    assert.is(E.isRight(actual), E.isRight(expected))
  })
  law(test, 'no member becomes a prototype', instance(closedSample), ({ codec, value }) => {
    const extra = JSON.parse(
      '{"__proto__":{"z":0},"constructor":{"prototype":{"z":0}},"prototype":0}',
    )
    const result = compiled(codec, 'drop').decode(withExtraMembers(codec.encode(value), extra))
    assert.equal(result, codec.decode(codec.encode(value))) // compares prototypes too
  })
})
