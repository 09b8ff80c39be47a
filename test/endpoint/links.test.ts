import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { isGenuine } from '../../src/codec/structure/genuine.ts'
import { identifierKind } from '../../src/endpoint/links.ts'
import { between, int, list, optional, string, uuid, withDefault } from '../../src/index.ts'
import { linkId, primaryKey } from '../../src/links.ts'
import { describe, table } from '../support/describe.ts'

type CodecRow = readonly [name: string, codec: t.Mixed, value: unknown]

const codecs: ReadonlyArray<CodecRow> = [
  ['string', string, 'a'],
  ['int', int, 1],
  ['uuid', uuid, 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  ['a constraint', between(1, 3)(int), 2],
  ['optional', optional(int), undefined],
  ['a default', withDefault(int, 1), 1],
  ['a list', list(int), [1]],
  ['a record', t.record(t.string, int), { a: 1 }],
  ['a strict object', t.strict({ a: int }), { a: 1 }],
  ['recursion', t.recursion('recursive', () => t.type({ a: int })), { a: 1 }],
]

describe('linkId', (test) => {
  table<CodecRow>(test, codecs, (_, codec, value) => {
    const annotated = linkId(codec)
    assert.is(identifierKind(codec), undefined)
    assert.is(identifierKind(annotated), 'linkId')
    assert.is(annotated.name, codec.name)
    assert.is(annotated.is(value), true)
    assert.equal(annotated.decode(value), E.right(value))
    assert.equal(annotated.encode(value), codec.encode(value))
    assert.equal(annotated.pipe(t.unknown).decode(value), E.right(value))
    assert.is(isGenuine(annotated), isGenuine(codec))
  })
  test('the outer identifier kind applies', () => {
    assert.is(identifierKind(linkId(primaryKey(int))), 'linkId')
    assert.is(identifierKind(primaryKey(linkId(int))), 'primaryKey')
  })
})
