import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import { atLeast } from '../../../src/codec/constraint.ts'
import { isGenuine, delegatesTo } from '../../../src/codec/structure/genuine.ts'
import { encoded } from '../../../src/codec/parameter/encoded.ts'
import { exactForm } from '../../../src/codec/structure/exact-form.ts'
import { secureField } from '../../../src/codec/visibility/restricted-member.ts'
import { enumOf, int } from '../../../src/codec/scalar.ts'
import { isCodec } from '../../../src/codec/structure/codec-structure.ts'
import { describe, table } from '../../support/describe.ts'
import { altered, tagged, withFallback } from '../../support/unusual-codecs.ts'
import { hex } from '../../support/sample.ts'

const object = t.type({ a: hex })
const codecs: ReadonlyArray<Codec> = [
  t.null,
  t.undefined,
  t.void,
  t.unknown,
  t.any,
  t.string,
  t.number,
  t.bigint,
  t.boolean,
  t.Function,
  t.UnknownArray,
  t.UnknownRecord,
  t.literal('a'),
  t.keyof({ a: null }),
  enumOf('a', 1),
  int,
  t.Int,
  atLeast(1)(int),
  atLeast(1)(hex),
  secureField('a')(t.string),
  secureField('a')(hex),
  atLeast(1)(secureField('a')(int)),
  t.refinement(object, () => true),
  t.array(t.string),
  t.array(hex),
  list(object),
  set(hex),
  t.tuple([hex, t.string]),
  t.union([t.string, hex]),
  t.union([t.string, t.null]),
  t.union([t.type({ a: t.literal(1) }), t.type({ a: t.literal(2) })]),
  t.intersection([t.string, tagged('')]),
  t.recursion<t.TypeOf<typeof object>, unknown>('recursive', () => object),
  withDefault(t.string, ''),
  withDefault(hex, 0),
  withDefault(object, { a: 0 }),
]
/** The codecs and their exact forms. */
const forms = [...new Set(codecs.flatMap((codec) => [codec, exactForm(codec, 'drop')]))].filter(
  (codec) => codec !== hex,
)

/** io-ts as a second copy of it: another directory, other functions. */
const second = (): Readonly<Record<string, unknown>> => {
  const lib = dirname(createRequire(import.meta.url).resolve('io-ts'))
  const here = mkdtempSync(join(tmpdir(), 'io-ts-'))
  try {
    cpSync(lib, join(here, 'io-ts'), { recursive: true })
    symlinkSync(join(lib, '../..'), join(here, 'node_modules'))
    const loaded: unknown = createRequire(join(here, 'index.js'))('./io-ts/index.js')
    return t.UnknownRecord.is(loaded) ? loaded : {}
  } finally {
    rmSync(here, { recursive: true })
  }
}

describe('isGenuine', (test) => {
  table(
    test,
    forms.map((codec): [string, Codec] => [`${codec._tag ?? ''} ${codec.name}`, codec]),
    (_, codec) => assert.ok(isGenuine(codec)),
  )
  table(
    test,
    forms.map((codec): [string, Codec] => [`a copy of ${codec.name} with another function`, codec]),
    (_, codec) => assert.not(isGenuine(withFallback(codec, 'fallback'))),
  )
  test('a copy with the same functions', () => {
    assert.ok(isGenuine(altered(t.string, t.string.validate)))
  })
  test('a function of the same kind of codec', () => {
    assert.not(isGenuine(altered(t.array(t.string), t.string.validate)))
  })
  test('a copy that encodes otherwise', () => {
    for (const codec of [t.string, t.array(t.string), t.refinement(t.string, () => true)])
      assert.not(isGenuine(Object.assign(altered(codec, codec.validate), { encode: String })))
  })
  test('a tag that io-ts does not have, and none', () => {
    assert.not(isGenuine(tagged('PersonType')))
    assert.not(isGenuine(hex))
  })
  test('a second copy of io-ts', () => {
    const { string, number, UnknownRecord } = second()
    for (const [codec, own] of [
      [string, t.string],
      [number, t.number],
      [UnknownRecord, t.UnknownRecord],
    ]) {
      assert.is.not(codec, own)
      assert.ok(isCodec(codec) && isGenuine(codec))
    }
  })
})

describe('passesOn', (test) => {
  test('the functions of the codec inside', () => {
    assert.ok(delegatesTo(t.readonly(hex), hex))
    assert.ok(delegatesTo(encoded(hex), hex))
  })
  test('a function of its own', () => {
    assert.not(delegatesTo(withFallback(t.readonly(hex), 0), hex))
    assert.not(delegatesTo(withDefault(hex, 0), hex))
  })
})
