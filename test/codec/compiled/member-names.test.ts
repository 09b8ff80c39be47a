/** Member names may come from generators or foreign schemas, so generated code must not execute text in them. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { BackEnd } from '../../../src/codec/compiled/compiled-codec.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { enumOf } from '../../../src/codec/scalar.ts'
import { backEnds } from '../back-ends.ts'
import { describe, law, table } from '../../support/describe.ts'
import { unicodeString } from '../../support/unicode-string.ts'

const hostile = [
  '"',
  "'",
  '`',
  '\\',
  '*/',
  '//',
  '${process.exit(1)}',
  '"];process.exit(1);["',
  '\n',
  '\r',
  '\u2028',
  '\u2029',
  '\0',
  '</script>',
  '\ud800',
  '',
  'u',
  'a0',
  'constant0',
  'rejected',
  'arguments',
  'break',
]

const name = fc.oneof(
  unicodeString,
  fc.array(fc.constantFrom(...hostile), { maxLength: 4 }).map((parts) => parts.join('')),
)

const checkName =
  (backEnd: BackEnd) =>
  (key: string): void => {
    const codec = t.union([
      t.type({ kind: t.literal(key), [key]: t.string }),
      t.type({ kind: t.literal(`${key}!`), value: enumOf(key, 'b') }),
    ])
    const { decode, encode, is, write } = compileCodec(codec, 'drop', backEnd)
    if (key !== 'kind' && !(key in {})) {
      const value = { kind: key, [key]: 'x' }
      assert.equal(decode({ ...value, [`${key}?`]: 0 }), E.right(value))
      assert.equal(encode({ ...value, [`${key}?`]: 0 }), value)
      assert.ok(is(value))
      assert.is(write({ ...value, [`${key}?`]: 0 }), JSON.stringify(value))
    }
    const other = { kind: `${key}!`, value: key }
    assert.equal(decode(other), E.right(other))
    assert.is(write(other), JSON.stringify(other))
    assert.ok(E.isLeft(decode({ kind: `${key}!`, value: `${key}!` })))
  }

for (const [title, backEnd] of backEnds)
  describe(`names in compiled codecs, ${title} back end`, (test) => {
    const rows: ReadonlyArray<[key: string]> = hostile.map((key) => [key])
    table(test, rows, checkName(backEnd))
    law(test, 'any name is treated as text', name, checkName(backEnd))
  })
