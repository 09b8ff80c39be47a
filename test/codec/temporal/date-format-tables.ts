/** Helpers that register table tests and laws of `dateFormat`. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { DateCodec } from '../../../src/codec/temporal/date-codec.ts'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import { assertStable } from './date-time-tables.ts'
import { law, type Test } from '../../support/describe.ts'

/** Rows of a pattern, a text in its format, and the same value in the standard format of the codec. */
type Rows = ReadonlyArray<readonly [pattern: string, text: string, standard: string]>

const assertDecodes = <A>(
  codec: DateCodec<A>,
  pattern: string,
  text: string,
  standard: string,
): void =>
  assert.equal(
    pipe(
      dateFormat(pattern)(codec).decode(text),
      E.map((value) => codec.encode(value)),
    ),
    E.right(standard),
  )

/** Registers tests that a text decodes to a value and that the value encodes to the text. */
export const bothWays = <A>(test: Test, codec: DateCodec<A>, rows: Rows): void =>
  rows.forEach(([pattern, text, standard]) =>
    test(`${pattern}: ${text}`, () => {
      assertDecodes(codec, pattern, text, standard)
      assert.equal(
        pipe(
          codec.decode(standard),
          E.map((value) => dateFormat(pattern)(codec).encode(value)),
        ),
        E.right(text),
      )
    }),
  )

/** Registers tests that a text decodes to a value that encodes to another text. */
export const decodesOnly = <A>(test: Test, codec: DateCodec<A>, rows: Rows): void =>
  rows.forEach(([pattern, text, standard]) =>
    test(`${pattern} decodes ${text}`, () => assertDecodes(codec, pattern, text, standard)),
  )

/** Registers tests for rows of a pattern and a text that must not decode. */
export const failsWith = <A>(
  test: Test,
  codec: DateCodec<A>,
  rows: ReadonlyArray<readonly [pattern: string, text: string]>,
): void =>
  rows.forEach(([pattern, text]) =>
    test(`${pattern} fails for ${JSON.stringify(text)}`, () =>
      assert.ok(E.isLeft(dateFormat(pattern)(codec).decode(text)))),
  )

/** Registers laws of a pattern that contains all units of a value: it round-trips, and no text causes an exception. */
export const roundTrips = <A>(
  test: Test,
  codec: DateCodec<A>,
  arbitrary: fc.Arbitrary<A>,
  patterns: ReadonlyArray<string>,
): void =>
  patterns.forEach((pattern) => {
    const formatted = dateFormat(pattern)(codec)
    law(test, `${pattern} round-trips values`, arbitrary, (value) =>
      assertDecodes(codec, pattern, formatted.encode(value), codec.encode(value)),
    )
    law(
      test,
      `a value decoded with ${pattern} can be encoded and decoded again`,
      fc.oneof(fc.string(), fc.stringMatching(/^[\d:/ .+-]*$/)),
      (text) => assertStable(formatted, text),
    )
  })
