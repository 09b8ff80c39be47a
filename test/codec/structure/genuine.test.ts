import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { described } from '../../../src/codec/annotated.ts'
import { xmlAttribute, xmlElement } from '../../../src/xml.ts'
import { withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set, tupleWithRest } from '../../../src/codec/collection.ts'
import { atLeast } from '../../../src/codec/constraint.ts'
import { isGenuine } from '../../../src/codec/structure/genuine.ts'
import { encoded } from '../../../src/codec/structure/parameter-codecs.ts'
import { exactForm } from '../compiled/exact-form.ts'
import { secureField } from '../../../src/codec/structure/restricted-member.ts'
import { enumOf, int } from '../../../src/codec/scalar.ts'
import { delegatesTo, isCodec } from '../../../src/codec/codec-structure.ts'
import { describe, table } from '../../support/describe.ts'
import { withValidate, mistagged, withFallback } from '../../support/unusual-codecs.ts'
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
  tupleWithRest([hex], t.string),
  t.union([t.string, hex]),
  t.union([t.string, t.null]),
  t.union([t.type({ a: t.literal(1) }), t.type({ a: t.literal(2) })]),
  t.intersection([t.string, mistagged('')]),
  t.recursion<t.TypeOf<typeof object>, unknown>('recursive', () => object),
  withDefault(t.string, ''),
  withDefault(hex, 0),
  withDefault(object, { a: 0 }),
  described('a')(t.string),
  xmlAttribute()(int),
  xmlElement('a')(described('b')(hex)),
]
/** The codecs and their exact forms. */
const forms = [...new Set(codecs.flatMap((codec) => [codec, exactForm(codec, 'drop')]))].filter(
  (codec) => codec !== hex,
)

/** Loads a second copy of io-ts from another directory. */
const loadSecondIoTs = (): Readonly<Record<string, unknown>> => {
  const lib = dirname(createRequire(import.meta.url).resolve('io-ts'))
  const directory = mkdtempSync(join(tmpdir(), 'io-ts-'))
  try {
    cpSync(lib, join(directory, 'io-ts'), { recursive: true })
    symlinkSync(join(lib, '../..'), join(directory, 'node_modules'))
    const loaded: unknown = createRequire(join(directory, 'index.js'))('./io-ts/index.js')
    return t.UnknownRecord.is(loaded) ? loaded : {}
  } finally {
    rmSync(directory, { recursive: true })
  }
}

describe('isGenuine', (test) => {
  table(
    test,
    forms.map((codec): [string, Codec] => [`accepts ${codec._tag ?? ''} ${codec.name}`, codec]),
    (_, codec) => assert.ok(isGenuine(codec)),
  )
  table(
    test,
    forms.map((codec): [string, Codec] => [
      `rejects a copy of ${codec.name} with a replaced function`,
      codec,
    ]),
    (_, codec) => assert.not(isGenuine(withFallback(codec, 'fallback'))),
  )
  test('accepts a copy with the same functions', () => {
    assert.ok(isGenuine(withValidate(t.string, t.string.validate)))
  })
  test('rejects a codec with a function of another kind of codec', () => {
    assert.not(isGenuine(withValidate(t.array(t.string), t.string.validate)))
  })
  test('rejects a copy with another encode function', () => {
    for (const codec of [t.string, t.array(t.string), t.refinement(t.string, () => true)])
      assert.not(isGenuine(Object.assign(withValidate(codec, codec.validate), { encode: String })))
  })
  test('rejects a codec with an unknown tag or without a tag', () => {
    assert.not(isGenuine(mistagged('PersonType')))
    assert.not(isGenuine(hex))
  })
  test('accepts codecs of a second copy of io-ts', () => {
    const { string, number, UnknownRecord } = loadSecondIoTs()
    for (const [codec, original] of [
      [string, t.string],
      [number, t.number],
      [UnknownRecord, t.UnknownRecord],
    ]) {
      assert.is.not(codec, original)
      assert.ok(isCodec(codec) && isGenuine(codec))
    }
  })
})

describe('delegatesTo', (test) => {
  test('is true for a wrapper with the functions of its inner codec', () => {
    assert.ok(delegatesTo(t.readonly(hex), hex))
    assert.ok(delegatesTo(encoded(hex), hex))
  })
  test('is false for a wrapper with another function', () => {
    assert.not(delegatesTo(withFallback(t.readonly(hex), 0), hex))
    assert.not(delegatesTo(withDefault(hex, 0), hex))
  })
})
