/** Tables and laws of dates in the form of a pattern. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { DateCodec } from '../../src/codec/temporal/date-codec.ts'
import { dateFormat } from '../../src/codec/temporal/date-format.ts'
import { settles } from './date.ts'
import { law, type Test } from './describe.ts'

/** Rows of a pattern, a text in it, and the same value in the codec's standard form. */
type Rows = ReadonlyArray<readonly [pattern: string, text: string, standard: string]>

const isRead = <A>(codec: DateCodec<A>, pattern: string, text: string, standard: string): void =>
  assert.equal(
    pipe(
      dateFormat(pattern)(codec).decode(text),
      E.map((value) => codec.encode(value)),
    ),
    E.right(standard),
  )

/** The text is read as the value and the value is written as the text. */
export const bothWays = <A>(test: Test, codec: DateCodec<A>, rows: Rows): void =>
  rows.forEach(([pattern, text, standard]) =>
    test(`${pattern}: ${text}`, () => {
      isRead(codec, pattern, text, standard)
      assert.equal(
        pipe(
          codec.decode(standard),
          E.map((value) => dateFormat(pattern)(codec).encode(value)),
        ),
        E.right(text),
      )
    }),
  )

/** The text is read as the value, which is written otherwise. */
export const readsOnly = <A>(test: Test, codec: DateCodec<A>, rows: Rows): void =>
  rows.forEach(([pattern, text, standard]) =>
    test(`${pattern} reads ${text}`, () => isRead(codec, pattern, text, standard)),
  )

/** Rows of a pattern and a text that is not in its form. */
export const refusesIn = <A>(
  test: Test,
  codec: DateCodec<A>,
  rows: ReadonlyArray<readonly [pattern: string, text: string]>,
): void =>
  rows.forEach(([pattern, text]) =>
    test(`${pattern}: not ${JSON.stringify(text)}`, () =>
      assert.ok(E.isLeft(dateFormat(pattern)(codec).decode(text)))),
  )

/** A pattern that holds all of a value gives it back, and throws at no text. */
export const givesBack = <A>(
  test: Test,
  codec: DateCodec<A>,
  arbitrary: fc.Arbitrary<A>,
  patterns: ReadonlyArray<string>,
): void =>
  patterns.forEach((pattern) => {
    const formatted = dateFormat(pattern)(codec)
    law(test, `${pattern} gives the value back`, arbitrary, (value) =>
      isRead(codec, pattern, formatted.encode(value), codec.encode(value)),
    )
    law(
      test,
      `what ${pattern} reads can be written and read again`,
      fc.oneof(fc.string(), fc.stringMatching(/^[\d:/ .+-]*$/)),
      (text) => settles(formatted, text),
    )
  })
