/** Arbitrary dates and times, and helpers that register table tests of codecs. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import type { Temporal } from 'temporal-polyfill'
import * as assert from 'uvu/assert'
import { temporal } from '../../../src/codec/temporal/temporal-api.ts'
import { law, table, type Test } from '../../support/describe.ts'

/** The number of days from 1970 to each end of the range of Temporal. */
const days = 100_000_000n

const nanosecondsWithin = (limit: bigint): fc.Arbitrary<bigint> =>
  fc.bigInt({ min: -limit * 86_400_000_000_000n, max: limit * 86_400_000_000_000n })

const instantWithin = (limit: bigint): fc.Arbitrary<Temporal.Instant> =>
  nanosecondsWithin(limit).map((nanoseconds) => new (temporal().Instant)(nanoseconds))

/** Instants in the whole range of Temporal. */
export const anyInstant: fc.Arbitrary<Temporal.Instant> = instantWithin(days)

export const anyDateTime: fc.Arbitrary<Temporal.PlainDateTime> = anyInstant.map((value) =>
  value.toZonedDateTimeISO('UTC').toPlainDateTime(),
)

export const anyDate: fc.Arbitrary<Temporal.PlainDate> = anyDateTime.map((value) =>
  value.toPlainDate(),
)

export const anyTime: fc.Arbitrary<Temporal.PlainTime> = anyDateTime.map((value) =>
  value.toPlainTime(),
)

const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** Offsets in whole minutes, less than a day. */
export const anyOffset: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59))
  .map(([sign, hours, minutes]) =>
    hours + minutes === 0 ? '+00:00' : `${sign}${twoDigits(hours)}:${twoDigits(minutes)}`,
  )

const anyZone = fc.oneof(
  anyOffset,
  fc.constantFrom('UTC', 'GMT', 'Europe/Paris', 'America/St_Johns', 'Etc/GMT+5', 'Pacific/Apia'),
)

/** At least a day from the ends of the range, so that every zone has a local time. */
const inZone = (zone: fc.Arbitrary<string>): fc.Arbitrary<Temporal.ZonedDateTime> =>
  fc.tuple(instantWithin(days - 1n), zone).map(([value, id]) => value.toZonedDateTimeISO(id))

export const anyZoned: fc.Arbitrary<Temporal.ZonedDateTime> = inZone(anyZone)

export const atAnyOffset: fc.Arbitrary<Temporal.ZonedDateTime> = inZone(anyOffset)

/** Registers a test for each row of a text and the text that the decoded value encodes to. */
export const decodesTo = <A>(
  test: Test,
  codec: t.Type<A, string>,
  rows: ReadonlyArray<readonly [text: string, written: string]>,
): void =>
  table<readonly [text: string, written: string]>(test, rows, (text, written) =>
    assert.equal(
      pipe(
        codec.decode(text),
        E.map((value) => [codec.is(value), codec.encode(value)]),
      ),
      E.right([true, written]),
    ),
  )

/** Registers a test for each text that must not decode. */
export const failsFor = <A>(
  test: Test,
  codec: t.Type<A, string>,
  texts: ReadonlyArray<string>,
): void =>
  texts.forEach((text) =>
    test(`fails for ${JSON.stringify(text)}`, () => assert.ok(E.isLeft(codec.decode(text)))),
  )

/** Registers laws of a codec: encoded values decode to equal values, and other input fails without an exception. */
export const laws = <A>(
  test: Test,
  codec: t.Type<A, string>,
  arbitrary: fc.Arbitrary<A>,
  identity: (value: A) => unknown = String,
): void => {
  law(test, 'decoding an encoded value returns an equal value', arbitrary, (value) =>
    assert.equal(
      pipe(codec.decode(codec.encode(value)), E.map(identity)),
      E.right(identity(value)),
    ),
  )
  law(test, 'a decoded value can be encoded and decoded again', nearMiss, (text) =>
    assertStable(codec, text),
  )
  law(test, 'decoding fails for a value that is not a string', fc.anything(), (value) =>
    assert.ok(typeof value === 'string' || E.isLeft(codec.decode(value))),
  )
}

const nearMiss = fc.oneof(
  fc.string(),
  fc.stringMatching(/^[+-]?\d{4,6}(-[01]\d(-[0-3]\d)?)?$/),
  fc.stringMatching(/^[0-2]\d:[0-6]\d(:[0-6]\d([.,]\d{0,10})?)?([Zz]|[+-][0-2]\d:[0-6]\d)?$/),
  fc.stringMatching(
    /^\d{4}-[01]\d-[0-3]\d[Tt ][0-2]\d:[0-6]\d([Zz]|[+-][0-2]\d(:[0-6]\d){0,2})?(\[[A-Z]{3}\])?$/,
  ),
)

/** Asserts that encoding, decoding and encoding again returns the same text. */
export const assertStable = <A>(codec: t.Type<A, string>, text: string): void => {
  const written = pipe(
    codec.decode(text),
    E.map((value) => codec.encode(value)),
  )
  assert.equal(
    pipe(
      written,
      E.chain((again) => codec.decode(again)),
      E.map((value) => codec.encode(value)),
    ),
    written,
  )
}
