/** Values of the `Idempotency-Key` header: Strings of structured fields (RFC 9651, 3.3.3) and bare keys. */
import * as O from 'fp-ts/lib/Option.js'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { format, maxLength, parse } from '../../src/http/idempotency-key.ts'
import { describe, table } from '../support/describe.ts'

const uuid = '8e03978e-40d5-43dd-bc93-6894a57f9324'
const longest = 'k'.repeat(maxLength)

describe('an Idempotency-Key header', (test) => {
  // the value, the key, and the key in strict mode. `undefined` for a malformed value
  const rows: ReadonlyArray<
    [text: string, key: string | undefined, strictKey: string | undefined]
  > = [
    [`"${uuid}"`, uuid, uuid],
    [uuid, uuid, undefined],
    // a token for structured fields, unlike the UUID above
    ['ae03978e', 'ae03978e', undefined],
    ['order:17/retry@2', 'order:17/retry@2', undefined],
    ['Zm9v+/==', 'Zm9v+/==', undefined],
    ['"with space"', 'with space', 'with space'],
    [String.raw`"a \"b\" \\ c"`, String.raw`a "b" \ c`, String.raw`a "b" \ c`],
    [longest, longest, undefined],
    [`"${longest}"`, longest, longest],
    [String.raw`"${'\\"'.repeat(maxLength)}"`, '"'.repeat(maxLength), '"'.repeat(maxLength)],
    ['', undefined, undefined],
    ['""', undefined, undefined],
    ['"', undefined, undefined],
    ['"a', undefined, undefined],
    ['a"', undefined, undefined],
    ['"a"b"', undefined, undefined],
    [String.raw`"\a"`, undefined, undefined],
    [String.raw`"a\"`, undefined, undefined],
    ['"a";x=1', undefined, undefined],
    ["'a'", undefined, undefined],
    ['a b', undefined, undefined],
    ['a, b', undefined, undefined],
    ['"a", "b"', undefined, undefined],
    [':YWJj:', ':YWJj:', undefined],
    ['\u00e4', undefined, undefined],
    ['"\u00e4"', undefined, undefined],
    ['"a\tb"', undefined, undefined],
    [`${longest}k`, undefined, undefined],
    [`"${longest}k"`, undefined, undefined],
    [`"${'k'.repeat(10_000)}`, undefined, undefined],
  ]
  table(test, rows, (text, key, strictKey) => {
    assert.equal(O.toUndefined(parse(text)), key)
    assert.equal(O.toUndefined(parse(text, true)), strictKey)
  })

  test('a written key is read again', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...Array.from(' "\\!~az09,;')),
          minLength: 1,
          maxLength,
        }),
        (key) => assert.equal(parse(format(key), true), O.some(key)),
      ),
    )
  })
})
