/** Decoding with schemas that validate asynchronously. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { z } from 'zod'
import type { BackEnd } from '../../../src/codec/compiled/compiled-codec.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { MissingFeatureError } from '../../../src/codec/missing-feature.ts'
import { fromStandardSchema } from '../../../src/codec/standard-schema/standard-schema.ts'
import { list, optional } from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'
import { backEnds } from '../back-ends.ts'

/** Creates a schema of free names, which counts the names that it checks. */
const nameSchema = () => {
  const checked: string[] = []
  const schema = z.string().refine(async (name) => {
    checked.push(name)
    return Promise.resolve(!name.startsWith('taken'))
  })
  return { schema, checked }
}

const decoderFor = (backEnd: BackEnd) => (codec: t.Mixed, value: unknown) =>
  compileCodec(codec, 'drop', backEnd).decodeLater(value)

for (const [title, backEnd] of backEnds)
  describe(`asynchronous schemas, ${title}`, (test) => {
    const decodeWith = decoderFor(backEnd)

    table(
      test,
      [
        ['the value itself', (name: t.Mixed) => name, 'ann', 'taken', ['']],
        ['a list', list, ['ann', 'bob'], ['ann', 'taken', 'taken2'], ['', '1', '', '2']],
        [
          'a member',
          (name: t.Mixed) => t.type({ name }),
          { name: 'ann' },
          { name: 'taken' },
          ['', 'name'],
        ],
        [
          'an optional member',
          (name: t.Mixed) => t.partial({ name }),
          { name: 'ann' },
          { name: 'taken' },
          ['', 'name'],
        ],
        [
          'a record',
          (name: t.Mixed) => t.record(t.string, name),
          { a: 'ann' },
          { a: 'taken' },
          ['', 'a'],
        ],
        [
          'an intersection',
          (name: t.Mixed) => t.intersection([name, t.string]),
          'ann',
          'taken',
          ['', '0'],
        ],
      ] as ReadonlyArray<
        [string, (name: t.Mixed) => t.Mixed, unknown, unknown, ReadonlyArray<string>]
      >,
      async (_, wrap, valid, invalid, keys) => {
        const codec = wrap(fromStandardSchema(nameSchema().schema))
        assert.equal(await decodeWith(codec, valid), E.right(valid))
        const rejected = await decodeWith(codec, invalid)
        assert.equal(
          E.isLeft(rejected) &&
            rejected.left.flatMap(({ context }) => context.map(({ key }) => key)),
          keys,
        )
      },
    )
    test('a union tries further codecs only if an earlier one rejects the value', async () => {
      const codec = t.union([fromStandardSchema(nameSchema().schema), t.literal('taken')])
      assert.equal(await decodeWith(codec, 'ann'), E.right('ann'))
      assert.equal(await decodeWith(codec, 'taken'), E.right('taken'))
      assert.ok(E.isLeft(await decodeWith(codec, 'taken2')))
    })
    test('all elements of a list are validated at the same time, and once', async () => {
      const { schema, checked } = nameSchema()
      const names = Array.from({ length: 2000 }, (_, index) => `name${index}`)
      const decoded = decodeWith(list(fromStandardSchema(schema)), names)
      // zod calls the check of the first element twice, because it does not know yet that the check is asynchronous
      assert.is(checked.length, names.length + 1)
      assert.equal(await decoded, E.right(names))
      assert.is(checked.length, names.length + 1)
    })
    test('predicates of the application never see a value that is not validated', async () => {
      const seen: unknown[] = []
      const name = fromStandardSchema(nameSchema().schema)
      const codec = t.refinement(name, (value) => seen.push(value) > 0)
      assert.equal(await decodeWith(codec, 'ann'), E.right('ann'))
      assert.equal(seen, ['ann'])
    })
    test('a schema that always returns a promise accepts a missing member', async () => {
      const name = fromStandardSchema(
        v.pipeAsync(
          v.string(),
          v.checkAsync(async () => true),
        ),
      )
      const codec = t.intersection([t.type({ a: t.string }), t.partial({ name })])
      assert.equal(await decodeWith(codec, { a: 'a' }), E.right({ a: 'a' }))
      assert.equal(await decodeWith(optional(name), undefined), E.right(undefined))
    })
    test('the value of a synchronous schema is returned without a promise', () => {
      assert.equal(decodeWith(list(fromStandardSchema(z.string())), ['a']), E.right(['a']))
    })
    test('a rejected promise rejects the result with its reason', async () => {
      const reason = new Error('no connection')
      let isConnected = true
      const schema = z.string().refine(async () => isConnected || Promise.reject(reason))
      const codec = t.type({ a: fromStandardSchema(schema) })
      assert.equal(await decodeWith(codec, { a: 'a' }), E.right({ a: 'a' }))
      isConnected = false
      const result = decodeWith(codec, { a: 'a' })
      assert.is(await Promise.resolve(result).catch((error: unknown) => error), reason)
    })
    test('a codec that passes a new object in each pass throws a TypeError', async () => {
      const schema = fromStandardSchema(z.unknown().refine(async () => true))
      const copying = new t.Type<unknown>(
        'copying',
        t.unknown.is,
        (value, context) => schema.validate({ value }, context),
        t.identity,
      )
      const result = decodeWith(Object.assign(copying, { codec: schema }), {})
      const error = await Promise.resolve(result).catch((thrown: unknown) => thrown)
      assert.instance(error, TypeError)
    })
    test('decode throws a MissingFeatureError', () => {
      const { decode } = compileCodec(fromStandardSchema(nameSchema().schema), 'drop', backEnd)
      assert.throws(
        () => decode('ann'),
        (error: unknown) =>
          error instanceof MissingFeatureError &&
          error.message.startsWith('invalid zod schema: asynchronous validation'),
      )
    })
  })
