/** Single values as text in the notation of XML Schema. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { readSchema } from '../../../src/codec/schema/read-schema.ts'
import type { LexicalMapping } from '../../../src/xml/mapping/lexical-mapping.ts'
import { lexicalOf as lexicalOfSchema } from '../../../src/xml/mapping/unwrap-schema.ts'
import { enumOf, int, list, optional, plainDate, set } from '../../../src/index.ts'
import { xmlList } from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'

const lexicalOf = (codec: t.Mixed): LexicalMapping | undefined =>
  lexicalOfSchema(readSchema(codec, 'drop'))

const parse = (codec: t.Mixed, text: string): unknown => lexicalOf(codec)?.parse(text)

describe('lexicalOf: parse', (test) => {
  table(
    test,
    [
      ['5', t.number, 5],
      [' 5\n', t.number, 5],
      ['+5.', t.number, 5],
      ['.5e-1', t.number, 0.05],
      ['INF', t.number, Infinity],
      ['-INF', t.number, -Infinity],
      ['NaN', t.number, Number.NaN],
      ['Infinity', t.number, 'Infinity'],
      ['0x1F', t.number, '0x1F'],
      ['1_000', t.number, '1_000'],
      ['5 6', t.number, '5 6'],
      ['', t.number, ''],
      ['.', t.number, '.'],
      ['true', t.boolean, true],
      [' 0 ', t.boolean, false],
      ['1', t.boolean, true],
      ['TRUE', t.boolean, 'TRUE'],
      ['007', t.string, '007'],
      [' x ', t.string, ' x '],
      ['12345678901234567890', t.bigint, 12345678901234567890n],
      ['1.0', t.bigint, '1.0'],
      [' 2 ', t.literal(2), 2],
      ['a', enumOf('a', 2), 'a'],
      ['2', enumOf('a', 2), 2],
      ['\n 2026-01-02 ', plainDate, '2026-01-02'],
      ['5', optional(int), 5],
      ['5', t.union([t.boolean, int]), 5],
      [' 1  2\n3 ', xmlList(list(int)), [1, 2, 3]],
      ['', xmlList(list(int)), []],
      ['a b', xmlList(t.tuple([t.string, t.string])), ['a', 'b']],
      ['1 b', xmlList(t.tuple([int, t.string])), [1, 'b']],
    ] as const,
    (text, codec, expected) => assert.equal(parse(codec, text), expected),
  )
})

describe('lexicalOf: format', (test) => {
  table(
    test,
    [
      ['1e+21', t.number, 1e21],
      ['INF', t.number, Infinity],
      ['-INF', t.number, -Infinity],
      ['NaN', t.number, Number.NaN],
      ['false', t.boolean, false],
      ['-5', t.bigint, -5n],
      ['1 2', xmlList(set(int)), new Set([1, 2])],
      ['', xmlList(list(int)), []],
    ] as const,
    (text, codec, value) => assert.is(lexicalOf(codec)?.format(value), text),
  )
  table(
    test,
    [
      [['a b'], 'whitespace'],
      [[''], 'non-empty text'],
      ['a', 'expected a list'],
    ] as const,
    (value, message) =>
      assert.throws(() => lexicalOf(xmlList(list(t.string)))?.format(value), new RegExp(message)),
  )
  table(
    test,
    [
      [t.type({ a: int })],
      [list(int)],
      [t.record(t.string, int)],
      [t.unknown],
      [t.UnknownRecord],
      [t.union([int, t.type({ a: int })])],
    ] as const,
    (codec) => assert.is(lexicalOf(codec), undefined),
  )
})
