import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { uuid } from '../../src/codec/uuid.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

describe('uuid', (test) => {
  table(
    test,
    [
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', E.right('f81d4fae-7dec-11d0-a765-00a0c91e6bf6')], // RFC 9562, 4
      ['00000000-0000-0000-0000-000000000000', E.right('00000000-0000-0000-0000-000000000000')], // 5.9, nil
      ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', E.right('ffffffff-ffff-ffff-ffff-ffffffffffff')], // 5.10, max
      ['C232AB00-9414-11EC-B3C8-9F6BDECED846', E.right('c232ab00-9414-11ec-b3c8-9f6bdeced846')], // A.1, version 1
      ['017F22E2-79B0-7CC3-98C4-DC0C0C07398F', E.right('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')], // A.6, version 7
    ] as const,
    (text, expected) => assert.equal(uuid.decode(text), expected),
  )
  table(
    test,
    [
      ['f81d4fae7dec11d0a76500a0c91e6bf6'],
      ['{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}'],
      ['urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6'], // a URN, not the text form
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf'],
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf66'],
      ['f81d4fae-7dec-11d0-a7650-0a0c91e6bf6'],
      ['g81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n'],
      [' f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
      ['1-1-1-1-1'],
      [''],
    ] as const,
    (text) => assert.ok(E.isLeft(uuid.decode(text))),
  )
  test('is written in lower case', () =>
    assert.is(
      uuid.encode('C232AB00-9414-11EC-B3C8-9F6BDECED846'),
      'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    ))
  roundTrip(
    test,
    fc.uuid(),
    uuid.encode,
    (text) => uuid.decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
  law(test, 'what it is, is what it reads', fc.anything(), (value) =>
    assert.is(uuid.is(value), E.isRight(uuid.decode(value))),
  )
})
